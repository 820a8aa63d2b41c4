"""Questions about the planner: how it compares, what its parts bring, whether its beliefs come true."""
