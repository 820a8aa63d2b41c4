"""Why these products, why this question, why this many: explanations computed from a turn's trace.

Nothing here costs a turn anything: a trace is explained when somebody asks.

The evidence for a product is measured by its weight of evidence (Good 1985): by how many nats the odds of
the product against all other candidates would be lower had that piece of evidence not been heard,

    w(e : k) = log O(k | all evidence) - log O(k | all evidence but e),   O(k) = p(k) / (1 - p(k)),

with ``p`` the posterior before tempering over the turn's candidates. A positive weight speaks for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from index.cards import ATTRIBUTES
from index.catalog import MATRIX_COLUMNS, Catalog
from planner.trace import TurnTrace
from planner.wording import attribute_name, listed, quoted
from rollouts.engine import ActionValues
from rollouts.kernels import NO_QUESTION
from scoring.evidence import (
    CategoryNamed,
    Evidence,
    EvidenceItem,
    LinesSaid,
    Opening,
    Override,
    PriceWanted,
    ProfileTags,
    QuantityWanted,
    Refusal,
    Retraction,
    Shown,
    Silence,
    Switch,
    Unwanted,
    Word,
    Words,
    WordsSaid,
)
from scoring.posterior import Belief, Scorer
from scoring.shopper import OTHER, expected_slots

_WORTH_SAYING = 0.1
"""Nats from which a piece of evidence is worth a clause: odds that change by a tenth."""
_CLAUSES = 3
"""Clauses for and clauses against in a sentence, at most so many of each."""
_WORDS_NAMED = 4
_COMMON = 0.1
"""Share of products from which a word says too little to be named."""
_CONFIDENCE = 1.96
"""Standard errors on each side of a mean for a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A piece of evidence on one product.

    Attributes:
        source: the evidence; ``None`` for the prior.
        nats: its weight: above 0 for the product, below 0 against it.
        text: a clause that has the product as its subject.
    """

    source: EvidenceItem | None
    nats: float
    text: str


@dataclass(frozen=True, slots=True)
class ProductReasons:
    """Why a product is shown.

    Attributes:
        row: its catalog row.
        probability: its share of the belief; 0 where it is no candidate or there is no belief.
        reasons: the evidence for and against, heaviest first.
        sentence: the same in words.
    """

    row: int
    probability: float
    reasons: tuple[Reason, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class QuestionSplit:
    """What the answers to one question would tell apart.

    Attributes:
        question: the attribute's code, -1 for no question.
        answerable: probability that the target has something to say on it.
        answers: number of distinct answers.
        largest: probability of the likeliest answer, given that there is one.
        entropy: that of the answers in nats, given that there is one.
        value: simulated session score of asking it, with its better page; ``None`` where not simulated.
        standard_error: of that value.
        behind: by how much the action taken is better, in the same simulated conversations.
        behind_error: standard error of that difference.
    """

    question: int
    answerable: float
    answers: int
    largest: float
    entropy: float
    value: float | None
    standard_error: float | None
    behind: float | None
    behind_error: float | None


@dataclass(frozen=True, slots=True)
class PageValue:
    """What a page of so many products is worth beside the question asked.

    Attributes:
        page: number of products.
        value: simulated session score.
        standard_error: of that value.
        taken: whether it is the page shown.
        behind: by how much the page shown is better, in the same simulated conversations.
        behind_error: standard error of that difference.
    """

    page: int
    taken: bool
    value: float
    standard_error: float
    behind: float
    behind_error: float


@dataclass(frozen=True, slots=True)
class DecisionReasons:
    """Why this question and this many products.

    Attributes:
        questions: the questions that were weighed, best first.
        pages: the pages that were weighed beside the question asked, best first.
        question: why it was asked, a sentence.
        page: why so many are shown, a sentence.
    """

    questions: tuple[QuestionSplit, ...]
    pages: tuple[PageValue, ...]
    question: str
    page: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a turn went as it did.

    Attributes:
        products: the products shown, in their order.
        decision: the question and the page.
    """

    products: tuple[ProductReasons, ...]
    decision: DecisionReasons


def entropy(belief: Belief) -> float:
    """Return the entropy of the belief in nats; its exponential is the number of products in the running."""
    return _entropy(belief.probabilities)


def _entropy(shares: NDArray[np.float64]) -> float:
    held = shares[shares > 0.0]
    return -float((held * np.log(held)).sum())


def explain(trace: TurnTrace, scorer: Scorer, rows: tuple[int, ...] | None = None) -> Explanation:
    """Explain a turn.

    Args:
        trace: the turn, of a conversation over the scorer's catalog and under its configuration.
        scorer: scores products without one piece of evidence after the other.
        rows: the products to explain; by default those shown.
    """
    wanted = trace.decision.rows if rows is None else rows
    return Explanation(_products(trace, scorer, wanted), _decision(trace))


