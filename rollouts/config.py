"""Settings of the rollouts."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from scoring.config import Count, Settings, Share, Weight

Page = Annotated[int, msgspec.Meta(ge=1, le=10)]


class HorizonConfig(Settings, frozen=True, kw_only=True):
    """Weights of ``rollouts.horizon.HORIZON_TERMS``: how far answers lift a belief's value.

    0 throughout leaves the value of the best plan that hears no more.

    Attributes:
        fitted_for: the version of the configuration whose play they were fitted to (see
            ``planner.config.PlannerConfig.version``); empty where they were not fitted.
    """

    fitted_for: str
    constant: float
    confidence: float
    answerable: float
    spread: float
    turn: float


class RolloutConfig(Settings, frozen=True, kw_only=True):
    """How actions are valued, how the shopper is imagined, and how much.

    Attributes:
        method: ``rollouts``; the exact ``first_ply`` alone; or ``splitting``, the question that parts the
            belief best with the page of the best plan that needs no answers.
        candidates: how many of the belief's candidates take part.
        budget: rollouts spent on a turn.
        halving: whether they are spent by sequential halving, or alike on all actions.
        limit: most rollouts of a turn: where the two best actions left stay close, more are spent up to it.
        separation: standard errors of their difference at which the two best actions count as told apart.
        depth: turns that are simulated after the action itself; the horizon's value stands for the rest.
        answer_noise: probability that the imagined shopper has nothing to say on a question it could answer.
        answer_noise_off_letter: the same where the real one says what is no line to the letter, or strays
            from its card.
        pages: the numbers of products that may be shown before the last turn.
        seed: of the draws; the same seed and messages give the same decision.
        horizon: the value function's weights.
    """

    method: Literal["rollouts", "first_ply", "splitting"]
    candidates: Count
    budget: Count
    halving: bool
    limit: Count
    separation: Weight
    depth: Annotated[int, msgspec.Meta(ge=0, le=9)]
    answer_noise: Share
    answer_noise_off_letter: Share
    pages: Annotated[tuple[Page, ...], msgspec.Meta(min_length=1)]
    seed: Annotated[int, msgspec.Meta(ge=0)]
    horizon: HorizonConfig
