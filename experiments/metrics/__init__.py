"""What is measured of a run: the score, its intervals, the time."""
