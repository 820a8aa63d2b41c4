"""Families of products: the listings of one design by one brand, which share most of their words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType

from experiments.generator.categories import Category
from experiments.generator.details import Maker, parcel
from experiments.generator.grammar import PHRASES, TITLE_TAILS, TITLES, VOICES, expand, topics
from experiments.generator.kinds import KINDS, MIXED, Bank, Kind
from experiments.generator.sampling import Draws, Weighted
from experiments.generator.words import ENDINGS, SHARED, SURNAMES, SYLLABLES, TRADE_WORDS

OPEN_SLOTS = ("series", "theme", "saying", "motif", "inch", "mm", "few", "weight", "shade", "occasion", "adj")
"""Slots that a family may leave open, so that its products differ in that word or number."""

_BULLETS = 6
_BRANDS = 0.05
"""Brands that a domain has, as a share of the number of products."""

_BRAND_SKEW = 2.4
_DECLARED = (0.80, 1.0)
"""Probability that a kind's usual material is declared, in a badly and in a well-filled shop."""

_SHORT_PHRASES = 0.09
"""Share of families whose bullets are short phrases."""

_LEFT_OPEN = 0.36
"""Probability that a slot of :data:`OPEN_SLOTS` is left open by a family."""

_PRINT_SHOPS = 0.75
"""Share of the families of printed cotton shirts whose blanks are those of :data:`_PRINTED`."""

_FOREIGN = 0.004
"""Share of bullets that begin in another language."""

_MORE_SENTENCES = (0.45, 0.30, 0.35, 0.35)
"""Probability that a bullet goes on with one more sentence, by the number of those that it has."""

_TITLE_TAIL = 0.5
"""Share of families whose title goes on with words that shoppers search for."""

_VOICE_WEIGHTS = (0.38, 0.22, 0.09, 0.06, 0.04, 0.12, 0.04, 0.02, 0.01, 0.02)
_NEUTRAL: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "apparel": (
            "knit",
            "weave",
            "jersey",
            "textile",
            "fleece",
            "satin",
            "modal",
            "viscose",
            "linen",
            "velvet",
        ),
        "footwear": (
            "mesh",
            "canvas",
            "suede",
            "microfiber",
            "knit",
            "textile",
            "synthetic",
            "neoprene",
            "faux suede",
        ),
        "jewelry": ("cord", "chain", "rope"),
        "watch": ("silicone", "stainless steel", "mesh", "resin", "rubber"),
        "bag": ("canvas", "PU", "vinyl", "straw", "suede", "denim", "velvet", "microfiber"),
        "eyewear": ("acetate", "polycarbonate", "microfiber"),
        "accessory": ("knit", "acrylic", "felt", "straw", "velvet", "canvas", "satin", "microfiber", "linen"),
    }
)
_UNNAMED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "apparel": (
            "100% Acrylic",
            "Modal",
            "Viscose",
            "100% Linen",
            "Denim",
            "Satin",
            "95% Viscose, 5% Elastane",
        ),
        "footwear": (
            "Synthetic",
            "100% Synthetic",
            "Textile",
            "Manmade",
            "Canvas",
            "Mesh",
            "Suede",
            "Man Made",
            "EVA",
            "Rubber",
            "100% Textile",
            "Synthetic and Textile",
        ),
        "jewelry": ("Stainless Steel", "Sterling Silver", "Alloy", "Brass", "Titanium", "Gold Plated"),
        "watch": ("Stainless Steel", "Silicone", "Resin"),
        "bag": ("PU", "Canvas", "Vinyl", "100% PVC", "Straw"),
        "eyewear": ("Plastic", "Metal", "Acetate frame", "Polycarbonate lens", "Composite frame"),
        "accessory": ("100% Acrylic", "Straw", "Metal", "Plastic", "Acrylic"),
    }
)
_UNNAMED_PAIRS = (
    ("Viscose", "Elastane"),
    ("Acrylic", "Viscose"),
    ("Modal", "Elastane"),
    ("Viscose", "Linen"),
    ("Linen", "Viscose"),
    ("Acrylic", "Elastane"),
    ("Lyocell", "Elastane"),
    ("Bamboo Viscose", "Elastane"),
    ("Acrylic", "Metallic Fiber"),
)
_PARTNERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "cotton": ("Polyester", "Spandex", "Elastane", "Modal", "Polyester", "Linen"),
        "polyester": ("Spandex", "Cotton", "Rayon", "Elastane", "Spandex", "Viscose"),
        "rayon": ("Spandex", "Spandex", "Nylon", "Polyester", "Elastane"),
        "nylon": ("Spandex", "Elastane", "Lycra", "Polyester"),
        "spandex": ("Polyester", "Nylon", "Cotton"),
        "wool": ("Acrylic", "Nylon", "Polyester", "Cashmere"),
        "silk": ("Viscose", "Cashmere", "Cotton"),
    }
)
_WHOLE_LINES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "leather": (
            *("Leather",) * 6,
            *("100% Leather",) * 6,
            "Genuine Leather",
            "Faux Leather",
            "PU Leather",
            "Vegan Leather",
            "Full Grain Leather",
            "Leather and Textile",
            "Leather/Synthetic",
            "Patent Leather",
            "Cowhide Leather",
        ),
        "fabric": (
            "Fabric",
            "Stretch Fabric",
            "Knit Fabric",
            "Soft Fabric",
            "Fabric upper",
            "Fabric and Mesh",
        ),
    }
)
_PRINTED = (
    "Solids: 100% Cotton; Heather Grey: 90% Cotton, 10% Polyester; Other Heathers: 52% Cotton, 48% Polyester",
    "Solids: 100% Cotton; Heather Grey: 90% Cotton, 10% Polyester; Other Heathers: 52% Cotton, 48% Polyester",
    "Solids: 100% Cotton; Sport Grey: 88% Cotton, 12% Polyester; Other Heathers: 60% Cotton, 40% Polyester",
)
"""What the blanks of print shops are made of."""

