"""Notebooks run on the checkout that they stand in, whatever is installed."""

import os
from pathlib import Path

os.environ["PYTHONPATH"] = str(Path(__file__).resolve().parents[1])
os.environ["MPLBACKEND"] = "agg"
