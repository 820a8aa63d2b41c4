"""A local web server: pages that show how the planner thinks, and an HTTP API to talk with it."""