_IN_PARTS: Mapping[str | None, float] = MappingProxyType(
    {None: 0.15, "leather": 0.1, "fabric": 0.15, "cotton": 0.02}
)
"""Probability that the line on the material speaks of a second part, by the material."""

_FIRST_PARTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "apparel": ("", "", "Shell: ", "Body: ", "Main: "),
        "footwear": ("", "", "Upper: ", "Upper - ", "Outer: "),
        "jewelry": ("", "Metal: ", "Base: "),
        "watch": ("", "Band: ", "Case: "),
        "bag": ("", "", "Outside: ", "Exterior: "),
        "eyewear": ("", "", "Frame: "),
        "accessory": ("", "", "Outer: ", "Shell: "),
    }
)
_SECOND_PARTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "apparel": (
            "; Lining: {other}",
            ", trim: {other}",
            " / {other}",
            " with {other} trim",
            " (exclusive of trim)",
        ),
        "footwear": (
            ", lining: {other}",
            "; Lining: {other}",
            " with {other} lining",
            " / {other}",
            " & {other}",
        ),
        "jewelry": (", {other} clasp", " / {other}", " and {other}", ", hand polished"),
        "watch": (", case: {other}", " / {other}", " and {other}"),
        "bag": (", {other} lining", "; Lining: {other}", " with {other} trim", " / {other}"),
        "eyewear": (", temples: {other}", " / {other}", " and {other}"),
        "accessory": ("; Lining: {other}", ", trim: {other}", " / {other}", " with {other}"),
    }
)
_COMMON_SHARES = (95, 95, 95, 95, 95, 92, 90, 88, 60, 65, 80, 97, 98, 50, 70, 75, 55, 96, 94, 93, 85, 82)
_CARE = Weighted.of(
    {
        "Machine Wash": 0.56,
        "Hand Wash Only": 0.34,
        "Dry Clean Only": 0.04,
        "Machine wash": 0.02,
        "Hand Wash": 0.02,
        "Machine Washable": 0.02,
        "Do Not Bleach": 0.01,
        "Spot Clean": 0.01,
    }
)
_ORIGIN = Weighted.of(
    {
        "Imported": 0.88,
        "Made in the USA": 0.035,
        "Made in the USA or Imported": 0.04,
        "进口": 0.004,
        "Made in Italy": 0.006,
    }
)
_SOLES = Weighted.of(
    {
        "Rubber sole": 1.05,
        "Synthetic sole": 0.14,
        "Manmade sole": 0.07,
        "Leather sole": 0.03,
        "Ethylene Vinyl Acetate sole": 0.04,
        "Thermoplastic Elastomers sole": 0.03,
        "Polyurethane sole": 0.03,
        "Plastic sole": 0.01,
        "Cork sole": 0.01,
        "Textile sole": 0.01,
    }
)
_PEOPLE: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = MappingProxyType(
    {
        "Women": (
            ("Women's", "Womens", "Women's", "Ladies", "Women’s"),
            ("womens", "Womens", "Women", "Women's"),
        ),
        "Men": (("Men's", "Mens", "Men's", "Men’s"), ("mens", "Mens", "Men", "Men's")),
        "Girls": (("Girls'", "Girls", "Big Girls", "Little Girls"), ("Girls", "girls", "Unisex-child")),
        "Boys": (("Boys'", "Boys", "Big Boys", "Little Boys"), ("Boys", "boys", "Unisex-child")),
        "Baby": (("Baby", "Infant", "Newborn"), ("Baby-girls", "Baby-boys", "unisex-baby")),
        "Baby Boys": (("Baby Boys", "Infant Boys"), ("Baby-boys", "baby-boys")),
        "Baby Girls": (("Baby Girls", "Infant Girls"), ("Baby-girls", "baby-girls")),
        "Toddlers": (("Toddler", "Toddler Kids"), ("Unisex-child", "unisex-child")),
        "Unisex": (("Unisex", "Adult", "Men Women"), ("Unisex-adult", "unisex-adult", "Unisex Adult")),
    }
)


