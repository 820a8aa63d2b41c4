"""Reference systems to measure the planner against."""
