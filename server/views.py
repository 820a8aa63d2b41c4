"""A turn as it is shown: by the HTTP API as JSON, by the pages as HTML."""

from __future__ import annotations

import math

import numpy as np
from pydantic import BaseModel, Field

from index.cards import ATTRIBUTES
from planner.explain import ProductReasons, entropy
from planner.facts import product_facts
from planner.planner import Planner
from planner.trace import TurnTrace
from rollouts.kernels import NO_QUESTION
from scoring.posterior import Belief
from scoring.scenario import SCENARIOS

CANDIDATES_SHOWN = 10


class ProductView(BaseModel):
    """A product of the catalog."""

    parent_asin: str
    title: str
    kind: str = Field(description="Its category words.")
    price: float | None
    rating: float | None = Field(description="Average rating, 0 to 5.")
    ratings: int = Field(description="Number of ratings.")


class ReasonView(BaseModel):
    """A piece of evidence on a product."""

    nats: float = Field(description="Weight of evidence: above 0 for the product, below 0 against it.")
    text: str


class RecommendationView(BaseModel):
    """A product that was shown, and why."""

    product: ProductView
    probability: float
    sentence: str = Field(description="The heaviest evidence, with the product as subject.")
    reasons: list[ReasonView]


class CandidateView(BaseModel):
    """A product that is believed in."""

    product: ProductView
    probability: float
    terms: dict[str, float] = Field(description="Parts of its log-posterior, in nats.")


class BeliefView(BaseModel):
    """What is believed after the message."""

    candidates: int
    entropy: float = Field(description="In nats.")
    equal: float = Field(description="As many equally likely products would have that entropy.")
    confidence: float = Field(description="Probability of the first candidate.")
    scenario: dict[str, float] = Field(description="Probabilities of how the shopper behaves.")
    top: list[CandidateView]


class SpanView(BaseModel):
    """Characters of the message and what they were taken for."""

    start: int
    end: int
    label: str
    value: str
    strength: float


class ActionView(BaseModel):
    """What asking a question and showing a page is worth."""

    question: str | None
    page: int
    value: float = Field(description="Expected session score, by simulated conversations.")
    standard_error: float
    rollouts: int = Field(description="Conversations simulated; actions that fell behind have fewer.")
    taken: bool


class QuestionView(BaseModel):
    """What the answers to a question would tell apart."""

    question: str | None
    answerable: float = Field(description="Probability that the shopper has something to say on it.")
    answers: int = Field(description="Number of distinct answers.")
    largest: float = Field(description="Probability of the likeliest answer, given that there is one.")


class TurnView(BaseModel):
    """One turn of a conversation as the planner saw it."""

    turn: int
    message: str
    spans: list[SpanView]
    belief: BeliefView | None
    actions: list[ActionView]
    questions: list[QuestionView]
    asked: str | None
    question_reason: str
    page_reason: str
    recommendations: list[RecommendationView]
    fallbacks: list[str]


def product_view(planner: Planner, row: int) -> ProductView:
    """Return the product of a catalog row."""
    facts = product_facts(planner.catalog, row)
    return ProductView(
        parent_asin=facts.id,
        title=facts.title,
        kind=facts.kind,
        price=facts.price,
        rating=facts.rating,
        ratings=facts.ratings,
    )


def attribute(code: int | None) -> str | None:
    """Return the name of an attribute code; ``None`` for no question."""
    return None if code is None or code == NO_QUESTION else ATTRIBUTES[code]


def turn_view(planner: Planner, trace: TurnTrace, *, explained: bool = True) -> TurnView:
    """Return a turn as it is shown.

    Args:
        planner: the planner of the conversation.
        trace: the turn.
        explained: whether the products carry their evidence, which costs some milliseconds.
    """
    shown = trace.decision.rows
    explanation = planner.explain(trace, shown if explained else ())
    products = explanation.products
    if not explained:
        scores = trace.decision.scores
        products = tuple(ProductReasons(row, score, (), "") for row, score in zip(shown, scores, strict=True))
    decision = explanation.decision
    return TurnView(
        turn=trace.turn,
        message=trace.message,
        spans=[
            SpanView(
                start=span.start, end=span.end, label=span.label, value=span.value, strength=span.strength
            )
            for span in trace.spans
        ],
        belief=None if trace.belief is None else _belief(planner, trace.belief),
        actions=_actions(trace),
        questions=[
            QuestionView(
                question=attribute(split.question),
                answerable=split.answerable,
                answers=split.answers,
                largest=split.largest,
            )
            for split in decision.questions
        ],
        asked=attribute(trace.decision.question),
        question_reason=decision.question,
        page_reason=decision.page,
        recommendations=[
            RecommendationView(
                product=product_view(planner, product.row),
                probability=product.probability,
                sentence=product.sentence,
                reasons=[ReasonView(nats=reason.nats, text=reason.text) for reason in product.reasons],
            )
            for product in products
        ],
        fallbacks=[str(fallback) for fallback in trace.fallbacks],
    )


def _belief(planner: Planner, belief: Belief) -> BeliefView:
    nats = entropy(belief)
    return BeliefView(
        candidates=len(belief.rows),
        entropy=nats,
        equal=math.exp(nats),
        confidence=belief.confidence,
        scenario=dict(zip(SCENARIOS, belief.scenario.probabilities.tolist(), strict=True)),
        top=[
            CandidateView(
                product=product_view(planner, int(belief.rows[place])),
                probability=float(belief.probabilities[place]),
                terms={name: float(part[place]) for name, part in belief.terms.items()},
            )
            for place in range(min(CANDIDATES_SHOWN, len(belief.rows)))
        ],
    )


def _actions(trace: TurnTrace) -> list[ActionView]:
    values, decision = trace.values, trace.decision
    if values is None:
        return []
    asked = NO_QUESTION if decision.question is None else decision.question
    beside = np.flatnonzero(values.questions == asked)
    distances = np.abs(values.pages[beside] - len(decision.rows))
    taken = int(beside[np.argmin(distances)]) if len(beside) else -1
    means, errors, played = values.means, values.standard_errors, values.rollouts
    return [
        ActionView(
            question=attribute(int(values.questions[action])),
            page=int(values.pages[action]),
            value=float(means[action]),
            standard_error=float(errors[action]),
            rollouts=int(played[action]),
            taken=action == taken,
        )
        for action in range(len(values.questions))
    ]
