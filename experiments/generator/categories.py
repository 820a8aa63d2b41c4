"""The category tree: some thousand kinds of product with the share of the catalog that each holds.

A few dozen large categories are written out with their sizes; the long tail is composed from groups and their
leaves, and its sizes follow a rank-size curve, so that a catalog of 50,000 products has about 1,100
categories in use of which a fifth hold one product.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product as pairs

import numpy as np

ROOT = "Clothing, Shoes & Jewelry"
REFERENCE_SIZE = 50_000
"""The sizes in this module are numbers of products in a catalog of this size."""


@dataclass(frozen=True, slots=True)
class Category:
    """One place in the tree.

    Attributes:
        path: the categories of a product, root first, with ``{who}`` where the department stands.
        kind: name of the kind of product, a key of ``kinds.KINDS``.
        who: departments that the category is divided among, the most usual first.
        size: expected number of products in a catalog of :data:`REFERENCE_SIZE`.
    """

    path: tuple[str, ...]
    kind: str
    who: tuple[str, ...]
    size: float


_W, _M, _G, _B = "Women", "Men", "Girls", "Boys"
_WM, _MW, _KIDS = (_W, _M), (_M, _W), (_G, _B)
_ALL = (_W, _M, _G, _B)

# path below the root | kind | departments | products in a catalog of REFERENCE_SIZE
_LARGE: tuple[tuple[str, str, tuple[str, ...], int], ...] = (
    ("{who}|Clothing|Shirts|T-Shirts", "tee", (_M, _M, _M, _B), 1354),
    ("{who}|Shops|Westlake", "mixed", _WM, 1090),
    ("{who}|Watches|Wrist Watches", "watch", _MW, 1035),
    ("{who}|Shoes|Fashion Sneakers", "sneaker", _ALL, 1040),
    ("{who}|Shoes|Flats", "flat", (_W, _W, _G), 925),
    ("{who}|Clothing|Tops, Tees & Blouses|Blouses & Button-Down Shirts", "blouse", (_W,), 690),
    ("{who}|Shoes|Loafers & Slip-Ons", "flat", _WM, 665),
    ("{who}|Clothing|Tops, Tees & Blouses|T-Shirts", "tee", (_W,), 700),
    ("{who}|Shoes|Pumps", "heel", (_W,), 630),
    ("{who}|Shoes|Sandals", "sandal", _ALL, 585),
    ("{who}|Shoes|Platforms & Wedges", "heel", (_W,), 545),
    ("{who}|Clothing|Dresses|Casual", "dress", (_W, _W, _W, _G), 660),
    ("{who}|Shoes|Slippers", "slipper", _ALL, 540),
    ("{who}|Accessories|Sunglasses & Eyewear Accessories|Sunglasses", "sunglasses", _WM, 540),
    ("{who}|Jewelry|Necklaces|Pendant Necklaces", "necklace", _WM, 530),
    ("{who}|Clothing|Tops, Tees & Blouses|Tunics", "blouse", (_W,), 520),
    ("{who}|Shoes|Athletic|Running|Road Running", "runner", _WM, 520),
    ("{who}", "mixed", (_W,), 500),
    ("{who}|Jewelry|Earrings|Drop & Dangle", "earrings", (_W,), 500),
    ("{who}|Clothing|Tops, Tees & Blouses|Tanks & Camis", "tee", (_W,), 500),
    ("{who}|Shoes", "flat", (_W,), 470),
    ("{who}|Shoes", "sneaker", (_M,), 430),
    ("{who}|Shoes", "sandal", (_G,), 215),
    ("{who}|Shoes", "sneaker", (_B,), 185),
    ("Novelty & More|Clothing|Novelty|{who}|T-Shirts", "novelty", (_M,), 420),
    ("Novelty & More|Clothing|Novelty|{who}|T-Shirts", "novelty", (_W,), 330),
    ("{who}|Jewelry|Earrings|Stud", "earrings", (_W, _W, _M, _G), 430),
    ("{who}|Clothing|Sweaters|Pullovers", "sweater", _WM, 400),
    ("{who}|Clothing|Jeans", "jeans", (_W,), 370),
    ("{who}|Clothing|Lingerie, Sleep & Lounge|Lingerie|Bras|Everyday Bras", "bra", (_W,), 350),
    ("{who}|Shoes|Boots|Ankle & Bootie", "boot", (_W,), 390),
    ("{who}|Jewelry|Rings|Bands", "ring", _MW, 330),
    ("{who}|Clothing|Fashion Hoodies & Sweatshirts", "hoodie", _WM, 390),
    ("{who}|Handbags & Wallets|Shoulder Bags", "handbag", (_W,), 360),
    ("{who}|Handbags & Wallets|Crossbody Bags", "handbag", (_W,), 340),
    ("{who}|Accessories|Hats & Caps|Baseball Caps", "cap", _MW, 330),
    ("{who}|Accessories|Belts", "belt", _MW, 320),
    ("{who}|Clothing|Leggings", "leggings", (_W,), 250),
    ("{who}|Jewelry|Bracelets|Link", "bracelet", _WM, 300),
    ("{who}|Shoes|Oxfords", "flat", _MW, 300),
    ("{who}|Clothing|Swimsuits & Cover Ups|Swimsuits|One-Pieces", "swim", (_W,), 260),
    ("{who}|Clothing|Pants|Casual", "pants", _MW, 420),
    ("{who}|Clothing|Shirts|Button-Down Shirts", "blouse", (_M, _M, _B), 300),
    ("{who}|Clothing|Active|Active Shirts & Tees", "active", _MW, 300),
    ("{who}|Clothing|Dresses|Cocktail", "dress", (_W,), 280),
    ("{who}|Clothing|Jackets & Coats|Lightweight Jackets", "coat", _MW, 270),
    ("{who}|Clothing|Shirts|Polos", "tee", (_M, _M, _B), 270),
    ("{who}|Clothing|Socks & Hosiery|Socks|Casual Socks", "socks", _MW, 260),
    ("{who}|Watches|Watch Bands", "watchband", _MW, 260),
    ("{who}|Accessories|Wallets, Card Cases & Money Organizers|Wallets", "wallet", _MW, 250),
    ("{who}|Clothing|Active|Active Sets", "active", (_W, _G), 180),
    ("{who}|Clothing|Clothing Sets|Sets", "babyset", (_B, _G), 190),
    ("{who}|Clothing|Sleep & Lounge|Sets", "sleep", (_W, _M, _G), 230),
    ("{who}|Clothing|Suits & Sport Coats|Sets", "coat", (_M, _B), 190),
    ("{who}|Clothing|Dresses", "dress", (_G,), 240),
    ("{who}|Clothing|Dresses", "dress", (_W,), 230),
    ("{who}|Clothing|Wedding Apparel|Dresses", "dress", (_W,), 150),
    ("{who}|Jewelry|Charms & Pendants|Pendants", "necklace", _WM, 240),
    ("{who}|Shoes|Athletic|Walking", "runner", _WM, 240),
    ("{who}|Jewelry|Body Jewelry|Piercing Jewelry|Rings", "piercing", _WM, 230),
)

# group | path below the root down to the group | kind | departments | weight | leaves (leaf=kind where it
# differs)
_GROUPS: tuple[tuple[str, str, tuple[str, ...], float, str], ...] = (
    (
        "{who}|Shoes",
        "flat",
        _WM,
        9.0,
        "Mules & Clogs=slipper, Boots=boot, Outdoor=boot, Moccasins, Heeled Sandals=sandal, "
        "Flip-Flops=sandal, Espadrilles, Ballet, Mary Janes, Slides=sandal, Work & Safety=boot, "
        "Clogs=slipper, Boat Shoes, Rain=boot",
    ),
    (
        "{who}|Shoes|Boots",
        "boot",
        _WM,
        7.0,
        "Knee-High, Mid-Calf, Chukka, Chelsea, Snow, Western, Combat, Over-the-Knee, Motorcycle, "
        "Rain, Hiking, Riding, Desert, Moc Toe, Engineer",
    ),
    (
        "{who}|Shoes|Athletic",
        "runner",
        _ALL,
        6.0,
        "Fitness & Cross-Training, Basketball, Soccer, Tennis & Racquet Sports, Golf, Trail Running, "
        "Skateboarding, Baseball & Softball, Water Shoes, Track & Field, Volleyball, Wrestling, "
        "Cycling, Football, Cheerleading, Bowling, Climbing, Boxing, Fencing, Rowing",
    ),
    (
        "{who}|Jewelry|Necklaces",
        "necklace",
        _WM,
        6.0,
        "Chains, Strands, Chokers, Y-Necklaces, Lockets, Torque, Collars, Name, Religious, Layered",
    ),
    (
        "{who}|Jewelry|Earrings",
        "earrings",
        (_W, _W, _G),
        5.0,
        "Hoop, Clip-Ons, Ear Cuffs & Wraps, Jackets, Threader, Huggie, Cluster, Crawlers, Sets",
    ),
    (
        "{who}|Jewelry|Rings",
        "ring",
        _WM,
        5.0,
        "Statement, Engagement, Wedding Bands, Stacking, Signet, Promise, Anniversary, Toe, Midi, "
        "Mood, Eternity, Bridal Sets",
    ),
    (
        "{who}|Jewelry|Bracelets",
        "bracelet",
        _WM,
        5.0,
        "Bangle, Cuff, Wrap, Stretch, Charms, Identification, Tennis, Strand, Beaded, Italian Style",
    ),
    (
        "{who}|Jewelry|Body Jewelry",
        "piercing",
        _WM,
        3.0,
        "Nose, Navel, Plugs, Tongue, Barbells, Labret, Tunnels, Tapers, Retainers, Faux, Toe Rings, "
        "Body Chains",
    ),
    (
        "{who}|Jewelry|Brooches & Pins",
        "brooch",
        _WM,
        2.0,
        "Brooches, Lapel Pins, Enamel, Hat Pins, Sets, Cameos",
    ),
    (
        "{who}|Jewelry|Jewelry Accessories",
        "jewelrybox",
        (_W,),
        1.2,
        "Boxes & Organizers, Ring Sizers, Cleaning Products, Towers, Rolls, Clasps, Loose Gemstones, "
        "Beads, Dishes",
    ),
    ("{who}|Watches", "watch", _MW, 3.0, "Pocket Watches, Smartwatches, Sport Watches, Nurse Watches, Sets"),
    (
        "{who}|Watches|Watch Accessories",
        "watchband",
        _MW,
        1.0,
        "Winders, Cabinets & Cases, Repair Kits, Batteries, Buckles, Crystals",
    ),
    (
        "{who}|Clothing|Dresses",
        "dress",
        (_W, _G),
        5.0,
        "Formal, Club & Night Out, Special Occasion, Wear to Work, Maxi, Homecoming, Wrap, "
        "Sundresses, Playwear, Christening",
    ),
    (
        "{who}|Clothing|Tops, Tees & Blouses",
        "blouse",
        (_W, _G),
        6.0,
        "Henleys=tee, Polos=tee, Vests, Knits, Halters, Bodysuits=tee, Crop, Tube",
    ),
    (
        "{who}|Clothing|Shirts",
        "tee",
        (_M, _B),
        5.0,
        "Henleys, Tank Tops, Dress Shirts=blouse, Casual Button-Down Shirts=blouse, Flannel, Rugby, "
        "Undershirts",
    ),
    (
        "{who}|Clothing|Sweaters",
        "sweater",
        _ALL,
        5.0,
        "Cardigans, Vests, Shrugs, Turtlenecks, Ponchos, Wraps, Sets, Half-Zip",
    ),
    (
        "{who}|Clothing|Pants",
        "pants",
        _ALL,
        5.0,
        "Wear to Work, Cargo, Dress, Chinos, Joggers, Capris, Overalls, Night Out & Special Occasion, Track, "
        "Corduroy, Palazzo",
    ),
    (
        "{who}|Clothing|Jeans",
        "jeans",
        _ALL,
        1.4,
        "Skinny, Bootcut, Straight, Boyfriend, Flare, Relaxed, Wide, Mom",
    ),
    (
        "{who}|Clothing|Shorts",
        "shorts",
        _ALL,
        4.0,
        "Cargo, Denim, Casual, Bermuda, Flat Front, Pleated, Board, Chino",
    ),
    (
        "{who}|Clothing|Skirts",
        "skirt",
        (_W, _G),
        3.0,
        "Mini, Midi, Maxi, Denim, Pleated, Pencil, Tutus, Skorts",
    ),
    (
        "{who}|Clothing|Active",
        "active",
        _ALL,
        6.0,
        "Active Shorts=shorts, Active Leggings=leggings, Active Hoodies=hoodie, Active Pants=pants, "
        "Tracksuits, Sports Bras=bra, Active Skirts=skirt, Active Tanks, Base Layers, Yoga, Track "
        "Jackets=coat, Compression, Dancewear, Unitards",
    ),
    (
        "{who}|Clothing|Jackets & Coats",
        "coat",
        _ALL,
        5.0,
        "Down & Parkas, Fleece, Trench & Rain, Leather & Faux, Vests, Denim Jackets, Peacoats, Wool & "
        "Blends, Quilted, Windbreakers, Bomber, Varsity, Capes, Fur & Faux, Anoraks",
    ),
    (
        "{who}|Clothing|Lingerie, Sleep & Lounge|Lingerie|Panties",
        "underwear",
        (_W,),
        4.0,
        "Bikinis, Briefs, Thongs, Boy Shorts, Hipsters, G-Strings, Multipacks, Period",
    ),
    (
        "{who}|Clothing|Lingerie, Sleep & Lounge|Lingerie",
        "underwear",
        (_W,),
        3.0,
        "Shapewear, Baby Dolls & Chemises=sleep, Corsets, Slips, Garters, Teddies, Bustiers, "
        "Camisoles=tee, Sets",
    ),
    (
        "{who}|Clothing|Lingerie, Sleep & Lounge|Lingerie|Bras",
        "bra",
        (_W,),
        2.0,
        "Sports, Minimizers, Nursing, Adhesive, Mastectomy, Bralettes, Strapless, Push-Up",
    ),
    (
        "{who}|Clothing|Underwear",
        "underwear",
        (_M, _B),
        4.0,
        "Boxer Briefs, Boxers, Trunks, Briefs, Thermal, Undershirts=tee, Jockstraps, Long Johns, "
        "G-Strings & Thongs",
    ),
    (
        "{who}|Clothing|Sleep & Lounge",
        "sleep",
        _ALL,
        4.0,
        "Robes, Nightgowns & Sleepshirts, Sleep Bottoms, Sleep Tops, Pajama Sets, Blanket Sleepers, Onesies",
    ),
    (
        "{who}|Clothing|Socks & Hosiery",
        "socks",
        _ALL,
        4.0,
        "Tights, Leg Warmers, Stockings, Slipper Socks, Sheers, Knee Highs, Compression, No Show, "
        "Athletic Socks, Dress & Trouser, Calf, Toe Socks, Footless Tights",
    ),
    (
        "{who}|Clothing|Swimsuits & Cover Ups",
        "swim",
        (_W, _G),
        4.0,
        "Bikini Sets, Tankinis, Cover-Ups, Tops, Bottoms, Board Shorts, Rash Guards, Swimdresses, "
        "Racing, Sarongs",
    ),
    (
        "{who}|Clothing|Swim",
        "swim",
        (_M, _B),
        2.0,
        "Trunks, Board Shorts, Briefs, Rash Guards, Jammers, Wetsuits",
    ),
    (
        "{who}|Clothing|Jumpsuits, Rompers & Overalls",
        "dress",
        (_W, _G),
        2.6,
        "Jumpsuits, Rompers, Overalls=pants, Playsuits",
    ),
    (
        "{who}|Clothing|Suits & Sport Coats",
        "coat",
        (_M, _B),
        2.2,
        "Suits, Tuxedos, Sport Coats & Blazers, Vests, Suit Pants=pants, Suit Jackets, Cummerbund Sets=tie",
    ),
    (
        "{who}|Clothing|Suiting & Blazers",
        "coat",
        (_W,),
        2.0,
        "Blazers, Skirt Suits, Pant Suits, Vests, Separates",
    ),
    (
        "{who}|Clothing|Maternity",
        "dress",
        (_W,),
        2.0,
        "Tops=blouse, Pants=pants, Jeans=jeans, Leggings=leggings, Nursing=blouse, Swimwear=swim, "
        "Shorts=shorts, Sleep=sleep, Intimates=bra, Dresses",
    ),
    (
        "{who}|Handbags & Wallets",
        "handbag",
        (_W,),
        5.0,
        "Totes, Satchels, Clutches, Hobos, Top-Handle, Evening, Wristlets, "
        "Fashion Backpacks, Bucket, Wallets=wallet, Handles & Straps, Organizers",
    ),
    (
        "{who}|Accessories",
        "scarf",
        _MW,
        6.0,
        "Scarves, Keyrings & Keychains=keychain, Suspenders=belt, Earmuffs=cap, Umbrellas=umbrella, "
        "Handkerchiefs, Arm Warmers=gloves, Collar Stays=tie, Aprons, Sleep Masks, Face Coverings, "
        "Shoe Care=shoecare",
    ),
    (
        "{who}|Accessories|Hats & Caps",
        "cap",
        _ALL,
        5.0,
        "Skullies & Beanies, Sun Hats, Bucket Hats, Fedoras, Cowboy Hats, Newsboy Caps, Visors, "
        "Berets, Headbands, Bomber Hats, Balaclavas, Headwraps, Top Hats, Rain Hats, Balmorals, Cold "
        "Weather, Fascinators",
    ),
    (
        "{who}|Accessories|Gloves & Mittens",
        "gloves",
        _ALL,
        3.0,
        "Cold Weather Gloves, Mittens, Driving, Evening, Touchscreen, Work, Fingerless, Liners, Ski",
    ),
    (
        "{who}|Accessories|Scarves & Wraps",
        "scarf",
        (_W, _M),
        3.0,
        "Fashion Scarves, Cold Weather Scarves, Wraps & Pashminas, Bandanas, Infinity, Neck Gaiters, Shawls",
    ),
    (
        "{who}|Accessories|Ties, Cummerbunds & Pocket Squares",
        "tie",
        (_M, _B),
        3.0,
        "Neckties, Bow Ties, Pocket Squares, Bolo Ties, Tie Sets, Ascots, Tie Clips, Cummerbunds",
    ),
    (
        "{who}|Accessories|Sunglasses & Eyewear Accessories",
        "sunglasses",
        _WM,
        3.0,
        "Eyeglass Frames, Reading Glasses, Goggles, Cases, Eyewear Retainers, Replacement Lenses, "
        "Blue Light Glasses, Clip-Ons, Safety Glasses",
    ),
    (
        "{who}|Accessories|Wallets, Card Cases & Money Organizers",
        "wallet",
        _MW,
        3.0,
        "Card Cases, Money Clips, Coin Purses, Passport Wallets, Checkbook Covers, Badge Holders, "
        "Phone Wallets",
    ),
    (
        "{who}|Accessories|Hair Accessories",
        "hair",
        (_W, _G),
        2.4,
        "Headbands, Barrettes, Combs, Ties & Elastics, Bows, Tiaras, Scrunchies, Claws, Wreaths, Turbans",
    ),
    (
        "{who}|Accessories|Belts & Buckles",
        "belt",
        _MW,
        1.4,
        "Buckles, Web Belts, Reversible, Braided, Chain, Obi, Sets",
    ),
    (
        "Luggage & Travel Gear",
        "luggage",
        ("Unisex",),
        4.0,
        "Backpacks, Waist Packs, Duffel Bags, Carry-Ons, Suitcases, Messenger Bags, Gym Bags, "
        "Briefcases, Laptop Bags, Garment Bags, Travel Totes, Diaper Bags, Umbrellas=umbrella, Kids' "
        "Luggage, Drawstring Bags",
    ),
    (
        "Luggage & Travel Gear|Travel Accessories",
        "luggage",
        ("Unisex",),
        2.4,
        "Packing Organizers, Luggage Tags, Passport Covers, Toiletry Bags, Luggage Locks, Travel "
        "Pillows, Luggage Straps, Money Belts, Shoe Bags, Cosmetic Cases, Jewelry Rolls, Luggage "
        "Scales, Luggage Covers",
    ),
    (
        "{who}|Uniforms, Work & Safety|Clothing|Medical",
        "uniform",
        _WM,
        3.0,
        "Scrub Bottoms=pants, Scrub Tops, Lab Coats, Scrub Sets, Scrub Jackets, Scrub Caps, Gowns, "
        "Warm-Up Jackets",
    ),
    (
        "{who}|Uniforms, Work & Safety|Clothing|Work Utility & Safety",
        "uniform",
        _MW,
        2.0,
        "Coveralls, Work Pants=pants, High Visibility, Insulated, Work Shirts, Bib Overalls, "
        "Rainwear, Utility Vests",
    ),
    (
        "{who}|Uniforms, Work & Safety|Clothing|Food Service",
        "uniform",
        _MW,
        1.4,
        "Chef Coats, Aprons, Chef Pants=pants, Hats=cap, Vests, Server Shirts",
    ),
    (
        "{who}|Uniforms, Work & Safety|Clothing|School Uniforms",
        "uniform",
        _KIDS,
        1.6,
        "Polos, Jumpers, Pants=pants, Skirts=skirt, Blouses, Shorts=shorts, Cardigans=sweater",
    ),
    (
        "{who}|Uniforms, Work & Safety|Clothing|Military",
        "uniform",
        _MW,
        1.2,
        "Tactical Pants=pants, Shirts, Jackets, Hats=cap, Belts=belt, Insignia, Ghillie Suits",
    ),
    (
        "Shoe, Jewelry & Watch Accessories|Shoe Care & Accessories",
        "shoecare",
        ("Unisex",),
        2.6,
        "Insoles, Shoelaces, Shoe Trees, Polishes, Brushes, Shoe Horns, Ice Cleats, Decorations, Heel "
        "Cushions, Overshoes, Boot Bags, Stretchers, Deodorizers",
    ),
)

_SPORTS = (
    "Cycling, Golf, Tennis, Skiing, Surfing, Climbing, Martial Arts, Equestrian, Hunting, Fishing, "
    "Skateboarding, Wrestling, Lacrosse, Volleyball, Bowling, Rowing, Motocross, Snowboarding, Ice "
    "Hockey, Cricket, Rugby"
)
_SPORT_LEAVES = (
    "Jerseys=active, Shorts=shorts, Tights=leggings, Jackets=coat, Gloves=gloves, Socks=socks, Pants=pants, "
    "Hats=cap, Shirts=active, Base Layers=active, Vests=coat"
)
_COSTUMES = (
    "Halloween, Cosplay, Medieval, Pirate, Western, Superhero, Animal, Holiday, Renaissance, Decades, "
    "Mascot, Dance"
)
_COSTUME_LEAVES = (
    "Costumes=costume, Wigs=costume, Masks=costume, Hats=cap, Capes=costume, Footwear=boot, Gloves=gloves, "
    "Props=costume, Body Suits=costume, Sets=costume"
)
_REGIONS = "Indian, Japanese, African, Bavarian, Scottish, Chinese, Mexican, Middle Eastern, Hawaiian"
_REGION_LEAVES = (
    "Dresses=dress, Shirts=blouse, Robes=sleep, Skirts=skirt, Sets=dress, Scarves=scarf, Shoes=flat, "
    "Jackets=coat"
)
_LEAGUES = "College, Basketball Fan, Baseball Fan, Football Fan, Hockey Fan, Soccer Fan, Racing Fan, Band"
_LEAGUE_LEAVES = (
    "T-Shirts=novelty, Jerseys=active, Caps=cap, Hoodies=hoodie, Jackets=coat, Socks=socks, Scarves=scarf, "
    "Polos=tee, Keychains=keychain, Sweatshirts=hoodie, Beanies=cap"
)
_NOVELTY = (
    "Hoodies=hoodie, Sweatshirts=hoodie, Tanks Tops=novelty, Socks=socks, Bandanas=scarf, Pajama "
    "Sets=sleep, Baseball Caps=cap, Beanies=cap, Buttons & Pins=brooch, Leggings=leggings, "
    "Underwear=underwear, Neckties=tie, Polo Shirts=tee, Face Masks=scarf, Keychains=keychain, "
    "Slippers=slipper, Belts=belt, Wallets=wallet"
)
_BODY = (
    "Jeans=jeans, Skirts=skirt, Shorts=shorts, Pants=pants, Sweaters=sweater, Jackets & Coats=coat, "
    "Underwear=underwear, Swimwear=swim, Clothing Sets=babyset, Suits=coat, Active=active, Tops=tee, "
    "Jewelry=necklace, Watches=watch, Accessories=scarf, Sunglasses=sunglasses, Costumes=costume, "
    "Socks=socks, Sleepwear=sleep, Backpacks=luggage, Boots=boot, Sneakers=sneaker, Bibs=babyset, "
    "Bodysuits=babyset, Footies=babyset"
)

# rank of a category among all | expected products in a catalog of REFERENCE_SIZE (linear in logarithms
# between)
_CURVE = (
    (1, 1354),
    (54, 288),
    (120, 112),
    (300, 30),
    (560, 8.2),
    (680, 3.6),
    (800, 1.6),
    (1000, 1.0),
    (1320, 0.8),
)


@lru_cache(maxsize=1)
def all_categories() -> tuple[Category, ...]:
    """Return the whole tree, large categories first; sizes sum to about :data:`REFERENCE_SIZE`."""
    large = [Category((ROOT, *path.split("|")), kind, who, float(size)) for path, kind, who, size in _LARGE]
    known = {category.path[-2:] + category.who[:1] for category in large}
    tail = [entry for entry in _tail() if entry[1][-2:] + entry[3][:1] not in known]
    tail.sort(key=lambda entry: (-entry[0], entry[1]))
    first = len(large) + 1
    return tuple(large) + tuple(
        Category((ROOT, *path), kind, who, _curve(first + place))
        for place, (_, path, kind, who) in enumerate(tail)
    )


def _tail() -> Iterator[tuple[float, tuple[str, ...], str, tuple[str, ...]]]:
    """Yield the importance, path, kind and departments of every small category."""
    for group, kind, who, weight, leaves in _GROUPS:
        path = tuple(group.split("|"))
        for place, (leaf, leaf_kind) in enumerate(_leaves(leaves, kind)):
            yield weight / (1.0 + place) ** 1.05, (*path, leaf), leaf_kind, who
    crossed = (
        ("Sport Specific Clothing", _SPORTS, _SPORT_LEAVES, _MW, 0.55),
        ("Costumes & Accessories", _COSTUMES, _COSTUME_LEAVES, _WM, 0.9),
        ("Traditional & Cultural Wear", _REGIONS, _REGION_LEAVES, _WM, 0.4),
        ("Fan Shop", _LEAGUES, _LEAGUE_LEAVES, _MW, 0.7),
    )
    for top, middles, leaves, who, weight in crossed:
        names = [name.strip() for name in middles.split(",")]
        for (i, middle), (j, (leaf, kind)) in pairs(enumerate(names), enumerate(_leaves(leaves, "tee"))):
            yield weight / (1.0 + i) ** 0.6 / (1.0 + j) ** 0.7, (top, middle, leaf), kind, who
    people = (_M, _W, _B, _G, "Baby Boys", "Baby Girls", "Toddlers")
    for (i, person), (j, (leaf, kind)) in pairs(enumerate(people), enumerate(_leaves(_NOVELTY, "novelty"))):
        path = ("Novelty & More", "Clothing", "Novelty", person, leaf)
        yield 1.5 / (1.0 + i) ** 1.1 / (1.0 + j) ** 0.7, path, kind, (person,)
    for (i, person), (j, (leaf, kind)) in pairs(
        enumerate((_G, _B, "Baby", _W, _M)), enumerate(_leaves(_BODY, "tee"))
    ):
        yield 1.2 / (1.0 + i) ** 0.7 / (1.0 + j) ** 0.5, (person, leaf), kind, (person,)


def _leaves(text: str, kind: str) -> list[tuple[str, str]]:
    """Return the leaf names of ``text`` with their kinds (``kind`` where the text names none)."""
    found = [leaf.strip().partition("=")[::2] for leaf in text.split(",") if leaf.strip()]
    return [(name, named or kind) for name, named in found]


def _curve(rank: int) -> float:
    """Return the expected size of the category of that rank."""
    ranks, sizes = zip(*_CURVE, strict=True)
    return float(np.exp(np.interp(np.log(rank), np.log(ranks), np.log(sizes))))
