"""All perturbations, with the score to reach under each and the best one known."""

from __future__ import annotations

from functools import partial

from experiments.customers.customer import OPENINGS, Act
from experiments.perturbations import messages, shoppers, speeches
from experiments.perturbations.perturbation import Perturbation
from experiments.perturbations.wordings import REPLIES, natural, reworded, terse

CLEAN = Perturbation("clean", "the protocol's letter")

_SENTENCES = (*OPENINGS, *REPLIES, Act.OVERRIDE)

_ALL = (
    CLEAN,
    Perturbation(
        "drop-20",
        "20 % of the words of a constraint lost",
        0.976,
        0.975,
        speech=(partial(speeches.words_dropped, share=0.20),),
    ),
    Perturbation(
        "drop-35",
        "35 % of the words of a constraint lost",
        0.976,
        0.976,
        speech=(partial(speeches.words_dropped, share=0.35),),
    ),
    Perturbation(
        "drop-50",
        "50 % of the words of a constraint lost",
        0.976,
        0.975,
        speech=(partial(speeches.words_dropped, share=0.50),),
    ),
    Perturbation(
        "category-reordered",
        "words of the category in another order",
        0.980,
        0.979,
        speech=(speeches.category_reordered,),
    ),
    Perturbation(
        "reordered-drop-35",
        "category reordered, and 35 % of the words lost",
        0.950,
        0.946,
        speech=(speeches.category_reordered, partial(speeches.words_dropped, share=0.35)),
    ),
    Perturbation(
        "category-renamed", "other names for the category", 0.950, 0.931, speech=(speeches.category_renamed,)
    ),
    Perturbation("opener", "the opening reworded", 0.965, 0.917, wording=partial(reworded, acts=OPENINGS)),
    Perturbation("reply", "replies reworded", 0.965, 0.946, wording=partial(reworded, acts=REPLIES)),
    Perturbation(
        "override",
        "the change of mind reworded",
        0.980,
        0.979,
        wording=partial(reworded, acts=(Act.OVERRIDE,)),
    ),
    Perturbation(
        "reworded",
        "opening, replies and change of mind reworded",
        0.960,
        0.906,
        wording=partial(reworded, acts=_SENTENCES),
    ),
    Perturbation(
        "override-2-6",
        "the mind changed in turn 2 to 6",
        0.980,
        0.980,
        shopper=(shoppers.override_early_or_late,),
    ),
    Perturbation(
        "hard-soft-swapped",
        "soft preferences said first",
        0.977,
        0.977,
        shopper=(shoppers.hard_and_soft_swapped,),
    ),
    Perturbation(
        "no-material-color",
        "no material or color line on the card",
        0.965,
        0.964,
        shopper=(shoppers.no_material_or_color_line,),
    ),
    Perturbation(
        "cut-120",
        "constraints cut at 120 characters",
        0.980,
        0.979,
        speech=(partial(speeches.cut, length=120),),
    ),
    Perturbation("lower-case", "all in small letters", 0.980, 0.963, message=(messages.lower_case,)),
    Perturbation("upper-case", "all in capitals", 0.980, None, message=(messages.upper_case,)),
    Perturbation("no-punctuation", "no signs", 0.980, 0.959, message=(messages.no_punctuation,)),
    Perturbation("double-spaces", "two spaces for each", 0.980, 0.899, message=(messages.double_spaces,)),
    Perturbation("greeting", "a greeting before", 0.975, None, message=(messages.greeting_before,)),
    Perturbation("thanks", "thanks after", 0.975, 0.799, message=(messages.thanks_after,)),
    Perturbation("fillers", "filler words", 0.970, 0.952, message=(messages.fillers,)),
    Perturbation("rambling", "talk of other things around it", 0.950, 0.937, message=(messages.rambling,)),
    Perturbation(
        "last-word-lost", "the last word of a message lost", 0.960, 0.695, message=(messages.last_word_lost,)
    ),
    Perturbation("terse", "two words a reply", 0.920, 0.890, wording=terse),
    Perturbation(
        "typing-errors", "typing errors in 8 % of the words", 0.950, 0.882, message=(messages.typing_errors,)
    ),
    Perturbation(
        "synonyms",
        "materials, colors and garments by other names",
        0.965,
        0.932,
        message=(messages.synonyms,),
    ),
    Perturbation("natural", "sentences as people talk", 0.930, 0.842, wording=natural),
    Perturbation(
        "indirect", "constraints said by way of something else", 0.850, 0.803, speech=(speeches.indirect,)
    ),
    Perturbation(
        "natural-indirect",
        "both on every message",
        0.850,
        0.715,
        speech=(speeches.indirect,),
        wording=natural,
    ),
    Perturbation(
        "foreign-cards",
        "constraints from another rule than the protocol's",
        0.930,
        0.894,
        shopper=(shoppers.foreign_card,),
    ),
    Perturbation(
        "foreign-paraphrased",
        "the same, reworded and with synonyms",
        0.880,
        0.829,
        shopper=(shoppers.foreign_card,),
        wording=partial(reworded, acts=_SENTENCES),
        message=(messages.synonyms,),
    ),
    Perturbation("vague", "descriptions that lack the words", beats_baselines=True, speech=(speeches.vague,)),
    Perturbation(
        "category-wrong",
        "another kind of product named",
        beats_baselines=True,
        shopper=(shoppers.wrong_category,),
    ),
    Perturbation(
        "category-missing",
        "no kind of product named",
        beats_baselines=True,
        speech=(speeches.category_missing,),
    ),
    Perturbation(
        "product-switched",
        "another product from turn 3 or 4",
        beats_baselines=True,
        shopper=(shoppers.product_switched,),
    ),
    Perturbation("cold", "targets that few have rated", beats_baselines=True, cold=True),
)

PERTURBATIONS: dict[str, Perturbation] = {perturbation.name: perturbation for perturbation in _ALL}
"""By name, in the order of the reports' tables."""