def _products(trace: TurnTrace, scorer: Scorer, wanted: tuple[int, ...]) -> tuple[ProductReasons, ...]:
    belief = trace.belief
    if belief is None:
        return tuple(ProductReasons(row, 0.0, (), "was found by a plain search.") for row in wanted)
    evidence, turn = trace.state.evidence, trace.turn
    outside = [row for row in wanted if row not in belief.rows]
    rows = np.concatenate([belief.rows, np.array(outside, dtype=np.int64)])
    scores = scorer.scores(rows, evidence, turn)
    places = [int(np.flatnonzero(rows == row)[0]) for row in wanted]
    full = _log_odds(scores, places)
    prior = full - _log_odds(scores - scorer.scores(rows, (), 0), places)
    pieces = list(_pieces(evidence))
    weights = [full - _log_odds(scorer.scores(rows, rest, turn), places) for _, rest in pieces]
    explained = []
    for n, (row, place) in enumerate(zip(wanted, places, strict=True)):
        reasons = [Reason(None, float(prior[n]), _prior_clause(scorer.catalog, row, bool(prior[n] >= 0.0)))]
        reasons += [
            Reason(item, float(weight[n]), _clause(item, row, scorer.catalog, bool(weight[n] >= 0.0)))
            for (item, _), weight in zip(pieces, weights, strict=True)
        ]
        reasons.sort(key=lambda reason: -abs(reason.nats))
        inside = place < len(belief.rows)
        sentence = _sentence(reasons, _unsaid(belief, place) if inside else [])
        probability = float(belief.probabilities[place]) if inside else 0.0
        explained.append(ProductReasons(row, probability, tuple(reasons), sentence))
    return tuple(explained)


def _log_odds(scores: NDArray[np.float64], places: list[int]) -> NDArray[np.float64]:
    """Return the log-odds of each of ``places`` against all other scores; 0 where there is no other."""
    if len(scores) == 1:
        return np.zeros(len(places))
    return np.array([scores[place] - np.logaddexp.reduce(np.delete(scores, place)) for place in places])


def _pieces(evidence: Evidence) -> Iterator[tuple[EvidenceItem, Evidence]]:
    """Yield each piece of evidence with all the rest.

    Lines said together are taken one by one, and all pages that were passed over as one.
    """
    pages = tuple(item for item in evidence if isinstance(item, Shown))
    if pages:
        rows = tuple(dict.fromkeys(row for page in pages for row in page.rows))
        yield Shown(rows), tuple(item for item in evidence if not isinstance(item, Shown))
    for place, item in enumerate(evidence):
        before, after = evidence[:place], evidence[place + 1 :]
        if isinstance(item, Shown):
            continue
        if isinstance(item, LinesSaid) and len(item.lines) > 1:
            for n, line in enumerate(item.lines):
                others = replace(item, lines=item.lines[:n] + item.lines[n + 1 :])
                yield replace(item, lines=(line,)), (*before, others, *after)
        else:
            yield item, (*before, *after)


def _sentence(reasons: list[Reason], unsaid: list[str]) -> str:
    """Return the heaviest evidence for, then against, then what has not been said."""
    told = [reason for reason in reasons if abs(reason.nats) >= _WORTH_SAYING]
    parts = [reason.text for reason in told if reason.nats > 0.0][:_CLAUSES]
    contra = [reason.text for reason in told if reason.nats < 0.0][:_CLAUSES]
    parts += [f"but {listed(contra)}"] if contra else []
    parts += [f"nothing said yet about {listed(unsaid, 'or')}"] if unsaid else []
    return ("; ".join(parts) or "is as likely as any other") + "."


def _unsaid(belief: Belief, place: int) -> list[str]:
    """Return the attributes on which a candidate has something to say that the shopper has not heard of."""
    left = belief.masks[place] & ~belief.disclosed[place]
    return [attribute_name(code) for code in range(len(ATTRIBUTES)) if left[code] and code != OTHER]


def _prior_clause(catalog: Catalog, row: int, speaks_for: bool) -> str:
    logs = catalog.matrix[:, MATRIX_COLUMNS.index("log_reviews")]
    ratings = round(float(np.expm1(np.float64(logs[row]))))
    if ratings == 0:
        return "has no ratings"
    share = int(100.0 * np.mean(logs < logs[row]))
    many = f"{ratings:,} rating{'s' if ratings > 1 else ''}"
    return f"has {'' if speaks_for else 'only '}{many} (more than {share}% of products)"


