"""What is played on: the generated catalog, its figures, and the shoppers of its sessions."""
