"""Settings of the rollouts."""

from __future__ import annotations

from typing import Annotated

import msgspec

from scoring.config import Count, Settings, Share

Page = Annotated[int, msgspec.Meta(ge=1, le=10)]


class RolloutConfig(Settings, frozen=True, kw_only=True):
    """How the shopper is imagined, and how much.

    Attributes:
        candidates: how many of the belief's candidates take part.
        particles: hypotheses (a target and its scenario) drawn from the belief; each plays every action.
        depth: turns that are simulated after the action itself; the value function stands for the rest.
        answer_noise: probability that the imagined shopper has nothing to say on a question it could answer.
        pages: the numbers of products that may be shown before the last turn.
        seed: of the draws; the same seed and messages give the same decision.
    """

    candidates: Count
    particles: Count
    depth: Annotated[int, msgspec.Meta(ge=0, le=9)]
    answer_noise: Share
    pages: Annotated[tuple[Page, ...], msgspec.Meta(min_length=1)]
    seed: Annotated[int, msgspec.Meta(ge=0)]