def _clause(item: object, row: int, catalog: Catalog, speaks_for: bool) -> str:
    """Return what a piece of evidence says of a product, the product being the subject."""
    match item:
        case LinesSaid(lines=lines):
            return listed([_line_clause(line, row, catalog, speaks_for) for line in lines])
        case CategoryNamed(text=text):
            phrase = catalog.categories.phrases[int(catalog.categories.of_product[row])]
            if catalog.categories.exact(text) == catalog.categories.of_product[row]:
                return f"is one of your {quoted(text)}"
            return f"is one of {quoted(phrase)}, and you named {quoted(text)}"
        case WordsSaid(words=said):
            return _words_clause(said, row, catalog, speaks_for)
        case Unwanted(words=said):
            held = [word.text for word in said if _holds(word, row, catalog)]
            those = "" if speaks_for else listed([quoted(text) for text in held], "or")
            return f"has {those or 'nothing'} that you do not want"
        case ProfileTags(words=said):
            held = [quoted(word.text) for word in said if _holds(word, row, catalog)]
            return f"has {listed(held) or 'nothing'} of what your profile cares for"
        case PriceWanted():
            return f"{'fits' if speaks_for else 'does not fit'} the price that you named"
        case QuantityWanted():
            return f"{'states' if speaks_for else 'does not state'} the {_quantity_text(item)} that you named"
        case Silence(asked=asked):
            about = attribute_name(asked)
            return (
                f"has no more to say about {about}, as you had"
                if speaks_for
                else f"has more to say about {about}, and you had not"
            )
        case Refusal(asked=asked):
            return f"was left to my judgment on {attribute_name(asked)}"
        case Shown(rows=rows) if row in rows:
            return "was shown before and passed over"
        case Shown(rows=rows):
            others = "1 other was" if len(rows) == 1 else f"{len(rows)} others were"
            return f"is left, as {others} shown and passed over"
        case Override():
            return "was weighed anew when you changed your mind"
        case Retraction(attribute=attribute, words=said):
            named = [quoted(word.text) for word in said]
            named += [attribute_name(attribute)] if attribute is not None else []
            return f"was weighed anew when you took back {listed(named)}"
        case Switch():
            return "was weighed anew when you turned to another kind of product"
        case Opening():
            return f"fits the way you began{'' if speaks_for else ' less well'}"
        case _:
            return f"was weighed by {type(item).__name__}"


def _quantity_text(wanted: QuantityWanted) -> str:
    """Return a quantity with its kind and its own unit."""
    kind, unit = wanted.kind, {"length": " mm", "weight": " g", "volume": " ml"}.get(wanted.kind, "")
    if kind == "letter":
        return "size"
    if wanted.least == wanted.most:
        return f"{kind} of {wanted.least:.4g}{unit}"
    least = f" from {wanted.least:.4g}" if wanted.least > 0.0 else ""
    most = f" up to {wanted.most:.4g}" if wanted.most < float("inf") else ""
    return f"{kind}{least}{most}{unit}"


def _line_clause(line: int, row: int, catalog: Catalog, speaks_for: bool) -> str:
    text = quoted(catalog.lines.text(line))
    if line not in catalog.lines.of_product[row]:
        return f"does not say your {text}"
    if not speaks_for:
        return f"says your {text}, though not where others would"
    count = len(catalog.lines.postings[line])
    said = "no other product says" if count == 1 else f"{count:,} of {len(catalog):,} products say"
    return f"quotes your {text} word for word, which {said}"


def _holds(word: Word, row: int, catalog: Catalog) -> bool:
    return any(row in catalog.lexical.rows(text) for text in (*word.stands_for, *word.synonyms))


def _words_clause(said: Words, row: int, catalog: Catalog, speaks_for: bool) -> str:
    """Return which of the words heard the product's text has, rarest first."""
    most = max(1.0, _COMMON * len(catalog))
    found = [(sum(map(catalog.lexical.frequency, word.stands_for)), word) for word in said]
    held = sorted((count, word.text) for count, word in found if count <= most and _holds(word, row, catalog))
    if not held:
        return "has none of your rarer words"
    named = listed([quoted(text) for _, text in held[:_WORDS_NAMED]])
    return f"has your words {named}" if speaks_for else f"has of your words {named}, fewer than others"


def _decision(trace: TurnTrace) -> DecisionReasons:
    belief, values, decision = trace.belief, trace.values, trace.decision
    shown = len(decision.rows)
    if belief is None:
        return DecisionReasons((), (), "Nothing is asked: there is no belief.", f"Shows {shown} by search.")
    asked = NO_QUESTION if decision.question is None else decision.question
    if values is None:
        splits = [_split(belief, asked)] if asked != NO_QUESTION else []
        page = f"Shows {shown}: nothing was simulated."
        return DecisionReasons(tuple(splits), (), _question_sentence(splits, asked), page)
    taken = _taken(values, asked, shown)
    splits = [_split(belief, int(code), values, taken) for code in dict.fromkeys(values.questions.tolist())]
    splits.sort(key=lambda split: (split.question != asked, -(split.value or 0.0), split.question))
    pages = _pages(values, asked, taken)
    return DecisionReasons(
        tuple(splits),
        tuple(pages),
        _question_sentence(splits, asked),
        _page_sentence(pages, shown, trace.turn),
    )


