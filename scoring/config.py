"""Settings of the belief. Weights are in nats unless they say otherwise; presets are in ``configs/``."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Share = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
Penalty = Annotated[float, msgspec.Meta(le=0.0)]
Positive = Annotated[float, msgspec.Meta(gt=0.0)]
Weight = Annotated[float, msgspec.Meta(ge=0.0)]
Count = Annotated[int, msgspec.Meta(ge=1)]


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all settings: immutable, every key named, unknown keys refused."""


class PriorConfig(Settings, frozen=True, kw_only=True):
    """Prior over products: a log-linear model of the catalog's numbers, mixed with the uniform one.

    ``strength`` scales all weights (0 is uniform); ``uniform_share`` of the mass is spread evenly, which
    bounds what a wrong prior can cost. The weights belong to ``scoring.priors.PRIOR_COLUMNS``.
    """

    strength: Weight
    uniform_share: Share
    log_reviews: float
    has_price: float
    price: float
    price_squared: float
    rating: float
    has_features: float
    many_features: float


class ScenarioConfig(Settings, frozen=True, kw_only=True):
    """Prior over the shopper's scenario, and the chance that a sign of one scenario comes from another.

    Attributes:
        noise: that chance.
        noise_in_words: the same once the shopper has said anything that is no line to the letter.
    """

    buying: Share
    browsing: Share
    intent_override: Share
    boundary: Share
    noise: Annotated[float, msgspec.Meta(gt=0.0, lt=1.0)]
    noise_in_words: Annotated[float, msgspec.Meta(gt=0.0, lt=1.0)]


class DeviationConfig(Settings, frozen=True, kw_only=True):
    """What a shopper says and its card would not make it say; each a log-likelihood in nats.

    Attributes:
        unexpected: it said a line of its card where the model expected another.
        off_card: it said a line of the product's record that is not on its card.
        absent: it said a line that the product does not say (on top of how rare the line is).
        omitted: it left out a line that the model expected, for each.
        silent: it said nothing where the model expected something.
    """

    unexpected: Penalty
    off_card: Penalty
    absent: Penalty
    omitted: Penalty
    silent: Penalty


class ShopperConfig(DeviationConfig, frozen=True, kw_only=True):
    """The shopper who keeps to its card.

    Attributes:
        class_rule: how a line answers a question: by ``words`` of the line or by mere ``substrings``.
    """

    class_rule: Literal["words", "substrings"]


class StrayingConfig(DeviationConfig, frozen=True, kw_only=True):
    """The shopper whose card is made by another rule: who strays once strays again.

    Attributes:
        share: how many shoppers are so.
    """

    share: Annotated[float, msgspec.Meta(gt=0.0, lt=1.0)]


class TextConfig(Settings, frozen=True, kw_only=True):
    """Weights of what is not a quoted line.

    Attributes:
        category_miss: log-likelihood where the product's category has nothing of the one named.
        category_other: the same where the one named is known to the letter, and the product's is another one
            that shares words with it, once words count that are no lines; on top of what those words tell.
        category_after_override: factor on that evidence once the shopper has changed its mind, in [0, 1].
        after_retraction: factor on the evidence that the shopper took back by name, in [0, 1].
        after_switch: factor on the evidence of the product that the shopper looked for before it turned to
            another one, in [0, 1].
        unwanted: for each unwanted word that the product's text states.
        denied: for each unwanted word that the product's text denies to have, a weight in its favour.
        price_miss: for a price outside the range wanted, by each factor of e (2.72) that it is off.
        price_unknown: where a price is wanted and the product's is unknown.
        price_limit: the most that a price can count against a product.
        quantity_miss: where a quantity is wanted and neither the product's title nor its lines state it; at
            most the information in it, log(N / df).
        profile: for a product whose text has all words of the profile's tags, in proportion for fewer; 0
            switches the profile off, and no quoted line may be outvoted.
        quantity_tolerance: by what share a measure may differ and still be the same, rounded otherwise.
    """

    category_miss: Penalty
    category_other: Penalty
    category_after_override: Share
    after_retraction: Share
    after_switch: Share
    unwanted: Penalty
    denied: Weight
    price_miss: Penalty
    price_unknown: Penalty
    price_limit: Penalty
    quantity_miss: Penalty
    quantity_tolerance: Share
    profile: Share


class HearingConfig(Settings, frozen=True, kw_only=True):
    """The noisy channel by which words that are no line to the letter are heard (:mod:`scoring.hearing`).

    Attributes:
        trust: share of a word's information, log(N / df), that it is worth within a line; below 1, since
            words of a line come together.
        text: the same where the product's text holds the word, but no line explains it.
        synonym: share of that for a product that says a synonym only.
        lost: pseudo-count of lost words: the first parameter of the beta distribution of their share.
        kept: pseudo-count of words kept: its second parameter.
        mentioned: a line is mentioned by a few words of it, however long it is (the first such word costs a
            factor of two, as does each more).
        begun: only the first words of a line are said.
        limit: the most that one reply can count against a product, in nats.
    """

    trust: Share
    text: Share
    synonym: Share
    lost: Positive
    kept: Positive
    mentioned: Penalty
    begun: Penalty
    limit: Penalty


class CandidateConfig(Settings, frozen=True, kw_only=True):
    """How many products each source may bring (best first), and how many are kept after scoring."""

    lexical: Count
    quoted: Count
    category: Count
    popular: Count
    kept: Count


class PosteriorConfig(Settings, frozen=True, kw_only=True):
    """Tempered softmax: ``temperature`` divides the score; ``floor`` of the mass is spread evenly."""

    temperature: Positive
    floor: Share


class ScoringConfig(Settings, frozen=True, kw_only=True):
    """All settings of the belief."""

    prior: PriorConfig
    scenario: ScenarioConfig
    shopper: ShopperConfig
    straying: StrayingConfig
    text: TextConfig
    hearing: HearingConfig
    candidates: CandidateConfig
    posterior: PosteriorConfig
