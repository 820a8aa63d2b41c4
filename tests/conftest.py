"""A catalog small enough to work things out by hand, shared by all tests."""

from dataclasses import asdict
from pathlib import Path

import orjson
import pytest
from hypothesis import settings

from index.catalog import Catalog
from index.products import Product

# Kernels compile during an example; how long one takes is no matter of these tests.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

# Cut at 180 characters, this line ends in the period after "collar".
LONG_LINE = (
    "The shell keeps you dry in heavy rain and strong wind: taped seams, a hood that closes tightly, "
    "deep pockets on both sides, a long zipper with a storm flap, and a high soft collar. Also in long."
)

# Intent cards, worked out from the protocol; "|" parts the slots.
PRODUCTS = (
    # Soft to the touch | Hand wash; lay flat to dry | Made in Italy | budget around $19.5
    Product(
        "SCARF",
        "Linen Scarf",
        features=("Soft to the touch", "Hand wash; lay flat to dry", "Made in Italy"),
        categories=("Clothing, Shoes & Jewelry", "Women", "Accessories", "Scarves"),
        price=19.5,
        average_rating=4.5,
        rating_number=800,
    ),
    # cotton | 100% Cotton | Crew neck | Machine wash
    Product(
        "TEE",
        "Plain Tee",
        features=("100% Cotton", "Crew neck", "Machine wash"),
        details={"Department": "Mens"},
        categories=("Clothing, Shoes & Jewelry", "Men", "Shirts", "T-Shirts"),
        price=12,
        average_rating=4.2,
        rating_number=5000,
        store="Basics",
    ),
    # wool | color: red | Warm; itch-free | Fits most heads
    Product(
        "BEANIE",
        "Red Wool Beanie",
        features=("Warm; itch-free", "Fits most heads"),
        categories=("Women", "Hats & Caps", "Beanies"),
        price=15,
        average_rating=4.4,
        rating_number=1500,
    ),
    # Wide toe box | For running and hiking | Fully covered heel
    Product(
        "SHOE",
        "Trail Shoe",
        features=("Wide toe box", "For running and hiking", "Fully covered heel"),
        categories=("Men", "Shoes", "Trail Running"),
        average_rating=4.0,
        rating_number=2500,
    ),
    # Green felt: no itching | color: green | No. 7 buckle. Lined brim
    Product(
        "HAT",
        "Party Hat",
        features=("Green felt: no itching", "No. 7 buckle. Lined brim."),
        categories=("Novelty", "St. Patrick"),
        rating_number=40,
    ),
    # LONG_LINE[:180] | Packs small | Two-way zipper; snaps | budget around $89.99
    Product(
        "COAT",
        "Rain Coat",
        features=(LONG_LINE, "Packs small", "Two-way zipper; snaps"),
        categories=("Women", "Coats"),
        price=89.99,
        rating_number=100,
    ),
    # fabric | Fabric: merino blend | Cushioned sole | Machine wash
    Product(
        "SOCK",
        "Running Sock",
        features=("Fabric: merino blend", "Cushioned sole", "Machine wash"),
        categories=("Men", "Socks"),
        price=9,
        rating_number=900,
    ),
    # cotton | 100% Cotton | Machine wash | Tagless
    Product(
        "KIDS",
        "Kids Tee",
        features=("100% Cotton", "Machine wash", "Tagless"),
        categories=("Kids", "Shirts", "T-Shirts"),
        price=8,
        average_rating=4.2,
        rating_number=300,
    ),
    # Mystery Item
    Product("BARE", "Mystery Item"),
    # leather | Full grain leather | Silver buckle | Origin: {'Made': 'Spain'}
    Product(
        "BELT",
        "Leather Belt",
        features=("Full grain leather", "Silver buckle"),
        details={"Origin": {"Made": "Spain"}},
        categories=("Men", "Accessories", "Belts"),
        price=25,
        rating_number=1200,
        store="Tanner & Sons",
    ),
    # Denim &amp; lace; washed | color: blue | Button front; two pockets | budget around $60
    Product(
        "JACKET",
        "Blue Denim Jacket",
        features=("Denim &amp; lace; washed", "Button front; two pockets"),
        categories=("Women", "Jackets"),
        price=60,
        average_rating=4.6,
        rating_number=700,
    ),
    # 柔らかい 素材 | 手洗い | budget around $30
    Product(
        "MUFFLER",
        "マフラー",
        features=("柔らかい 素材", "手洗い"),
        categories=("レディース", "マフラー"),
        price=30,
        rating_number=60,
    ),
)


@pytest.fixture(scope="session", autouse=True)
def _stored_indexes(tmp_path_factory):
    """Keep stored indexes away from those of the user."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SHOPPING_PLANNER_CACHE", str(tmp_path_factory.mktemp("stored")))
        yield


@pytest.fixture(scope="session")
def products():
    """The products, in catalog order."""
    return PRODUCTS


@pytest.fixture(scope="session")
def catalog(products):
    """The products, indexed."""
    return Catalog.build(products)


@pytest.fixture(scope="session")
def catalog_file(products, tmp_path_factory):
    """The products as a file in the kit's form."""
    path = tmp_path_factory.mktemp("catalog") / "catalog.jsonl"
    path.write_bytes(b"\n".join(orjson.dumps(asdict(product)) for product in products))
    return path


@pytest.fixture(scope="session")
def real_inputs():
    """The folder of real inputs, which is not part of the project."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "real"
    if not folder.is_dir():
        pytest.skip("real inputs absent: ../shared/real")
    return folder
