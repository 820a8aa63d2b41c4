"""Belief over the shopper's scenario: does it know what it wants, will it change its mind?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.config import ScenarioConfig
from scoring.evidence import (
    Evidence,
    LinesSaid,
    Opening,
    Override,
    Refusal,
    Silence,
    Switch,
    WordsSaid,
    is_noisy,
    since_switch,
)

SCENARIOS = ("buying", "browsing", "intent_override", "boundary")
OVERRIDE_TURNS = (3, 4)
"""The turns in one of which a shopper who will change its mind does so."""

_SIGNS = {
    "requirement": ("buying",),
    "preference": ("intent_override",),
    "exploring": ("browsing", "boundary"),
    "free": SCENARIOS,
}


@dataclass(frozen=True, slots=True)
class ScenarioBelief:
    """Probabilities of the scenarios and what is still to come in them.

    Attributes:
        probabilities: (4,) in the order of ``SCENARIOS``.
        override_pending: probability that the shopper will yet take back its wish; until then it takes
            no product that it is shown.
        refusal_pending: probability that the next question is refused.
    """

    probabilities: NDArray[np.float64]
    override_pending: float
    refusal_pending: float


def scenario_belief(evidence: Evidence, turn: int, config: ScenarioConfig) -> ScenarioBelief:
    """Return the scenario posterior after the message of ``turn`` (Bayes' rule over the signs seen).

    Who turns to another product has changed its mind, and opens anew.
    """
    prior = np.array([config.buying, config.browsing, config.intent_override, config.boundary])
    likelihood = np.ones(len(SCENARIOS))
    chance = config.noise_in_words if is_noisy(evidence) else config.noise
    boundary, override = SCENARIOS.index("boundary"), SCENARIOS.index("intent_override")
    overridden = refused = answered = False
    for item in since_switch(evidence):
        match item:
            case Opening(form=form, strength=strength):
                noise = 1.0 - strength * (1.0 - chance)
                likelihood *= [1.0 if name in _SIGNS[form] else noise for name in SCENARIOS]
            case Override() | Switch():
                overridden = True
            case Refusal():
                refused = True
            case LinesSaid(asked=asked) | WordsSaid(asked=asked) | Silence(asked=asked) if (
                asked >= 0 and not refused
            ):
                answered = True
    if overridden or turn > max(OVERRIDE_TURNS):
        sign = np.arange(len(SCENARIOS)) == override
        likelihood *= np.where(sign == overridden, 1.0, chance)
    if refused or answered:
        sign = np.arange(len(SCENARIOS)) == boundary
        likelihood *= np.where(sign == refused, 1.0, chance)
    posterior = prior * likelihood
    posterior /= posterior.sum()
    return ScenarioBelief(
        probabilities=posterior,
        override_pending=0.0 if overridden else float(posterior[override]),
        refusal_pending=0.0 if refused or answered else float(posterior[boundary]),
    )