@dataclass(frozen=True, slots=True)
class Family:
    """What the products of one family have in common.

    Attributes:
        kind: the kind of product.
        banks: word banks for what is said of them, the most special first.
        store: name of the shop.
        material: the common material that its listings declare, ``None`` where none.
        title: title with open slots.
        composition: the line that says what it is made of.
        lining: a second such line, empty where there is none.
        origin: the line that says where it comes from.
        closure: how it is fastened, empty where it is not said.
        care: how to wash it.
        sole: what it walks on (footwear).
        voice: the form of its bullets; empty for a shop that writes short phrases.
        bullets: bullets with open slots.
        maker: what its details have in common.
        rich: whether the shop fills its listings well.
    """

    kind: Kind
    banks: tuple[Bank, ...]
    store: str
    material: str | None
    title: str
    composition: str
    lining: str
    origin: str
    closure: str
    care: str
    sole: str
    voice: str
    bullets: tuple[str, ...]
    maker: Maker
    rich: bool


def make_family(
    seed: int, products: int, category: Category, who: str, place: tuple[int, int], rich: bool
) -> Family:
    """Return the family at ``place`` (category, number within it) of the catalog of that ``seed``."""
    draws = Draws(seed, 1, *place)
    kind = KINDS[draws.pick(MIXED) if category.kind == "mixed" else category.kind]
    domain = kind.domain
    brand_count = max(6, int(products * _BRANDS))
    brand_number = int(brand_count * draws.uniform() ** _BRAND_SKEW)
    brand = brand_name(seed, domain, brand_number)
    whose, departments = _PEOPLE[who]
    material = _material(kind, rich, draws)
    printed = category.kind == "novelty" and material == "cotton" and draws.chance(_PRINT_SHOPS)
    composition = draws.pick(_PRINTED) if printed else _composition(material, domain, draws)
    if draws.chance(_IN_PARTS.get(material, 0.0)):
        composition = f"{draws.pick(_FIRST_PARTS[domain])}{composition}{draws.pick(_SECOND_PARTS[domain])}"
        composition = expand(composition, draws, {"other": _UNNAMED[domain]})
    cloth = _cloth(material, domain, composition, draws)
    facts: Bank = {
        "brand": (brand,),
        "who": (draws.pick(whose),),
        "people": (who if who != "Unisex" else "Men and Women",),
        "cloth": cloth,
        "Cloth": tuple(word.title() for word in cloth),
        "material_line": (composition,),
        **_called(kind, category.path[-1], draws),
        "model": (brand[:2].upper() + str(draws.between(100, 9999)),),
    }
    banks: tuple[Bank, ...] = (facts, kind.words, PHRASES, SHARED)
    left_open = {slot for slot in OPEN_SLOTS if draws.chance(_LEFT_OPEN)}
    closed: tuple[Bank, ...] = tuple({k: v for k, v in bank.items() if k not in left_open} for bank in banks)
    voice = (
        ""
        if draws.chance(_SHORT_PHRASES)
        else Weighted.of(dict(zip(VOICES, _VOICE_WEIGHTS, strict=True))).draw(draws)
    )
    title = draws.pick(TITLES["novelty" if category.kind == "novelty" else domain])
    if draws.chance(_TITLE_TAIL):
        title += draws.pick(TITLE_TAILS)
    return Family(
        kind=kind,
        banks=banks,
        store=brand,
        material=material,
        title=expand(title, draws, *closed),
        composition=composition,
        lining=draws.pick(("Synthetic lining", "Textile lining", "Fully lined", ""))
        if domain == "bag"
        else "",
        origin=_ORIGIN.draw(draws),
        closure=_closure(kind, draws),
        care=_CARE.draw(draws),
        sole=_SOLES.draw(draws),
        voice=voice,
        bullets=tuple(make_bullet(domain, voice, draws, closed) for _ in range(_BULLETS)),
        maker=Maker(
            domain=domain,
            department=draws.pick(departments),
            manufacturer=brand if draws.chance(0.7) else f"{brand} {draws.pick(TRADE_WORDS)}",
            model="".join(letter for letter in brand.upper() if letter.isalpha())[: draws.between(1, 4)],
            measures=tuple(parcel(domain, draws) for _ in range(2)),
            sorts=(f"{who}'s {draws.pick(kind.words['noun']).title()}",),
        ),
        rich=rich,
    )


