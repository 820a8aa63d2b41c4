"""Customers who do not keep to the protocol's letter: what a robust planner must still understand."""

from experiments.perturbations.mixture import mixture
from experiments.perturbations.perturbation import Perturbation, perturbed
from experiments.perturbations.registry import CLEAN, PERTURBATIONS

__all__ = ["CLEAN", "PERTURBATIONS", "Perturbation", "mixture", "perturbed"]