def _taken(values: ActionValues, asked: int, shown: int) -> int:
    """Return the action that was taken: of the question asked, the page nearest to what is shown.

    Fewer products are shown where the catalog or the caller's limit has no more.
    """
    beside = np.flatnonzero(values.questions == asked)
    if len(beside) == 0:
        return values.best
    return int(beside[np.argmin(np.abs(values.pages[beside] - shown))])


def _ahead(values: ActionValues, taken: int, other: int) -> tuple[float, float]:
    """Return by how much one action is better than another, and that difference's standard error.

    The two were played in the same conversations where both have a reward: the difference is paired.
    """
    difference = values.rewards[taken] - values.rewards[other]
    difference = difference[np.isfinite(difference)]
    if len(difference) < 2:
        return float(values.means[taken] - values.means[other]), 0.0
    return float(difference.mean()), float(difference.std(ddof=1)) / sqrt(len(difference))


def _split(
    belief: Belief, code: int, values: ActionValues | None = None, taken: int | None = None
) -> QuestionSplit:
    answers: dict[tuple[int, ...], float] = {}
    if code != NO_QUESTION:
        for card, masks, disclosed, p in zip(
            belief.cards, belief.masks, belief.disclosed, belief.probabilities.tolist(), strict=True
        ):
            if slots := expected_slots(masks, int(disclosed), code):
                answer = tuple(line for slot, line in enumerate(card.tolist()) if slots >> slot & 1)
                answers[answer] = answers.get(answer, 0.0) + p
    mass = np.array(list(answers.values()))
    total = float(mass.sum())
    shares = mass / total if total > 0.0 else mass
    known = QuestionSplit(
        question=code,
        answerable=min(total, 1.0),
        answers=len(answers),
        largest=float(shares.max(initial=0.0)),
        entropy=_entropy(shares),
        value=None,
        standard_error=None,
        behind=None,
        behind_error=None,
    )
    if values is None or taken is None:
        return known
    best = max(np.flatnonzero(values.questions == code).tolist(), key=values.means.__getitem__)
    best = taken if values.questions[taken] == code else best
    behind, error = _ahead(values, taken, best)
    return replace(
        known,
        value=float(values.means[best]),
        standard_error=float(values.standard_errors[best]),
        behind=behind,
        behind_error=error,
    )


def _pages(values: ActionValues, asked: int, taken: int) -> list[PageValue]:
    """Return the pages that were simulated beside the question asked, best first."""
    pages = [
        PageValue(
            int(values.pages[action]),
            action == taken,
            float(values.means[action]),
            float(values.standard_errors[action]),
            *_ahead(values, taken, action),
        )
        for action in np.flatnonzero(values.questions == asked).tolist()
    ]
    return sorted(pages, key=lambda page: (-page.value, page.page))


def _question_sentence(splits: list[QuestionSplit], asked: int) -> str:
    """Return why the first of ``splits`` was asked rather than the second."""
    if asked == NO_QUESTION:
        return "Nothing is asked: no question is left that the product could answer."
    about = attribute_name(asked)
    if not splits or splits[0].answers == 0:
        return f"Asks about {about}, though no candidate is known to answer it."
    taken, *others = splits
    many = f"{taken.answers:,} different answers, the likeliest {taken.largest:.0%}"
    answers = "always the same answer" if taken.answers == 1 else many
    sentence = f"Asks about {about}: {taken.answerable:.0%} of the belief could answer, with {answers}"
    if others and others[0].behind is not None and others[0].behind_error is not None:
        rival = f"asking about {attribute_name(others[0].question)}"
        return f"{sentence}; {_comparison(rival, others[0].behind, others[0].behind_error)}."
    return f"{sentence}; no other question was worth weighing."


def _page_sentence(pages: list[PageValue], shown: int, turn: int) -> str:
    others = [page for page in pages if not page.taken]
    if not others:
        return f"Shows {shown}: in turn {turn} no other page was weighed."
    best = others[0]
    return f"Shows {shown}: {_comparison(f'showing {best.page}', best.behind, best.behind_error)}."


def _comparison(rival: str, ahead: float, error: float) -> str:
    margin = _CONFIDENCE * error
    if ahead == 0.0 and margin == 0.0:
        return f"worth the same as {rival}"
    verdict = "within" if abs(ahead) <= margin else "beyond"
    return f"worth {ahead:+.4f} ± {margin:.4f} beside {rival}, {verdict} the simulation's spread"