def _called(kind: Kind, leaf: str, draws: Draws) -> dict[str, tuple[str, ...]]:
    """Return the few names and cuts by which a family is called, near to the leaf of its category."""
    stems = {word.rstrip("s") for word in leaf.lower().replace("-", " ").split() if len(word) > 2}
    nouns = [noun for noun in kind.words["noun"] if stems & set(noun.replace("-", " ").split())]
    nouns += [draws.pick(kind.words["noun"]) for _ in range(2)]
    cuts = [draws.pick(kind.words["cut"]) for _ in range(3)]
    if len(nouns) == 2 and "{" not in leaf and draws.chance(0.6):
        cuts.append(leaf.lower())
    return {"noun": tuple(nouns[:4]), "cut": tuple(cuts)}


def make_bullet(domain: str, voice: str, draws: Draws, banks: tuple[Bank, ...]) -> str:
    """Return one bullet in the form of ``voice`` (a short phrase where that is empty)."""
    subjects = topics(domain)
    if draws.chance(_FOREIGN):
        return expand("{foreign}: {adj} {cut} {noun}", draws, *banks)
    if not voice:
        return _capital(expand(draws.pick(subjects["short"][1]), draws, *banks))
    head, body = _subject(domain, draws)
    text = _capital(expand(body, draws, *banks))
    for probability in _MORE_SENTENCES:
        if not draws.chance(probability):
            break
        text = text.rstrip(".") + ". " + make_sentence(domain, draws, banks).rstrip(".")
    if voice == "{body}":
        return text
    head = expand(head, draws, *banks)
    symbol = expand("{symbol}", draws, *banks)
    return voice.format(body=text, head=head, HEAD=head.upper(), symbol=symbol)


def make_sentence(domain: str, draws: Draws, banks: tuple[Bank, ...]) -> str:
    """Return the body of a bullet on any subject, for the paragraphs of a description."""
    return _capital(expand(_subject(domain, draws)[1], draws, *banks)).rstrip(".") + "."


@cache
def _subjects(domain: str) -> Weighted[str]:
    weights = {name: 1.0 for name in topics(domain) if name != "short"}
    weights.update({"gift": 0.7, "service": 0.35, "brand": 0.35, "package": 0.4, "plain": 1.6, "care": 0.5})
    return Weighted.of({name: weight for name, weight in weights.items() if name in topics(domain)})


