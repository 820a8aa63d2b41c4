"""The kinds of product: what each is called, made of, fastened with, worn with, and how it sells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

Bank = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of product.

    Attributes:
        domain: the family of kinds that shares its sentences: apparel, footwear, jewelry, watch, bag,
        eyewear,
            accessory.
        heat: how much likelier than on average its products are to have many reviews.
        color: probability that a listing names a color.
        words: banks for the slots of sentences: noun, cut, part, pair.
        materials: weights of the material that a listing declares (``none``: it names none of the common
        ones). closures: weights of the fastening lines.
    """

    domain: str
    heat: float
    color: float
    words: Bank
    materials: Mapping[str, float]
    closures: Mapping[str, float]


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(","))


def _weights(text: str) -> Mapping[str, float]:
    """Return the weights of ``name 3, other name 1``."""
    found: dict[str, float] = {}
    for part in text.split(","):
        name, _, weight = part.strip().rpartition(" ")
        found[name] = float(weight)
    return MappingProxyType(found)


def _kind(
    domain: str,
    heat: float,
    color: float,
    nouns: str,
    cuts: str,
    parts: str,
    pairs: str,
    materials: str,
    closures: str = "none 1",
) -> Kind:
    bank = {"noun": _words(nouns), "cut": _words(cuts), "part": _words(parts), "pair": _words(pairs)}
    return Kind(domain, heat, color, MappingProxyType(bank), _weights(materials), _weights(closures))


_PULL = "Pull On 78, none 12, No Closure 4, Button 4, Elastic 2"
_ZIP = "Zipper 46, Button 28, Snap 4, none 8, Hook and Eye 2, Drawstring 4"
_WAIST = "Pull On 40, Drawstring 18, Elastic 20, Zipper 17, Button 6, Hook and Loop 1"
_BLENDS = "polyester 40, cotton 17, rayon 9, none 13, fabric 12, nylon 1.8, spandex 2.5, silk 2"
_SHOE = "leather 55, none 45, fabric 6, polyester 1.5, cotton 1.5, nylon 1.2, wool 0.5"
_METAL = "none 96, fabric 1, leather 2, cotton 0.5, silk 0.5"

KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "tee": _kind(
            "apparel",
            1.5,
            0.32,
            "t-shirt, tee, shirt, top, tank top, crew tee, v-neck tee, polo, pullover top",
            "short sleeve, long sleeve, crewneck, v-neck, slim, relaxed, ringspun, scoop neck, "
            "raglan, loose, boxy",
            "collar, hem, side seams, cuffs, shoulder seams, chest pocket, neckband, armholes, placket, yoke",
            "jeans, leggings, joggers, a denim jacket, chinos, cut-offs, a cardigan, cargo pants, a "
            "pencil skirt",
            "cotton 62.7, polyester 19.8, rayon 5, none 6, fabric 4.3, nylon 1, spandex 1",
            _PULL,
        ),
        "novelty": _kind(
            "apparel",
            0.45,
            0.46,
            "t-shirt, graphic tee, shirt, tank, novelty tee, gift shirt",
            "short sleeve, unisex, crewneck, relaxed, soft-spun, preshrunk, vintage wash",
            "print, collar, hem, side seams, shoulder seams, label, design",
            "jeans, joggers, shorts, a flannel, a hoodie, sneakers",
            "cotton 80, polyester 9.9, none 8, fabric 5.8",
            _PULL,
        ),
        "blouse": _kind(
            "apparel",
            1.4,
            0.3,
            "blouse, tunic, top, shirt, button-down, chiffon top, dressy top, peasant top, swing top",
            "long sleeve, v-neck, bell sleeve, roll-tab, ruffle, loose, off shoulder, flowy, tie "
            "front, pleated, 3/4 sleeve",
            "cuffs, collar, yoke, hem, buttons, neckline, back pleat, chest pockets, lace trim, keyhole",
            "skinny jeans, leggings, a blazer, wide trousers, ankle boots, a pencil skirt, shorts, "
            "flats, a long vest",
            _BLENDS,
            "Pull On 56, Button 36, none 6, Zipper 3",
        ),
        "sweater": _kind(
            "apparel",
            1.3,
            0.32,
            "sweater, cardigan, pullover, knit top, jumper, turtleneck, poncho, shrug",
            "chunky, cable knit, open front, oversized, long sleeve, ribbed, lightweight, v-neck, "
            "batwing, waffle knit",
            "cuffs, hem, collar, ribbing, side slits, shawl collar, pockets, neckline, elbow patches",
            "jeans, leggings, boots, a slip dress, corduroys, a scarf, a pleated skirt, a tee",
            "cotton 28.1, none 32, polyester 14.9, wool 11, fabric 7.2, nylon 3, rayon 4, silk 1",
            "Pull On 62, Button 22, none 10, Zipper 6",
        ),
        "hoodie": _kind(
            "apparel",
            1.2,
            0.36,
            "hoodie, sweatshirt, pullover, zip hoodie, fleece top, half-zip",
            "long sleeve, fleece lined, oversized, color block, heavyweight, crewneck, cropped, slim",
            "hood, kangaroo pocket, cuffs, drawcord, hem, zipper, side panels, thumb holes",
            "joggers, jeans, leggings, sneakers, a puffer vest, track pants",
            "cotton 56.3, polyester 28, none 6, fabric 7.2, spandex 1",
            "Pull On 52, Zipper 34, Drawstring 12, none 3",
        ),
        "dress": _kind(
            "apparel",
            1.2,
            0.3,
            "dress, midi dress, maxi dress, sundress, wrap dress, gown, jumpsuit, romper, cocktail "
            "dress, swing dress",
            "sleeveless, floral, a-line, ruffle hem, v-neck, backless, empire waist, short sleeve, "
            "high low, tiered, bodycon",
            "bodice, waistline, hem, straps, back zipper, skirt, slit, lining, neckline, lace "
            "overlay, pockets, tie belt",
            "sandals, heels, a denim jacket, a clutch, ankle boots, a straw hat, wedges, statement earrings",
            _BLENDS,
            "Pull On 42, Zipper 32, Tie 8, Button 7, none 8, Lace Up 3",
        ),
        "pants": _kind(
            "apparel",
            1.3,
            0.32,
            "pants, trousers, chinos, joggers, slacks, cargo pants, overalls, capris, sweatpants",
            "straight leg, slim, relaxed, wide leg, tapered, high waist, flat front, stretch, "
            "cropped, pull-on",
            "waistband, pockets, inseam, belt loops, knee panels, cuffs, fly, gusset, drawcord, back yoke",
            "a blouse, sneakers, loafers, a tee, a blazer, a polo, heels, boots",
            "polyester 29.8, cotton 41.1, rayon 5, none 9, fabric 5.8, nylon 6, spandex 1.5",
            _WAIST,
        ),
        "jeans": _kind(
            "apparel",
            1.6,
            0.26,
            "jeans, denim pants, denim, jeggings, skinny jeans, bootcut jeans",
            "skinny, straight leg, bootcut, high rise, mid rise, distressed, relaxed, stretch, ankle "
            "length, flare",
            "waistband, five pockets, fly, rivets, back yoke, leg opening, hem, belt loops, coin pocket",
            "a tee, heels, ankle boots, a cardigan, sneakers, a blazer, a flannel",
            "cotton 90.8, polyester 3.3, none 7, fabric 2.9, rayon 2",
            "Zipper 54, Button 24, Pull On 16, none 4",
        ),
        "shorts": _kind(
            "apparel",
            1.3,
            0.33,
            "shorts, bike shorts, denim shorts, cargo shorts, athletic shorts, bermudas",
            "high waist, elastic waist, quick dry, relaxed, mid rise, stretch, drawstring, pleated",
            "waistband, side pockets, liner, hem, drawcord, back pocket, inseam, gusset",
            "a tank, sandals, a tee, sneakers, a crop top, a linen shirt",
            "polyester 34.7, cotton 36.8, none 7, nylon 8, fabric 4.3, spandex 3",
            _WAIST,
        ),
        "leggings": _kind(
            "apparel",
            1.9,
            0.26,
            "leggings, tights, yoga pants, capri leggings, footless tights",
            "high waist, 7/8 length, buttery soft, ankle length, tummy control, seamless, fleece lined",
            "waistband, gusset, side pockets, hem, back seam, mesh panels, hidden pocket",
            "a tunic, a tank, sneakers, a long cardigan, boots, an oversized sweater",
            "polyester 28, nylon 26, cotton 19.4, spandex 12, none 6, fabric 5.8",
            "Pull On 58, Elastic 32, none 8",
        ),
        "skirt": _kind(
            "apparel",
            1,
            0.32,
            "skirt, mini skirt, midi skirt, maxi skirt, skort, pencil skirt, tutu",
            "pleated, high waist, a-line, ruffle, bodycon, wrap, tiered, stretch",
            "waistband, hem, lining, pleats, slit, side zipper, pockets",
            "a blouse, a crop top, sandals, boots, heels, a tee",
            _BLENDS,
            "Pull On 34, Elastic 26, Zipper 34, none 4",
        ),
        "active": _kind(
            "apparel",
            1.3,
            0.34,
            "training shirt, tracksuit, workout top, performance tee, jersey, base layer, compression "
            "top, yoga set",
            "quick dry, moisture wicking, long sleeve, racerback, half zip, seamless, compression, cropped",
            "flatlock seams, mesh panels, collar, thumb holes, back pocket, side vents, hem, chest pad",
            "leggings, track shorts, joggers, trainers, a sports bra",
            "polyester 54.5, nylon 10, cotton 8.6, spandex 4, none 6, fabric 7.2",
            "Pull On 62, Zipper 26, none 8, Elastic 3",
        ),
        "coat": _kind(
            "apparel",
            0.9,
            0.42,
            "jacket, coat, parka, vest, blazer, bomber, windbreaker, trench, peacoat, puffer, raincoat",
            "quilted, hooded, lightweight, double breasted, slim, waterproof, fleece lined, "
            "insulated, cropped, packable",
            "hood, cuffs, chest pocket, lapels, storm flap, lining, zipper, hem, inner pocket, "
            "collar, back vent",
            "jeans, boots, a turtleneck, a scarf, chinos, a dress shirt, leggings",
            "polyester 36.3, cotton 13, none 17, wool 6, leather 9, nylon 8, fabric 4.3",
            _ZIP,
        ),
        "underwear": _kind(
            "apparel",
            2,
            0.26,
            "briefs, boxer briefs, panties, thong, boyshorts, trunks, shapewear, hipsters, bikini briefs",
            "seamless, high waist, low rise, lace trim, tagless, stretch, full coverage, cooling",
            "waistband, gusset, leg openings, fly, pouch, lace insets, liner",
            "leggings, a dress, jeans, dress pants, shorts",
            "cotton 45.5, nylon 24, polyester 13.2, none 8, spandex 4, fabric 4.3, rayon 4",
            "Pull On 60, Elastic 22, none 14, Hook and Eye 3",
        ),
        "bra": _kind(
            "apparel",
            2,
            0.29,
            "bra, bralette, sports bra, wirefree bra, t-shirt bra, nursing bra",
            "wirefree, full coverage, racerback, padded, seamless, front close, lightly lined, longline",
            "straps, cups, band, back closure, underband, side panels, hook rows",
            "a tee, a blouse, leggings, a tank, a dress",
            "nylon 40, polyester 19.8, cotton 14.1, none 9, spandex 5, fabric 5.8",
            "Hook and Eye 56, Pull On 24, none 14, Snap 3",
        ),
        "sleep": _kind(
            "apparel",
            1.4,
            0.3,
            "pajamas, robe, nightgown, pajama set, sleep shirt, bathrobe, lounge set, nightshirt, onesie",
            "long sleeve, satin, fleece, button front, short sleeve, plush, lace trim, plaid, hooded, kimono",
            "waist tie, pockets, cuffs, piping, collar, drawstring, hem, hood, elastic waist",
            "slippers, fuzzy socks, a sleep mask, a throw blanket",
            "polyester 36.3, cotton 36.8, rayon 8, none 5, silk 3, fabric 5.8",
            "Button 34, Pull On 32, Tie 16, none 9, Drawstring 8",
        ),
        "socks": _kind(
            "apparel",
            1.5,
            0.3,
            "socks, crew socks, ankle socks, tights, knee highs, compression socks, no show socks, stockings",
            "cushioned, seamless toe, moisture wicking, ribbed, non-slip, thick, patterned, arch support",
            "heel, toe seam, cuff, arch band, sole, ribbing, grip dots",
            "sneakers, boots, loafers, slippers, dress shoes",
            "cotton 47.6, polyester 16.5, nylon 17, none 8, wool 5, spandex 2, fabric 2.9",
            "Pull On 62, none 32, Elastic 5",
        ),
        "swim": _kind(
            "apparel",
            1.2,
            0.34,
            "swimsuit, bikini, tankini, one-piece, swim trunks, cover up, rash guard, board shorts, "
            "bathing suit",
            "high waist, ruffle, tummy control, cutout, quick dry, halter, lace up, ruched, one shoulder",
            "straps, cups, liner, side ties, back, bust pads, mesh lining, drawcord",
            "sandals, a sun hat, a sarong, flip flops, denim shorts",
            "polyester 34.7, nylon 30, none 10, spandex 7, cotton 3.3, fabric 5.8",
            "Pull On 42, Tie 24, none 14, Drawstring 12, Hook and Eye 3",
        ),
        "costume": _kind(
            "apparel",
            0.5,
            0.36,
            "costume, cosplay outfit, dress up set, wig, mask, cape, fancy dress, party costume",
            "deluxe, hooded, licensed, inflatable, adult, two-piece, long, curly, classic",
            "cape, headpiece, belt, tunic, gloves, mask, jumpsuit, elastic band",
            "boots, face paint, a wand, tights, a hat",
            "polyester 41.3, none 34, cotton 7.6, fabric 8.7, spandex 2",
            "Hook and Loop 24, Pull On 30, Zipper 20, none 22, Tie 6",
        ),
        "uniform": _kind(
            "apparel",
            1,
            0.36,
            "scrub top, lab coat, apron, work shirt, coverall, polo, chef coat, scrub set, jumper, vest",
            "stretch, v-neck, short sleeve, button front, reflective, wrinkle resistant, unisex, tapered",
            "chest pocket, pen slot, side vents, snaps, cuffs, collar, reflective tape, ties, pleats",
            "work boots, clogs, slacks, a belt, an undershirt",
            "polyester 42.9, cotton 34.6, none 7, rayon 3, fabric 5.8",
            "Button 28, Pull On 28, Zipper 20, Snap 9, none 9, Tie 6",
        ),
        "babyset": _kind(
            "apparel",
            0.9,
            0.3,
            "outfit, bodysuit, romper, two-piece set, onesie, clothing set, pants set",
            "short sleeve, long sleeve, ruffle, printed, striped, hooded, floral, dinosaur",
            "snaps, waistband, collar, bow, cuffs, hem, headband, suspenders",
            "booties, a sun hat, a bib, mary janes, leggings",
            "cotton 69.2, polyester 13.2, none 10, fabric 10.2",
            "Snap 34, Pull On 36, Elastic 12, Button 8, none 8",
        ),
        "sneaker": _kind(
            "footwear",
            0.58,
            0.45,
            "sneaker, shoe, skate shoe, trainer, high-top, slip-on sneaker, canvas sneaker, fashion sneaker",
            "lace-up, slip-on, low top, high top, platform, memory foam, breathable, lightweight",
            "tongue, collar, toe cap, eyelets, outsole, insole, heel tab, sidewall",
            "jeans, joggers, shorts, leggings, a sundress, chinos",
            _SHOE,
        ),
        "runner": _kind(
            "footwear",
            0.58,
            0.47,
            "running shoe, walking shoe, athletic shoe, trail shoe, cleat, trainer, tennis shoe, "
            "training shoe, court shoe",
            "lightweight, breathable, cushioned, mesh, stability, neutral, slip-resistant, lace-up",
            "midsole, heel counter, tongue, forefoot, outsole, sockliner, toe box, upper",
            "track pants, shorts, leggings, crew socks",
            "leather 16.3, none 74, fabric 10.8, nylon 3, polyester 1.9",
        ),
        "flat": _kind(
            "footwear",
            0.6,
            0.49,
            "flat, loafer, slip-on, oxford, ballet flat, moccasin, dress shoe, boat shoe, penny "
            "loafer, espadrille",
            "pointed toe, round toe, slip-on, casual, comfort, lace-up, cap toe, bow, driving, woven, "
            "studded",
            "toe, vamp, heel, footbed, outsole, collar, lining, welt, strap",
            "trousers, a pencil skirt, jeans, a suit, chinos, capris",
            "leather 71, none 42, fabric 4.1, cotton 1, silk 0.5, wool 0.5",
        ),
        "heel": _kind(
            "footwear",
            0.47,
            0.53,
            "pump, wedge, heel, stiletto, platform, dress shoe, slingback, evening shoe, high heel",
            "pointed toe, peep toe, ankle strap, chunky heel, platform, open toe, kitten heel, mary "
            "jane, block heel",
            "ankle strap, heel, toe, footbed, buckle, platform, insole, lining",
            "a cocktail dress, a pencil skirt, slim jeans, a gown, a suit",
            "leather 45.1, none 62, fabric 4.1, silk 1.2",
        ),
        "sandal": _kind(
            "footwear",
            0.67,
            0.47,
            "sandal, flip flop, slide, thong sandal, gladiator sandal, sport sandal, fisherman sandal",
            "open toe, ankle strap, braided, flat, comfort, slip-on, rhinestone, strappy, t-strap",
            "straps, footbed, buckle, thong, toe post, outsole, arch, heel strap",
            "shorts, a sundress, a swimsuit, linen pants, a maxi skirt",
            "leather 50.5, none 57, fabric 4.1, nylon 1.5, cotton 0.5",
        ),
        "boot": _kind(
            "footwear",
            0.6,
            0.51,
            "boot, bootie, ankle boot, snow boot, rain boot, chelsea boot, work boot, riding boot, "
            "combat boot",
            "ankle, knee high, lace-up, side zip, waterproof, steel toe, faux fur, chunky heel, "
            "western, slouch",
            "shaft, pull tab, side zipper, heel, toe, tongue, footbed, lug outsole, buckle",
            "jeans, leggings, a sweater dress, cargo pants, a skirt",
            "leather 67, none 45, nylon 2, fabric 2.7, wool 1",
        ),
        "slipper": _kind(
            "footwear",
            0.7,
            0.38,
            "slipper, house shoe, clog, mule, moccasin slipper, bootie slipper, scuff",
            "memory foam, fuzzy, plush, slip-on, open back, indoor, closed toe, sherpa lined",
            "footbed, collar, outsole, lining, heel, upper, insole, heel strap",
            "pajamas, lounge pants, a bathrobe, sweatpants",
            "leather 19.2, none 60, cotton 6, polyester 6.7, fabric 9.5, wool 5",
        ),
        "necklace": _kind(
            "jewelry",
            0.19,
            0.31,
            "necklace, pendant, chain, choker, locket, pendant necklace, charm",
            "layered, dainty, sterling silver, gold plated, personalized, birthstone, cuban link, heart",
            "chain, clasp, pendant, extender, bail, charm, locket, stones",
            "a v-cut top, a gown, a blouse, stud earrings, a sweater",
            _METAL,
        ),
        "earrings": _kind(
            "jewelry",
            0.2,
            0.35,
            "earrings, hoops, studs, drop earrings, dangle earrings, huggies, ear cuffs, ear climbers",
            "dainty, hypoallergenic, sterling silver, gold plated, tassel, pearl, crystal, geometric, leaf",
            "posts, backs, hooks, hoops, stones, clasp, drops, pearls",
            "an updo, a gown, a casual tee, a pendant, a wedding dress",
            _METAL,
        ),
        "ring": _kind(
            "jewelry",
            0.19,
            0.35,
            "ring, band, wedding band, engagement ring, stacking ring, promise ring, signet ring",
            "tungsten carbide, titanium, sterling silver, cubic zirconia, engraved, beveled, halo, "
            "comfort-curve",
            "band, setting, prongs, stones, inlay, edges, shank, center stone",
            "a watch, a matching band, a bracelet, a stack of thin rings",
            "none 99, silk 0.3, leather 0.8",
        ),
        "bracelet": _kind(
            "jewelry",
            0.19,
            0.35,
            "bracelet, bangle, cuff, link bracelet, charm bracelet, tennis bracelet, beaded bracelet, "
            "wristband",
            "adjustable, braided, engraved, stretch, magnetic, natural stone, stainless steel, personalized",
            "clasp, links, beads, chain, charms, extender, cord, plate",
            "a watch, a summer dress, a stack of bangles, a suit",
            "none 83, leather 16.8, nylon 0.6, fabric 1.4, cotton 0.8",
        ),
        "piercing": _kind(
            "jewelry",
            0.25,
            0.35,
            "nose ring, belly ring, barbell, ear plugs, septum ring, labret, tunnel, hoop, cartilage stud",
            "surgical steel, hinged, titanium, internally threaded, screw-on, opal, horseshoe",
            "balls, post, hinge, gem, bar, threads, clicker",
            "a stack of studs, a chain, other body jewelry",
            "none 98, fabric 0.7, silk 0.5",
        ),
        "brooch": _kind(
            "jewelry",
            0.12,
            0.47,
            "brooch, pin, lapel pin, enamel pin, badge, scarf pin",
            "vintage, enamel, crystal, flower, antique tone, handmade, novelty",
            "pin back, clutch, stones, enamel, petals, clasp",
            "a blazer, a tote, a scarf, a cap, a jacket",
            "none 95, fabric 4.1, silk 1, polyester 1",
        ),
        "jewelrybox": _kind(
            "accessory",
            0.72,
            0.37,
            "jewelry box, organizer, ring sizer, polishing cloth, display stand, storage case",
            "velvet lined, travel, stackable, mirrored, two-layer, drawer",
            "lid, drawers, hinges, mirror, compartments, lock, tray",
            "a dresser, a suitcase, a vanity table",
            "none 70, leather 22.4, fabric 6.8, cotton 5",
        ),
        "watch": _kind(
            "watch",
            0.27,
            0.5,
            "watch, wrist watch, quartz watch, chronograph, dress watch, sport watch, analog watch, "
            "automatic watch",
            "stainless steel, analog, two-tone, dive, skeleton, minimalist, digital, rose gold tone, "
            "mesh band",
            "dial, bezel, crown, case, band, crystal, hands, date window, subdials, clasp",
            "a suit, a dress shirt, a casual jacket, a cuff bracelet",
            "none 74, leather 22.4, nylon 3, fabric 1.4, silk 0.7",
        ),
        "watchband": _kind(
            "watch",
            0.41,
            0.46,
            "watch band, replacement strap, watch strap, smartwatch band, bracelet band",
            "quick release, silicone, mesh, stainless steel, vintage, padded, waterproof",
            "buckle, spring bars, keeper, holes, clasp, stitching, lugs",
            "a field watch, a smartwatch, a dress watch",
            "none 52, leather 38.1, nylon 12, fabric 1.4",
        ),
        "handbag": _kind(
            "bag",
            0.81,
            0.46,
            "handbag, purse, tote bag, crossbody bag, shoulder bag, clutch, satchel, hobo bag, "
            "wristlet, backpack purse",
            "vegan, quilted, large, small, vintage, studded, woven, structured, convertible, beaded",
            "strap, handles, zipper, lining, flap, inner pocket, back pocket, base, hardware",
            "jeans, an evening dress, a trench, office wear, a maxi dress",
            "leather 64.4, none 30, polyester 6.7, cotton 5, nylon 6, fabric 2.7",
            "Zipper 46, Magnetic 12, Snap 7, Buckle 3, none 18, Drawstring 3",
        ),
        "wallet": _kind(
            "bag",
            0.9,
            0.48,
            "wallet, card case, card holder, coin purse, money clip, bifold, passport holder, trifold wallet",
            "slim, bifold, rfid blocking, minimalist, trifold, zip around, front pocket",
            "card slots, id window, bill compartment, snap, coin pocket, edges, pull tab",
            "a suit jacket, front pockets, a small purse, jeans",
            "leather 92.7, none 22, nylon 2, fabric 2.7, polyester 1.9",
            "Zipper 22, Snap 16, none 48, Magnetic 9, No Closure 3",
        ),
        "luggage": _kind(
            "bag",
            0.9,
            0.46,
            "backpack, duffel bag, suitcase, waist pack, laptop bag, travel bag, toiletry bag, "
            "messenger bag, carry-on, packing cube",
            "water resistant, foldable, expandable, lightweight, anti-theft, large capacity, "
            "hardside, rolling",
            "straps, wheels, zippers, laptop sleeve, side pockets, handle, compartments, lining, buckles",
            "a carry-on, a laptop, hand luggage, sportswear",
            "polyester 36.5, nylon 28, none 19, leather 10.3, fabric 4.1, cotton 3",
            "Zipper 56, Drawstring 9, Buckle 6, none 16, Hook and Loop 2",
        ),
        "sunglasses": _kind(
            "eyewear",
            0.38,
            0.55,
            "sunglasses, shades, aviators, reading glasses, goggles, eyeglasses, cat eye sunglasses, "
            "clip-ons",
            "polarized, oversized, rimless, round, square, mirrored, retro, wrap, semi-rimless",
            "lenses, frame, temples, nose pads, hinges, bridge, case",
            "a sun hat, a linen shirt, beachwear, a driving jacket",
            "none 88, nylon 6, fabric 4.1, leather 2.2, cotton 1",
        ),
        "belt": _kind(
            "accessory",
            0.99,
            0.55,
            "belt, dress belt, ratchet belt, waist belt, suspenders, braided belt, buckle",
            "adjustable, reversible, elastic, braided, automatic buckle, wide, studded, no-hole",
            "buckle, strap, loop, holes, prong, stitching, track, clips",
            "jeans, chinos, a suit, a tunic, golf shorts",
            "leather 78.4, none 14, nylon 6, polyester 6.7, fabric 2.7, cotton 2",
            "Buckle 64, none 30, Snap 2, Hook and Loop 1",
        ),
        "cap": _kind(
            "accessory",
            0.8,
            0.5,
            "hat, cap, baseball cap, beanie, sun hat, bucket hat, fedora, headband, visor, beret, "
            "trucker hat",
            "adjustable, knit, wide brim, packable, embroidered, washed, slouchy, mesh back, cuffed",
            "brim, crown, sweatband, strap, buckle, eyelets, pom, ear flaps, chin cord",
            "a tee, a parka, a swimsuit, a hoodie, a linen dress",
            "cotton 35, polyester 19.2, none 30, wool 8, fabric 4.1, nylon 2, leather 1.1",
            "Pull On 22, Buckle 14, Hook and Loop 9, Snap 10, Adjustable 10, none 36, Drawstring 2",
        ),
        "gloves": _kind(
            "accessory",
            0.9,
            0.48,
            "gloves, mittens, touchscreen gloves, driving gloves, ski gloves, arm warmers",
            "touchscreen, fleece lined, windproof, fingerless, knit, insulated, long",
            "cuffs, fingertips, palm, lining, wrist strap, thumb, seams",
            "a parka, a scarf, a beanie, an evening gown",
            "polyester 25.9, leather 25.8, none 26, cotton 9, wool 8, nylon 3, fabric 2.7",
            "Pull On 56, none 34, Hook and Loop 6, Zipper 2",
        ),
        "scarf": _kind(
            "accessory",
            0.72,
            0.48,
            "scarf, shawl, wrap, bandana, pashmina, neck gaiter, handkerchief, face cover, blanket scarf",
            "lightweight, oversized, infinity, plaid, chiffon, fringed, printed, soft, square",
            "fringe, edges, tassels, hem, print, border, weave",
            "a coat, a sweater, an evening dress, a tee",
            "polyester 32.6, cotton 18, none 19, silk 11, fabric 6.8, wool 7, rayon 4",
            "none 92, Pull On 6, Tie 2",
        ),
        "tie": _kind(
            "accessory",
            0.63,
            0.61,
            "tie, bow tie, necktie, pocket square, tie set, bolo tie, tie clip, cummerbund",
            "pre-tied, woven, skinny, paisley, striped, adjustable, formal, handmade",
            "knot, band, clip, tip, lining, hook, loop",
            "a tuxedo, a dress shirt, a blazer, a vest",
            "silk 20, polyester 40.3, none 22, cotton 9, fabric 4.1, wool 2",
            "none 80, Hook and Eye 5, Adjustable 8, Tie 5",
        ),
        "hair": _kind(
            "accessory",
            0.81,
            0.39,
            "headband, hair clip, scrunchie, hair tie, barrette, tiara, hair comb, hair bow, claw clip",
            "velvet, rhinestone, knotted, elastic, pearl, non-slip, satin, floral",
            "teeth, band, bow, clip, stones, elastic, petals",
            "a ponytail, a bun, a gown, a messy updo",
            "none 66, polyester 8.6, cotton 8, fabric 12.2, silk 3, spandex 2, leather 2.2",
        ),
        "keychain": _kind(
            "accessory",
            0.63,
            0.37,
            "keychain, key ring, key fob, bag charm, lanyard, key holder",
            "engraved, stainless steel, carabiner, tassel, novelty, rotating, beaded",
            "ring, clip, plate, swivel, chain, strap, charm",
            "a backpack, car keys, a purse, house keys",
            "none 76, leather 20.2, fabric 2.7, nylon 3",
        ),
        "umbrella": _kind(
            "accessory",
            0.9,
            0.46,
            "umbrella, folding umbrella, golf umbrella, parasol",
            "windproof, automatic, compact, double canopy, inverted, clear",
            "canopy, ribs, handle, shaft, sleeve, tips",
            "a raincoat, a tote, rain boots",
            "none 54, fabric 32.4, polyester 17.3, nylon 4",
            "none 80, Hook and Loop 14, Button 4",
        ),
        "shoecare": _kind(
            "accessory",
            0.95,
            0.37,
            "insoles, shoelaces, shoe trees, polish, heel cushions, shoe charms, ice cleats, shoe "
            "horn, inserts",
            "replacement, memory foam, elastic, cedar, gel, no-tie, adhesive",
            "heel cup, arch, tips, spring, handle, gel pad, foam layer",
            "boots, sneakers, loafers, work shoes",
            "none 73, leather 11.2, polyester 6.7, fabric 6.8, nylon 2, cotton 1.5",
        ),
    }
)

MIXED = _words(
    "dress, coat, blouse, flat, heel, necklace, handbag, sneaker, tee, earrings, boot, costume, watch, "
    "sandal, ring, cap"
)
"""Kinds met in the categories that hold anything."""
