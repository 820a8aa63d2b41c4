"""The sentences of a listing: templates with slots, by subject and by family of kinds.

A template is plain text with ``{slot}`` marks; what a slot is filled with may hold slots again. Slots that
are not known where a text is expanded stay as they are, to be filled later (a family of products leaves open
what its members differ in).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType

from experiments.generator.sampling import Draws

_SLOT = re.compile(r"\{(\w+)\}")


@cache
def _parts(template: str) -> tuple[str, ...]:
    """Return ``template`` split into text and slot names by turns."""
    return tuple(_SLOT.split(template))


def expand(template: str, draws: Draws, *banks: Mapping[str, Sequence[str]]) -> str:
    """Return ``template`` with each slot filled from the first of ``banks`` that knows it."""
    if "{" not in template:
        return template
    parts = list(_SLOT.split(template) if len(template) > 200 else _parts(template))
    for place in range(1, len(parts), 2):
        slot = parts[place]
        for bank in banks:
            if choices := bank.get(slot):
                parts[place] = expand(draws.pick(choices), draws, *banks)
                break
        else:
            parts[place] = "{" + slot + "}"
    return "".join(parts)


Topic = tuple[tuple[str, ...], tuple[str, ...]]
"""Heads and bodies of one subject that a bullet can have."""


def _topic(heads: str, *bodies: str) -> Topic:
    return tuple(head.strip() for head in heads.split(",")), bodies


_SHARED_TOPICS: Mapping[str, Topic] = MappingProxyType(
    {
        "gift": _topic(
            "Gift Idea, Perfect Gift, Great Present, Thoughtful Surprise, Ideal Gift, Gift Ready, A "
            "Gift To Remember",
            "A {adj} {noun} that any {relative} will unwrap with a smile on {holiday}, {gift_end}",
            "Surprise your {relative} or {relative} for {holiday} with this {adj} {motif} {noun}, {gift_end}",
            "Comes in a {adj} {box} that is ready for {holiday}, {holiday} or {occasion}, {gift_end}",
            "Looking for something for {wearer}? This {adj} {noun} suits {holiday} and {occasion}, "
            "{gift_end}",
            "{wearer} and {wearer} alike enjoy a {adj} {noun} on {holiday}, and {gift_end}",
        ),
        "service": _topic(
            "Worry Free, After Sale Service, Our Promise, Shop With Confidence, Risk Free, "
            "Satisfaction Guarantee",
            "If the {noun} is not what you hoped for, {service} and {promise}.",
            "Questions about the {part} or the {part}? {service}; {promise}.",
            "We stand behind every {noun} from {brand}: {service}, {promise}.",
            "Not happy with your {adj} {noun} after {few} days? {service}, and {promise}.",
        ),
        "brand": _topic(
            "Our Story, About Us, The Brand, Since The Beginning, Who We Are",
            "{brand} began in {place} in {year} with one {noun}, and still cares for each {part}.",
            "At {brand} a team of {many} people in {place} looks after every {adj} {noun} until it ships.",
            "From {place} to your door: {brand} has made {adj} {noun} lines for {wearer} since {year}.",
            "{brand} &amp; friends: {many} small makers in {place} who know what a good {part} is worth.",
        ),
        "package": _topic(
            "Package Includes, What You Get, In The Box, Packing List, Package Content",
            "{few} x {noun}, {few} x {part} and one {box}, {note}.",
            "1 {adj} {noun} with {part} in a {box} ({note}).",
            "You will receive {few} pieces: the {noun}, a spare set of {part} and a {box}.",
            "{few}-pack of {motif} {noun} from the {series} line, {weight} ounces in all, {note}.",
        ),
        "plain": _topic(
            "Details, Good To Know, Why You Will Love It, Highlights, Features, Description",
            "{adj} {noun} with {adj} {part} and {adj} {part}, {adv} {verb_made} for {wearer} who want {look}",
            "The {series} {noun} brings {look} to {occasion} and {occasion}; {adj} {part} included",
            "{adv} {verb_made} {part} gives this {noun} {look}, from {season} through {season}",
            "{look} meets {adj} {part}: the {noun} {wearer} reach for on {season}",
            "A {adj} take on the {cut} {noun}, with {part} that {quality}",
            "{motif} pattern on the {part}, {adj} {part}, and {look} that will {quality}",
            "{adj} {part} covered in {motif} stitching, {look} to lift any outfit on {season}",
            "{adj} style with {motif} {part} and {adj} {part}, {adv} {verb_made} for {occasion}",
            "Easy to love and easy to pack, this {adj} {noun} goes from {occasion} to {occasion} with {look}",
        ),
    }
)

_DOMAIN_TOPICS: Mapping[str, Mapping[str, Topic]] = MappingProxyType(
    {
        "apparel": MappingProxyType(
            {
                "material": _topic(
                    "Soft & Breathable, Quality {Cloth}, Material, All Day Comfort, Feel The "
                    "Difference, Cozy Comfort, Premium {Cloth}, Stretchy & Light, Gentle Touch",
                    "{adv} chosen {cloth} makes the {cut} {noun} {feel} and helps it {quality}.",
                    "The {cloth} of this {noun} is {feel}, {adj} enough for {occasion} and {season}.",
                    "Our {adj} {cloth} with {few}-way stretch is {feel}, the {part} will {quality}.",
                    "{percent}% more give than our last {noun}, in {cloth} that is {feel}.",
                    "Lightweight {cloth} ({weight} oz) that is {feel} and dries fast after {occasion}.",
                    "{material_line}, {feel} and {adj} in {season}",
                ),
                "design": _topic(
                    "Design, Stylish Look, Modern Design, Features, Unique Details, Made To Impress, "
                    "Classic Look",
                    "{motif} print, {cut} cut, {adj} {part} and {part} give the {noun} {look}.",
                    "{cut} {noun} with {adj} {part}, {part} and {part} for {look}",
                    "An {few}-button front, {adj} {part} and a {motif} {part} bring {look} to {occasion}.",
                    "The {part} of this {noun} is {adv} {verb_made}, while {adj} {part} adds {look}",
                    "{adj} {part} & {adj} {part}, {cut} shape with {look}",
                    "“{theme}” {noun} with {saying}: {adj} on {wearer}, made for {occasion}",
                    "A {cut} shape inspired by the streets of {place}, {adj} {part} and {look}",
                ),
                "fit": _topic(
                    "True To Size, Great Fit, Fit Guide, Comfort Fit, Sizing, Size Options",
                    '{adj} fit through the {part} with {rise}" inseam; order your usual size for {look}',
                    '{girth}" from shoulder to hem in size Medium, with room at the {part}, {note}',
                    "Model is {foot}' {toe}\" and wears a Medium, the {part} is cut {adj} for {wearer}",
                    "Small = US {small}, Medium = US {middle}, Large = US {large}; it runs {adj}, {note}",
                    'Bust {girth}", waist {girth}", length {girth}" in a Large, {note}',
                ),
                "occasion": _topic(
                    "Occasions, Wear It Anywhere, Versatile, Day To Night, For Every Occasion, Easy To Match",
                    "Pair the {noun} with {pair} and {pair} for {occasion}, {occasion} or {occasion}.",
                    "Goes with {pair}, {pair} or {pair}, made for {occasion}, {occasion} and "
                    "{active_occasion}.",
                    "From {occasion} to {occasion}, this {adj} {noun} looks right over {pair}.",
                    "A {noun} for {wearer} who like {occasion}: add {pair} on {season} for {look}.",
                    "Suitable for {occasion}, {occasion}, {occasion}, {occasion} and {occasion} in {season}",
                ),
                "care": _topic(
                    "Easy Care, Washing, Care Instructions, Laundry, Garment Care, Care",
                    "Wash the {noun} cold with like items, tumble dry low, and the {part} will {quality}.",
                    "Hand wash under {temperature} degrees, hang the {noun} to dry, no bleach near "
                    "the {part}.",
                    "Turn the {motif} {noun} inside out, gentle cycle, line dry; do not iron the {part}.",
                    "Cold water, gentle cycle, low heat, the {cut} {noun} comes out {adj}",
                ),
                "short": _topic(
                    "Details",
                    "{adj} {cut} {noun}",
                    "{adj} {part}",
                    "{adj} {part} and {part}",
                    '{rise}" inseam, {adj} {part}',
                    "{motif} {noun} with {part}",
                    "Tagless {part}",
                    "{cut} cut with {adj} {part}",
                    "{few} pockets and {adj} {part}",
                    "{part} with {motif} lining",
                ),
            }
        ),
        "footwear": MappingProxyType(
            {
                "material": _topic(
                    "Breathable Upper, Quality Material, Soft Lining, Upper, Gentle On Feet",
                    "{cloth} upper with {adj} {part} lets feet breathe on {season}, {feel}",
                    "The {cut} {noun} has a {adj} {cloth} {part} that is {feel} and will {quality}.",
                    "{cloth} {part}, {adj} {part} and a {mm} mm insole that is {feel}",
                    "{adj} man-made {part} over {cloth} for {look}",
                ),
                "sole": _topic(
                    "Non-Slip Outsole, Cushioned Footbed, Comfort Technology, Traction, Support, Arch "
                    "Support",
                    "{mm} mm of {foam} under the {part} softens each step of the {noun} on {occasion}.",
                    "Grippy {foam} outsole with {adj} tread keeps the {noun} steady from {occasion} "
                    "to {occasion}",
                    "{adj} {foam} footbed cups the heel; the {part} bends with you for {many} minutes "
                    "or all day",
                    "Shock-absorbing {foam} with {adj} {part} and {heel}-inch platform",
                    "{series} cushioning: {foam} in the {part}, {adj} rebound at the {part}",
                ),
                "design": _topic(
                    "Design, Classic Look, Easy On And Off, Details, Modern Shape",
                    "{cut} {noun} with {adj} {part} and {motif} {part} for {look}",
                    '{adj} {part}, {adj} {part} and a {heel}" heel give this {noun} {look}.',
                    "Slip it on in seconds: the {part} of the {noun} is {adv} {verb_made} with {look}",
                    "{motif} detail at the {part}, {adj} stitching along the {part}",
                ),
                "fit": _topic(
                    "Fit, Sizing, True To Size, Size Tips, Roomy Fit",
                    "{adj} fit with a wide toe box, take half a size up for {pair} or thick socks, {note}",
                    "Heel height {heel} inches, shaft {rise} inches, fits feet of {foot_cm} cm, {note}",
                    "Runs {adj}: if between sizes order the larger {noun}, {note}",
                ),
                "occasion": _topic(
                    "Occasions, Wear With, Versatile, All Day Wear, Everyday Shoes",
                    "Wear the {noun} with {pair}, {pair} or {pair} to {occasion} and {occasion}.",
                    "Suitable for {occasion}, {occasion}, {active_occasion} and {occasion} in {season}",
                    "A {adj} {noun} for {wearer}, from {active_occasion} to {occasion}, with {look}",
                ),
                "short": _topic(
                    "Details",
                    "{adj} {part}",
                    "{cut} {noun}",
                    "{adj} {foam} footbed",
                    "{foam} midsole with {adj} {part}",
                    "{heel}-inch heel with {adj} {part}",
                    "Padded {part} and {adj} {part}",
                    "{motif} accent on the {part}",
                    "{series} {foam} insole",
                ),
            }
        ),
        "jewelry": MappingProxyType(
            {
                "material": _topic(
                    "Material, High Quality, Skin Friendly, Hypoallergenic, Premium Material, Quality "
                    "Plating",
                    "{metal} with {gem}, free of nickel and lead, so the {noun} is {feel}.",
                    "{adv} {verb_made} from {metal}; the {part} will {quality}",
                    "{metal}, {mm}mm {gem}, {adj} {part}, {weight} grams",
                    "The {cut} {noun} is plated with {metal} and set with {few} {gem} stones for {look}",
                    "{gem} of {mm} x {mm} mm in a {metal} setting, {adj} and {feel}",
                ),
                "measure": _topic(
                    "Size, Dimensions, Measurements, Product Size, Length",
                    "Pendant {mm} mm by {mm} mm, chain {inch} inch with {inch} inch extender, weight "
                    "{weight} g",
                    'Length: {inch}" ({cm} cm), width: {mm}mm, weight: {weight} g',
                    "{noun} of {mm}mm x {mm}mm, {part} of {inch} inches, fits most {wearer}",
                    "Diameter {mm} mm, thickness {mm} mm, {few} {part}",
                ),
                "meaning": _topic(
                    "Meaning, Symbol Of Love, Design Inspiration, A Story To Wear, Elegant Design",
                    "The {motif} {noun} stands for {virtue} and {virtue}, a {adj} reminder for your "
                    "{relative}.",
                    "{motif} and {gem} speak of {virtue}; wear the {noun} close on {holiday}",
                    "A {adj} {motif} shape with {gem}, {adv} {verb_made} by artisans in {place} for {look}",
                    "{virtue}, {virtue} and {look}: that is what this {motif} {noun} says",
                ),
                "occasion": _topic(
                    "Occasions, Match With Anything, Versatile, Everyday Sparkle",
                    "Goes with {pair} or {pair} for {occasion}, {occasion} and {holiday}.",
                    "{adj} enough for {occasion}, bright enough for {occasion}, layer it with {pair}",
                    "A {noun} for {wearer}, at {occasion} or {occasion}, on {season} too",
                ),
                "short": _topic(
                    "Details",
                    "{metal}",
                    "{adj} {part}",
                    "{mm}mm {gem}",
                    "{motif} {noun} with {gem}",
                    "{metal} {part}",
                    "{cut} {noun}",
                    "{inch} inch {part}",
                    "{weight} grams of {metal}",
                    "Genuine {gem}, {adj} {part}",
                ),
            }
        ),
        "watch": MappingProxyType(
            {
                "movement": _topic(
                    "Precise Movement, Movement, Accurate Time, Reliable Quartz, Battery",
                    "{movement} keeps the {noun} within {few} seconds a day, {adj} {part} and {part}",
                    "{movement} behind a {mm} mm {part}, with {adj} {part} for {look}",
                    "{series} caliber: {movement}, {few} jewels, {many} hours of reserve",
                ),
                "case": _topic(
                    "Dimensions, Case And Band, Build, Durable Case, Watch Details",
                    "{mm} mm {metal} case, {mm} mm thick, on a {cloth} band of {inch} inches",
                    "Dial diameter: {mm}mm; band length: {cm}cm, weight: {weight} oz, {note}",
                    "{adj} {metal} {part} with scratch-proof crystal and {adj} {part}",
                    "{cloth} band, {mm}mm across, with {adj} {part} that will {quality}",
                ),
                "water": _topic(
                    "Water Resistant, Daily Waterproof, Water Resistance",
                    "Water resistant to {many} meters: splashes are fine, but keep the {part} shut "
                    "while swimming.",
                    "{few} ATM water resistance, fine for rain and {occasion}; do not press the "
                    "{part} when wet",
                ),
                "design": _topic(
                    "Design, Classic Dial, Modern Look, Elegant Design",
                    "{motif} dial, {adj} {part} and {adj} {part} give the {cut} {noun} {look}",
                    "{adv} {verb_made} {part} and luminous {part} bring {look} to {occasion}",
                ),
                "short": _topic(
                    "Details",
                    "{movement}",
                    "{adj} {part}",
                    "{metal} {part}",
                    "{mm} mm case",
                    "Water resistant to {many} m",
                    "{few} year battery",
                    "Luminous {part}",
                    "Case diameter: {mm} mm",
                    "{adj} {motif} dial",
                ),
            }
        ),
        "bag": MappingProxyType(
            {
                "material": _topic(
                    "Premium Material, Quality Material, Durable Build, Sturdy Hardware, Material",
                    "{adv} {verb_made} from {cloth} with {adj} {part}, the {noun} will {quality}",
                    "Water-repellent {cloth}, {adj} lining and {metal} {part} for {occasion}",
                    "{cloth} outside, {adj} lining inside, {part} that {quality}",
                ),
                "capacity": _topic(
                    "Large Capacity, Plenty Of Room, Multi Pockets, Organized, Roomy Interior, Dimensions",
                    "{few} slots, {few} zip pockets and a {adj} {part} hold phone, keys, {item} and {item}.",
                    '{inch}"(L) x {inch}"(W) x {inch}"(H), {weight} pounds, fits {item}, {item} and {item}',
                    "Main compartment takes {item} and {item}; the {part} is for {item}",
                    "Dimensions: {inch} x {inch} x {inch} inches, strap drop {inch} inches, {note}",
                ),
                "design": _topic(
                    "Design, Fashionable, Elegant Look, Convertible, Secure Design",
                    "{cut} {noun} with {motif} {part} and {adj} {part} for {look}",
                    "{adj} {part} turns the {noun} from {occasion} to {occasion} with {look}",
                    "RFID-blocking layer behind the {part} keeps {item} safe on {occasion}",
                ),
                "occasion": _topic(
                    "Occasions, Versatile, Everyday Carry, On The Go",
                    "Carry it with {pair} to {occasion}, {occasion} or {active_occasion}.",
                    "For {wearer} on the way to {occasion} or {occasion}, pairs with {pair}",
                ),
                "short": _topic(
                    "Details",
                    "{few} card slots",
                    "{adj} {part}",
                    '{inch}" strap drop',
                    "{metal} {part}",
                    "{few} inner pockets, {adj} {part}",
                    "{inch} x {inch} x {inch} inches",
                    "{cut} {noun}",
                    "{motif} {part}",
                ),
            }
        ),
        "eyewear": MappingProxyType(
            {
                "lens": _topic(
                    "UV Protection, Polarized Lenses, Lens, Clear Vision, HD Lens",
                    "UV400 {part} with {few} layers cut glare on {occasion} and keep {look}",
                    "{adj} polarized {part} block {many} percent of harmful rays for {occasion} and "
                    "{active_occasion}",
                    "Lens {mm} mm high, bridge {mm} mm, arm {mm} mm, {adj} {part}",
                ),
                "frame": _topic(
                    "Frame, Lightweight Frame, Durable Frame, Quality",
                    "{metal} frame with {adj} {part}, only {weight} oz, {feel}",
                    "{adv} {verb_made} {part} and spring {part} that {quality}",
                    "{cut} frame, {adj} {part} and {motif} temples for {look}",
                ),
                "design": _topic(
                    "Design, Retro Look, Fashion, Face Shape",
                    "{cut} {noun} bring {look} to {wearer} at {occasion}",
                    "{motif} accents and {adj} {part} suit round and square faces, {look} included",
                ),
                "short": _topic(
                    "Details",
                    "{adj} {part}",
                    "Lens: {mm} millimeters",
                    "Bridge: {mm} millimeters",
                    "{metal} frame",
                    "100% UV400",
                    "{cut} frame",
                    "Case and cloth included",
                    "{motif} {part}",
                ),
            }
        ),
        "accessory": MappingProxyType(
            {
                "material": _topic(
                    "Material, Quality Build, Soft Touch, Premium {Cloth}",
                    "{cloth} with {adj} {part}: the {noun} is {feel} and will {quality}",
                    "{adv} {verb_made} from {cloth}, {adj} {part} included",
                    "The {cut} {noun} in {cloth} is {feel}, for {season}",
                ),
                "measure": _topic(
                    "One Size, Measurements, Size, Dimensions, Adjustable",
                    "{inch} x {inch} inches ({cm} x {cm} cm), {weight} oz; {note}",
                    'Fits {rise}" to {girth}" thanks to the {adj} {part}, {note}',
                    "Length {inch} inches, {mm} mm {part}, for {wearer}",
                ),
                "design": _topic(
                    "Design, Fashion Look, Handmade, Unique Pattern",
                    "{motif} {noun} with {adj} {part} for {look}",
                    "{cut} {noun}, {adv} {verb_made}, with {motif} {part} and {look}",
                    "{theme} {noun} with {saying} on the {part}",
                ),
                "occasion": _topic(
                    "Occasions, Versatile, Wear With, Everyday Use",
                    "Wear it with {pair} or {pair} for {occasion}, {occasion} and {active_occasion}.",
                    "For {wearer}, {occasion} and {occasion}, match it with {pair}",
                ),
                "short": _topic(
                    "Details",
                    "{adj} {part}",
                    "{cut} {noun}",
                    "{motif} {noun}",
                    "{inch} inch {part}",
                    "{adj} {part} and {part}",
                    "{few} pieces a pack",
                    "{metal} {part}",
                ),
            }
        ),
    }
)


def topics(domain: str) -> Mapping[str, Topic]:
    """Return the subjects that the bullets of a family of kinds can have."""
    return MappingProxyType({**_SHARED_TOPICS, **_DOMAIN_TOPICS[domain]})


PHRASES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "box": ("gift box", "velvet pouch", "kraft box", "drawstring bag", "polybag", "tin"),
        "gift_end": (
            "a {box} is included.",
            "no wrapping needed.",
            "it’s worth more than a card.",
            "{wearer} will thank you.",
            "it arrives in a {box}.",
            "one for them and one for you.",
        ),
        "foam": (
            "EVA",
            "memory foam",
            "rubber",
            "TPR",
            "gel",
            "latex foam",
            "PU",
            "cork",
            "crepe",
            "ethylene",
        ),
        "metal": (
            "sterling silver",
            "stainless steel",
            "14K gold plated brass",
            "zinc alloy",
            "titanium",
            "18K gold plate",
            "tungsten carbide",
            "surgical steel 316L",
            "copper",
            "rhodium plated alloy",
            "gold tone brass",
            "aluminum",
            "925 silver",
            "10K solid gold",
        ),
        "gem": (
            "cubic zirconia",
            "freshwater pearl",
            "amethyst",
            "turquoise",
            "opal",
            "crystal",
            "garnet",
            "moissanite",
            "topaz",
            "sapphire",
            "jade",
            "lapis",
            "onyx",
            "tiger eye",
            "rhinestone",
            "enamel",
            "moonstone",
            "peridot",
        ),
        "virtue": (
            "love",
            "hope",
            "courage",
            "friendship",
            "faith",
            "luck",
            "strength",
            "wisdom",
            "patience",
            "new beginnings",
            "family",
            "freedom",
        ),
        "movement": (
            "Japanese quartz movement",
            "automatic self-winding movement",
            "Swiss quartz",
            "digital movement with alarm",
            "solar quartz movement",
            "hand-wound mechanical movement",
            "multi-function quartz",
        ),
        "item": (
            "a tablet",
            "an umbrella",
            "cards",
            "cash",
            "a water bottle",
            "a passport",
            "lipstick",
            "sunglasses",
            "a charger",
            "a small notebook",
            "a network cable",
            "a 14 inch laptop",
            "diapers",
            "a change of clothes",
        ),
        "small": ("2-4", "3-5", "4", "5-7", "6"),
        "middle": ("8", "7-9", "8-12", "10"),
        "large": ("11-13", "12", "12-15", "14", "16-20"),
        "heel": tuple(f"{n / 20:g}" for n in range(5, 110)),
        "rise": tuple(f"{n / 4:g}" for n in range(12, 88)),
        "girth": tuple(f"{n / 4:g}" for n in range(88, 220)),
        "foot_cm": tuple(f"{n / 4:g}" for n in range(80, 125)),
        "percent": tuple(str(n) for n in range(5, 60)),
        "temperature": ("86", "90", "100", "104"),
        "foot": ("5", "6"),
        "toe": ("1", "2", "3", "5", "6", "7", "8", "9", "10", "11"),
    }
)

VOICES: tuple[str, ...] = (
    "{body}",
    "{HEAD}: {body}",
    "{HEAD} - {body}",
    "{HEAD} – {body}",
    "【{head}】{body}",
    "{head}: {body}",
    "{symbol} {head}: {body}",
    "[{HEAD}] {body}",
    "{symbol}【{head}】: {body}",
    "★{HEAD}★ {body}",
)
"""How the shops write a bullet."""

TITLES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "apparel": (
            "{brand} {who} {cut} {noun}",
            "{brand} {who} {adj} {cut} {noun}",
            "{brand} {who} {series} {cut} {noun} with {part}",
            "{brand} {who} {motif} {noun} {cut} {adj} {noun} for {season}",
            "{who} {cut} {noun} {adj} {noun} {motif} {cut} {noun}",
            "{brand} {who} {season} {cut} {noun} {adj} {motif} {noun} {size_tag}",
            "{brand} {motif} {cut} {noun} for {people} {adj} {noun}, {size_tag}",
        ),
        "novelty": (
            "{theme} {saying} {noun}",
            "{who} {theme} {noun} {adj} {saying} Gift for {wearer}",
            "{brand} {theme} {saying} {who} {noun}",
            "{motif} {theme} {noun} {saying}",
        ),
        "footwear": (
            "{brand} {who} {series} {noun}",
            "{brand} {who} {series} {cut} {noun}",
            "{brand} {who} {cut} {noun} {adj} {noun} for {occasion}",
            "{who} {cut} {noun} {adj} {noun} {cut} {noun}",
            "{brand} {who} {series}-{few} {noun}",
        ),
        "jewelry": (
            "{metal} {gem} {motif} {noun} for {people}",
            "{brand} {cut} {noun} {metal} {gem} {motif} {noun} Gift for {wearer}",
            "{mm}mm {metal} {cut} {noun}, {inch} inch",
            "{brand} {who} {motif} {noun} in {metal}",
            "{brand} {motif} {gem} {noun} {cut} {noun} for {people}",
        ),
        "watch": (
            "{brand} {who} {series} {cut} {noun}",
            "{brand} {who} {cut} {noun} {model}",
            "{brand} {cut} {noun} with {part}, {mm}mm",
            "{who} {noun} {cut} {adj} {noun} {motif} dial",
        ),
        "bag": (
            "{brand} {who} {cut} {noun}",
            "{brand} {series} {cut} {noun} with {part}",
            "{who} {cut} {noun} {adj} {noun} {motif} {noun} with {part}",
            "{brand} {cut} {noun} for {wearer} {adj} {noun}",
        ),
        "eyewear": (
            "{brand} {who} {cut} {noun} {mm}mm",
            "{brand} {series} {cut} {noun}",
            "{cut} {noun} for {people} {adj} {cut} {noun} {part}",
        ),
        "accessory": (
            "{brand} {who} {cut} {noun}",
            "{who} {cut} {noun} {motif} {adj} {noun}",
            "{brand} {motif} {cut} {noun} for {people}",
            "{few} Pack {cut} {noun} {adj} {noun} for {people}",
        ),
    }
)

TITLE_TAILS: tuple[str, ...] = (
    " for {occasion}",
    " for {occasion} {season} {cut}",
    " {adj} {cut} {noun} with {part}",
    ", {adj} {part} {cut} {noun}",
    " - {adj} {noun} for {wearer}",
    " | {cut} {noun} for {season} with {adj} {part} and {part}",
    " {motif} {adj} {noun}s Gift for {wearer}",
    ", {season} {occasion} {adj} {motif} {noun}",
)
"""What a long title ends with."""

OPENINGS: tuple[str, ...] = (
    "Meet the {series} {noun}. {sentence}",
    "{sentence} {sentence}",
    "Product Description: {sentence}",
    "{brand} presents a {adj} {noun}. {sentence} {sentence}",
    "About this {noun}: {sentence} {sentence} {sentence}",
    "{sentence} Click &quot;Add to Cart&quot; and see how {adj} a {noun} can be!",
    "Notes: 1. {note}. 2. {service} with any question. {sentence}",
    "{foreign} {sentence}",
)
"""Paragraphs of a description; ``sentence`` stands for the body of a bullet."""
