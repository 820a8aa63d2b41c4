"""A conversation with the planner as it happens: by hand, or with the simulated customer answering."""
