"""The details of a listing: keys and values, a few in nearly every listing and a long tail of rare ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from experiments.generator.grammar import expand
from experiments.generator.sampling import Draws, Weighted

MISSING = 0.033
RICH_SHARE = 0.052
"""Share of listings with many details."""

_PRESETS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "footwear": (
            "11 x 14 x 5 inches; 2 Pounds",
            "13 x 8 x 5 inches; 1 Pounds",
            "13 x 9 x 5 inches; 2 Pounds",
            "11.5 x 7.5 x 4.5 inches; 1.5 Pounds",
        ),
        "apparel": (
            "10 x 8 x 1 inches; 4.8 Ounces",
            "2 x 2 x 1 inches; 6 Ounces",
            "12 x 10 x 1 inches; 7 Ounces",
            "14 x 10 x 2 inches; 1 Pounds",
        ),
        "jewelry": ("3 x 2 x 1 inches; 0.64 Ounces", "4 x 3 x 1 inches; 0.32 Ounces"),
        "watch": ("4 x 4 x 3 inches; 8 Ounces", "5 x 4 x 3 inches; 12 Ounces"),
        "bag": ("12 x 9 x 3 inches; 1.1 Pounds", "5 x 4 x 1 inches; 3.2 Ounces"),
        "eyewear": ("6 x 3 x 2.5 inches; 3.2 Ounces", "7 x 3 x 3 inches; 4 Ounces"),
        "accessory": ("8 x 5 x 2 inches; 3.2 Ounces", "10 x 6 x 1 inches; 2.4 Ounces"),
    }
)

_GENERIC_KEYS = (
    "Best Sellers Rank, Pattern, Age Range (Description), Special Feature, Number of Items, Closure "
    "Type, Fabric Type, Country of Origin, Item Weight, Theme, Care Instructions, Shape, Sport, "
    "Package Weight, Part Number, Model Name, Included Components, Suggested Users, Occasion, Brand "
    "Name, Warranty Description, Model Year, Outer Material, Item Package Dimensions, Item "
    "Dimensions LxWxH, Unit Count, Number of Pieces, Product Care Instructions, Target Audience, "
    "Collection Name, Embellishment Feature, Cartoon Character, Seasons, Finish Type, Specific Uses, "
    "Packaging, Manufacturer Part Number, Assembly Required, Batteries Required?, Batteries "
    "Included?, Recommended Uses, Is Dishwasher Safe, Team Name, Subject Character, Water Resistance "
    "Level, Product Benefits, Reusability, UPC, GTIN, Global Trade Identification Number, Import "
    "Designation, Size Map, Item Shape, Item Length, Item Width, Item Height, Item Diameter, "
    "Handmade, Personalization, Use for, Ethnicity, Holiday Type, Language, Release Date, Frame, "
    "Compatible Devices, Form Factor, Item Form, Scent, Pieces per Set, Set Name, License, Artist, "
    "Edition, Event, Lifestyle, Season, Trend, Weave Type, Product Name, Product Line, Product Grade, "
    "Importer, Contains Liquid Contents, "
    "Quantity, Capacity, Shipping Weight, Safety "
    "Warning, Storage, Origin Region, Surface Finish, "
    "Certification, Recycled Content, Vegan"
)
_DOMAIN_KEYS: Mapping[str, str] = MappingProxyType(
    {
        "apparel": (
            "Sleeve Type, Neck Style, Fit Type, Rise Style, Leg Style, Waist Style, Top Style, Bottom "
            "Style, Item Fabric Weight, Lining Description, Pocket Description, Collar Style, Cuff "
            "Style, Hem, Front Style, Back Style, Strap Type, Cup Size, Band Size, Underwire Type, "
            "Support Type, Control Type, Inseam Length, Garment Care, Opacity, Coverage, "
            "Transparency, Apparel Silhouette, Waist Size, Chest Size, Hip Size, Stretch, Insulation, "
            "Fill Material, Hood Type, Costume Type, Character, Toe Style, Sock Height, Compression "
            "Class, UPF"
        ),
        "footwear": (
            "Sole Material, Heel Type, Heel Height, Toe Shape, Shaft Height, Boot Opening, Platform "
            "Height, Inner Material, Lining Material, Insole Material, Midsole, Outsole, Cleat Type, "
            "Arch Type, Shoe Width, Last, Upper Material, Shoe Height, Pronation, Lacing, Drop, "
            "Safety Toe, Slip Rating, Warmth Rating, Footbed"
        ),
        "jewelry": (
            "Metal Type, Metal Stamp, Gem Type, Chain Type, Clasp Type, Stone Shape, Stone Cut, "
            "Setting Type, Ring Size, Length, Width, Metals Type, Material Type, Minimum total gem "
            "weight, Stone Creation Method, Stone Treatment, Stone Clarity, Pearl Type, Pearl Lustre, "
            "Pearl Uniformity, Back Finding, Earring Type, Gauge, Item Display Length, Necklace "
            "Length, Pendant Height, Pendant Width, Bracelet Length, Birthstone, Number of stones, "
            "Center Stone, Jewelry Type, Chain Length, Chain Gauge, Plating, Engraving, Resizable, "
            "Bail Opening, Bead Size, Certificate type, Gemstone Count, Nickel Free, Cord Type, "
            "Thread Size"
        ),
        "watch": (
            "Band Material Type, Band Length, Band Width, Case Diameter, Case Material, Case "
            "Thickness, Case Shape, Dial Window Material, Dial Markers, Display Type, Clasp, Movement "
            "Type, Watch Movement, Calendar, Bezel Material, Bezel Function, Crown, Crystal, Water "
            "Resistant Depth, Special Features, Warranty Type, Batteries, Jewels, Power Reserve, Case "
            "Back, Lug Distance, Luminous, Alarm, Subdials, Strap Style, Case Finish, Hand Type"
        ),
        "bag": (
            "Strap Drop, Handle Type, Lining Description, Number of Compartments, Number of Wheels, "
            "Wheel Type, Shell Type, Laptop Size, Handle Length, Pocket Count, Lock Type, Bag Style, "
            "Carrying Type, Frame Type, Expandable, Gusset, Bill Slots, Card Slots, Coin Pocket, "
            "Interior, Weight Limit, Zipper Type, Hardware"
        ),
        "eyewear": (
            "Lens Material, Lens Width, Lens Height, Lens Coating, Polarization, Frame Material, "
            "Frame Type, Bridge, Arm, Magnification Strength, Lens Type, Lens Category, Temple "
            "Length, Prescription Ready, Nose Bridge"
        ),
        "accessory": (
            "Brim Width, Crown Height, Hat Style, Belt Style, Buckle Style, Belt Length, Glove Type, "
            "Cuff Length, Hair Type, Hold, Tie Length, Tie Width, Fold, Canopy Diameter, Rib Count, "
            "Opening Mechanism, Ear Flaps, Fringe, Number of Rows, Insert Type, Lace Length, "
            "Fastener, Key Capacity, Grip Type, Touchscreen Capable"
        ),
    }
)

_VALUES = (
    "{motif}",
    "{adj}",
    "{metal}",
    "{gem}",
    "Yes",
    "No",
    "Adult",
    "{few}",
    "{many}",
    "{inch} Inches",
    "{mm} Millimeters",
    "{cm} Centimeters",
    "{weight} Ounces",
    "{occasion}",
    "{cut}",
    "{part}, {part}",
    "{series}",
    "Casual",
    "Unisex",
)
_ORIGINS = ("China", "China", "USA", "India", "Italy", "Vietnam", "Turkey", "Korea", "Peru", "México")


@dataclass(frozen=True, slots=True)
class Maker:
    """What the details of one family of products have in common.

    Attributes:
        domain: family of kinds, for the keys and the usual measures of a parcel.
        department: as the shop writes it.
        manufacturer: as the shop writes it.
        model: stem of the model numbers.
        measures: usual dimensions of the parcel.
        sorts: categories in which the products are ranked.
    """

    domain: str
    department: str
    manufacturer: str
    model: str
    measures: tuple[str, ...]
    sorts: tuple[str, ...]


@cache
def _keys(domain: str) -> Weighted[str]:
    generic = [key.strip() for key in _GENERIC_KEYS.split(",")]
    own = [key.strip() for key in _DOMAIN_KEYS[domain].split(",")]
    weights = {key: 1.5 / (2.0 + place) ** 1.42 for place, key in enumerate(generic)}
    weights.update({key: 0.8 / (2.0 + place) ** 1.55 for place, key in enumerate(own)})
    return Weighted.of(weights)


def parcel(domain: str, draws: Draws) -> str:
    """Return the dimensions and the weight of a parcel."""
    if draws.chance(0.10):
        return draws.pick(_PRESETS[domain])
    sides = [draws.between(24, 150) / 10, draws.between(16, 110) / 10, draws.between(2, 45) / 10]
    if draws.chance(0.6):
        sides = [round(side * 1.0157, 2) for side in sides]
    text = " x ".join(f"{side:g}" for side in sides) + " inches"
    if draws.chance(0.8):
        heavy = draws.chance(0.25)
        text += (
            f"; {draws.between(10, 40) / 10:g} Pounds"
            if heavy
            else f"; {draws.between(2, 1500) / 100:g} Ounces"
        )
    return text


def draw_details(
    maker: Maker,
    listed: str,
    color: str | None,
    material: str | None,
    draws: Draws,
    banks: tuple[Mapping[str, Sequence[str]], ...],
) -> dict[str, object]:
    """Return the details of one product; ``color`` and ``material`` are named where the listing has many."""
    found: dict[str, object] = {}
    if draws.chance(MISSING):
        return found
    rich = draws.chance(RICH_SHARE)
    if rich:
        found.update(_rich_details(maker, color, material, draws, banks))
    if draws.chance(0.06):
        found["Is Discontinued By Manufacturer"] = "No"
    if draws.chance(0.52):
        key = "Package Dimensions" if draws.chance(0.68) else "Product Dimensions"
        found[key] = draws.pick(maker.measures) if draws.chance(0.22) else parcel(maker.domain, draws)
    elif draws.chance(0.07):
        found["Item Weight"] = f"{draws.between(2, 160) / 10:g} Ounces"
    if draws.chance(0.574):
        found["Item model number"] = _model(maker.model, draws)
    if draws.chance(0.902):
        found["Department"] = maker.department
    if maker.domain == "watch" and draws.chance(0.35):
        found["Batteries"] = "1 LR44 batteries required. (included)"
    if draws.chance(0.97):
        found["Date First Available"] = listed
    if draws.chance(0.32):
        found["Manufacturer"] = maker.manufacturer
    if draws.chance(0.05):
        found["Country of Origin"] = draws.pick(_ORIGINS)
    return found


def _rich_details(
    maker: Maker,
    color: str | None,
    material: str | None,
    draws: Draws,
    banks: tuple[Mapping[str, Sequence[str]], ...],
) -> dict[str, object]:
    found: dict[str, object] = {}
    if draws.chance(0.94):
        found["Brand"] = maker.manufacturer
    if draws.chance(0.97):
        found["Color"] = color or expand("{shade}", draws, *banks).title()
    if draws.chance(0.82):
        found["Material"] = (material or expand("{metal}", draws, *banks)).title()
    if draws.chance(0.70):
        found["Style"] = expand("{cut}", draws, *banks).title()
    if draws.chance(0.38):
        found["Size"] = expand("{size_tag}", draws, *banks)
    keys = _keys(maker.domain)
    for key in (keys.draw(draws) for _ in range(draws.between(2, 8))):
        if key == "Best Sellers Rank":
            ranks = {"Clothing, Shoes & Jewelry": int(10 ** (3.0 + 3.5 * draws.uniform()))}
            ranks.update({sort: int(10 ** (1.0 + 3.0 * draws.uniform())) for sort in maker.sorts})
            found[key] = ranks
        else:
            value = expand(draws.pick(_VALUES), draws, *banks)
            found[key] = value[:1].upper() + value[1:]
    return found


def _model(stem: str, draws: Draws) -> str:
    number = draws.between(1, 9) * 10 ** draws.between(2, 5) + draws.between(0, 9999)
    form = draws.between(0, 4)
    if form == 0:
        return str(number)
    if form == 1:
        return f"{stem}{number}"
    if form == 2:
        return f"{stem}-{number}-{draws.pick('ABCDGHKLMNPQSTUVXYZ')}"
    if form == 3:
        return f"{stem.lower()}{number}{draws.pick('ABCDGHKLMNPQSTUVXYZ')}{draws.between(1, 99)}"
    return f"{draws.pick('ABCDGHKLMNPQSTUVXYZ')}{number}"
