"""From a belief to action values: particles and simulated conversations."""