def _subject(domain: str, draws: Draws) -> tuple[str, str]:
    heads, bodies = topics(domain)[_subjects(domain).draw(draws)]
    return draws.pick(heads), draws.pick(bodies)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


@lru_cache(maxsize=65536)
def brand_name(seed: int, domain: str, number: int) -> str:
    """Return the name of a brand, the same for all its families."""
    draws = Draws(seed, 2, sum(domain.encode()), number)
    form = draws.uniform()
    if form < 0.08:
        return f"{draws.pick(SURNAMES)} & {draws.pick(SURNAMES)}"
    stem = "".join(draws.pick(SYLLABLES) for _ in range(draws.between(2, 3))) + draws.pick(ENDINGS)
    if form < 0.30:
        return stem.upper()
    if form < 0.40:
        return f"{stem.title()} {draws.pick(TRADE_WORDS)}"
    if form < 0.46:
        return f"{draws.pick(SURNAMES)} {stem.title()}"
    if form < 0.48:
        return f"#{stem}"
    if form < 0.49:
        return (
            draws.pick(("Бриз", "Ласточка", "花语", "木の実", "Señorita", "Überlauf", "Çiçek"))
            + f" {stem.title()}"
        )
    return stem.title()


@cache
def _materials(kind_materials: tuple[tuple[str, float], ...]) -> Weighted[str]:
    return Weighted.of(dict(kind_materials))


def _material(kind: Kind, rich: bool, draws: Draws) -> str | None:
    drawn = _materials(tuple(kind.materials.items())).draw(draws)
    return drawn if drawn != "none" and draws.chance(_DECLARED[rich]) else None


def _closure(kind: Kind, draws: Draws) -> str:
    name = _materials(tuple(kind.closures.items())).draw(draws)
    return "" if name == "none" else f"{name} closure"


def _composition(material: str | None, domain: str, draws: Draws) -> str:
    """Return the line that says what a product is made of; it names ``material`` before any other."""
    if material is None:
        if domain in ("apparel", "accessory") and draws.chance(0.6):
            share, (first, second) = draws.between(51, 97), draws.pick(_UNNAMED_PAIRS)
            return f"{share}% {first}, {100 - share}% {second}"
        return draws.pick(_UNNAMED[domain])
    if material in _WHOLE_LINES:
        return draws.pick(_WHOLE_LINES[material])
    name = material.title()
    form = draws.uniform()
    whole = {"cotton": 0.52, "polyester": 0.42, "silk": 0.5, "wool": 0.3, "nylon": 0.25, "rayon": 0.14}.get(
        material, 0.1
    )
    if form < whole:
        return f"100% {name}"
    if form < whole + 0.12:
        return name if draws.chance(0.8) else material
    if form < whole + 0.16:
        return f"{name} Blend"
    partner = draws.pick(_PARTNERS[material])
    if form < whole + 0.20:
        return f"{name},{partner}"
    share = draws.pick(_COMMON_SHARES) if draws.chance(0.88) else draws.between(51, 99)
    if material == "cotton" and form > 0.95:
        mixed = draws.pick((90, 80, 60, 65, 55))
        return f"Solids: 100% Cotton; Heathers: {mixed}% Cotton, {100 - mixed}% Polyester"
    if share < 95 and draws.chance(0.3):
        rest = draws.between(2, 5)
        third = "Elastane" if partner == "Spandex" else "Spandex"
        return f"{share}% {name}, {100 - share - rest}% {partner}, {rest}% {third}"
    joint = draws.pick((", ", ", ", ", ", " / ", "; ", " + "))
    return f"{share}% {name}{joint}{100 - share}% {partner}"


def _cloth(material: str | None, domain: str, composition: str, draws: Draws) -> tuple[str, ...]:
    """Return the words by which sentences call what a product is made of."""
    neutral = (draws.pick(_NEUTRAL[domain]), draws.pick(_NEUTRAL[domain]))
    if material is None:
        return neutral
    if material == "fabric":
        return ("fabric", f"{neutral[0]} fabric", "stretch fabric")
    if material == "leather":
        return ("leather", "supple leather", *neutral)
    return (material, f"{material} blend", f"{material} {neutral[0]}", "fabric", *neutral)
