"""The pages in a real browser: keys, dark mode, a phone's width, and no script of a catalog.

With ``SCREENSHOTS=folder`` the pictures of the documentation are made anew, over the generated catalog.
"""

import os
import shutil
from pathlib import Path

import pytest
from rich.console import Console

from experiments.benchmark import defaults
from experiments.benchmark.prepare import default_catalog
from index.catalog import Catalog
from index.products import Product

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1180, "height": 820}
NASTY = "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script>"
SCARF = "I'm looking for Accessories Scarves. A key requirement is: Made in Italy."


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api")
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no chromium found on the path")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def address(serve, products, tmp_path_factory, runs_folder, catalog_file):
    nasty = Product("N", NASTY, features=(NASTY, "Made in Italy"), categories=("Scarves", NASTY))
    with serve(Catalog.build([*products, nasty]), catalog_file, runs_folder) as address:
        yield address


@pytest.fixture
def open_page(browser):
    """Open a page of a size and color scheme; at the end, nothing may have gone wrong in any of them."""
    contexts, faults = [], []

    def open_page(url, size=DESK, scheme="light"):
        context = browser.new_context(viewport=size, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: message.type == "error" and faults.append(message.text))
        page.goto(url)
        return page

    yield open_page
    hacked = [page.evaluate("window.hacked") for context in contexts for page in context.pages]
    for context in contexts:
        context.close()
    assert faults == []
    assert set(hacked) <= {None}


def begin(page, message):
    page.fill("#message", message)
    page.press("#message", "Enter")
    page.wait_for_url("**/live/**")


def test_a_conversation_by_keyboard_alone(open_page, address):
    page = open_page(address)
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "message"
    page.keyboard.type(SCARF)
    page.keyboard.press("Enter")
    page.wait_for_url("**/live/**")
    assert page.evaluate("document.activeElement.id") == "message"
    page.keyboard.type("in linen")
    page.keyboard.press("Enter")
    page.wait_for_selector("h2.turn:has-text('Turn 2')")
    page.keyboard.press("Escape")
    page.keyboard.press("k")
    page.wait_for_selector("h2.turn:has-text('Turn 1')")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("h2.turn:has-text('Turn 2')")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.locator("dialog[open]").count() == 1
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    page.wait_for_selector("h2.turn:has-text('Turn 1')")
    assert page.locator(".talk li").count() == 1


def test_spans_belief_and_chart_are_drawn(open_page, address):
    page = open_page(address)
    begin(page, SCARF)
    assert page.locator("mark.line").inner_text().startswith("Made in Italy")
    assert page.locator("table.belief tbody tr").count() == 10
    chart = page.locator("svg.chart").first.bounding_box()
    assert chart["width"] > 300
    assert chart["height"] > 50
    ring = page.locator("svg.chart .ring")
    assert ring.count() == 1
    bars = page.locator("svg.nats rect.pro")
    assert bars.count() >= 1


def test_a_catalogs_markup_stays_text(open_page, address):
    page = open_page(address)
    begin(page, f"{NASTY} made in italy")
    assert "<script>" in page.locator(".talk").inner_text()
    assert page.locator("main img").count() == 0


@pytest.mark.parametrize("path", ["/", "/runs/first", "/runs/first/0", "/compare?a=first&b=second", "/docs"])
def test_nothing_is_wider_than_a_phone(open_page, address, path):
    page = open_page(address + path, PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_side_by_side_page(open_page, address):
    page = open_page(f"{address}/compare?a=first&b=second")
    page.locator("td a").first.click()
    page.wait_for_selector("text=Understood")
    left, right = page.locator(".columns.even > div").all()
    assert left.bounding_box()["x"] < right.bounding_box()["x"]
    page.set_viewport_size(PHONE)
    assert left.bounding_box()["x"] == right.bounding_box()["x"]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_dark_mode_turns_the_colors_round(open_page, address):
    def brightness(scheme):
        page = open_page(address, scheme=scheme)
        colors = page.evaluate(
            "['backgroundColor', 'color'].map(name => getComputedStyle(document.body)[name])"
        )
        return [sum(int(part) for part in color[4:-1].split(",")) for color in colors]

    (light_back, light_ink), (dark_back, dark_ink) = brightness("light"), brightness("dark")
    assert light_back - light_ink > 400
    assert dark_ink - dark_back > 400


def test_pictures_for_the_documentation(serve, open_page):
    folder = os.environ.get("SCREENSHOTS")
    if not folder:
        pytest.skip("pictures are made on demand: SCREENSHOTS=docs/images")
    path = default_catalog(defaults.PRODUCTS, defaults.SEED, Console(quiet=True))
    runs = Path(os.environ.get("RUNS", "runs"))
    with serve(Catalog.open(path), path, runs) as address:
        page = open_page(address, {"width": 1120, "height": 900})
        begin(page, "I'm looking for Women Jeans, but I'm still exploring.")
        page.fill("#message", "For that, what matters is: cotton.")
        page.press("#message", "Enter")
        page.wait_for_selector("h2.turn:has-text('Turn 2')")
        page.screenshot(path=Path(folder) / "inspect.png")
        phone = open_page(page.url, PHONE, "dark")
        phone.screenshot(path=Path(folder) / "inspect-phone.png")
