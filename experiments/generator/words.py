"""Word banks: the terms that sentences are composed of, each bank under the name of its slot.

No bank but ``color`` and ``material`` holds a word by which a card's color or material is found, so that a
product's card says of both only what the product was given.
"""

from __future__ import annotations

from experiments.generator.kinds import Bank


def _bank(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


SHARED: Bank = {
    "adj": _bank(
        "soft, comfortable, durable, classic, elegant, lightweight, modern, simple, trendy, "
        "breathable, cozy, charming, timeless, versatile, chic, practical, sturdy, smooth, delicate, "
        "bold, graceful, sleek, premium, everyday, casual, vintage, unique, thoughtful, reliable, "
        "handsome, playful, refined, flattering, airy, snug, polished"
    ),
    "adv": _bank(
        "carefully, really, truly, neatly, gently, simply, beautifully, perfectly, effortlessly, "
        "comfortably, easily, remarkably, evenly, subtly, surprisingly, precisely"
    ),
    "verb_made": _bank(
        "made, crafted, cut, sewn, built, designed, put together, finished, shaped, assembled, "
        "produced, constructed, engineered, tailored"
    ),
    "occasion": _bank(
        "parties, weddings, the beach, school, the office, travel, dates, holidays, birthdays, "
        "church, shopping, dinner, picnics, concerts, graduation, vacations, brunch, festivals, "
        "everyday wear, a night out, weekends, ceremonies, cruises, the lake, lounging at home, "
        "homecoming, road trips, cookouts, camping, photo shoots, commuting"
    ),
    "active_occasion": _bank(
        "running, hiking, the gym, work, outdoor trips, winter walks, workouts, yoga, cycling, "
        "fishing, golf, training, office work, gym sessions, skiing, outdoor concerts"
    ),
    "wearer": _bank(
        "women, men, girls, boys, ladies, teens, moms, dads, friends, sisters, teachers, nurses, "
        "brides, students, travelers, grandmothers, kids, couples, coworkers, runners, dancers, "
        "musicians"
    ),
    "relative": _bank(
        "mom, dad, wife, husband, girlfriend, boyfriend, daughter, son, sister, grandma, best friend, "
        "aunt, bride, niece"
    ),
    "holiday": _bank(
        "Christmas, Mother's Day, Valentine's Day, Halloween, Thanksgiving, a birthday, an "
        "anniversary, graduation, Father's Day, Easter, New Year, Hanukkah, a housewarming, retirement"
    ),
    "season": _bank(
        "spring, summer, fall, autumn, cold days, warm days, rainy days, every season, cool evenings"
    ),
    "feel": _bank(
        "soft to the touch, gentle on skin, light as air, smooth all day, comfortable for hours, snug "
        "yet flexible, warm without bulk, pleasantly cool, never scratchy, easy on sensitive skin, "
        "cozy from the first wear"
    ),
    "quality": _bank(
        "hold up wash after wash, keep its shape, resist fading, last for years, stand up to daily "
        "wear, stay put, age gracefully, look new for longer, feel as good as it looks, handle busy "
        "days, take on any adventure, benefit the whole wardrobe"
    ),
    "service": _bank(
        "contact us any time, send us a message, reach out to our team, write to our shop, let us "
        "know, email us first"
    ),
    "promise": _bank(
        "we answer within 24 hours, we will make it right, a refund is simple, we replace it at no cost, "
        "our team solves it quickly, your money back within 30 days, an exchange is no trouble"
    ),
    "note": _bank(
        "please allow 1-3 cm of difference due to manual measurement, actual shades may vary between "
        "screens, please check the chart in the pictures before you order, sold by an independent "
        "seller, accessories in the photos are not included, ships from our own warehouse"
    ),
    "look": _bank(
        "a clean line, a touch of charm, a modern silhouette, an easy look, a hint of glamour, a "
        "vintage mood, a relaxed shape, a polished finish, a bohemian note, a playful twist, a sporty "
        "edge, quiet elegance, a city feel, a romantic air, a rugged character"
    ),
    "motif": _bank(
        "floral, striped, plaid, leopard, geometric, paisley, polka dot, camo, tie dye, butterfly, "
        "heart, star, leaf, animal, skull, sunflower, anchor, cat, dog, owl, feather, moon, dragon, "
        "rose, cactus, mountain, wave, abstract"
    ),
    "theme": _bank(
        "Retired Teacher, Dog Mom, Cat Dad, Fishing Legend, Best Grandpa, Coffee First, Nurse Life, "
        "Book Lover, Vintage Motorcycle, Guitar Player, Bigfoot Believer, Chicken Whisperer, Proud "
        "Veteran, Taco Tuesday, Plant Lady, Beer Season, Born In April, Math Geek, Camping Crew, "
        "Horse Girl, Awesome Since 1984, Big Sister, Papa Bear, Llama Drama, Sloth Club, Pizza "
        "Planet, Gamer Mode, Dinosaur Hunter, Space Cadet, Mermaid Off Duty, Beekeeper, Truck Driver, "
        "Trivia Champ, Yoga Goddess, Chess Master, Garden Gnome, Soccer Coach, Pickleball"
    ),
    "saying": _bank(
        "funny quote, distressed flag, retro sunset, big letters, cartoon face, heartbeat line, "
        "periodic table joke, hand drawn lettering, family reunion slogan, birthday countdown, "
        "halftone portrait, old school badge, sarcastic remark, music note swirl, paw prints, faded "
        "logo, zodiac chart, pixel art, ink artwork"
    ),
    "shade": _bank(
        "navy, ivory, charcoal, burgundy, teal, beige, khaki, tan, coral, lavender, turquoise, "
        "champagne, nude, mint, olive, gold, silver, rose gold, wine, taupe, camel, cream, "
        "multicolor, fuchsia, peach, cobalt, mustard, natural"
    ),
    "series": _bank(
        "Aria, Bristol, Cora, Dakota, Everly, Falcon, Geneva, Harper, Iris, Juno, Kestrel, Luna, "
        "Malibu, Nova, Oslo, Piper, Quest, Ridge, Sierra, Tessa, Utah, Vera, Willow, Xena, York, "
        "Zara, Apex, Boulder, Cascade, Denver, Ember, Fargo, Galway, Hudson, Ivy, Jasper, Kai, "
        "Lennox, Monroe, Nico, Orion, Parker, Remi, Sloane, Terra"
    ),
    "size_tag": _bank(
        "Small, Medium, Large, X-Large, XX-Large, One Size, 6, 7, 7.5, 8, 8.5, 9, 10, 11, 2T, 5T, M, L"
    ),
    "symbol": _bank("♥, ★, ❤, ✔, ◆, ☀, ✿, ♦, ●, ►, ✈, ♛"),
    "inch": tuple(str(n / 4).removesuffix(".0") for n in range(3, 190)),
    "cm": tuple(str(n) for n in range(4, 96)),
    "mm": tuple(str(n / 2).removesuffix(".0") for n in range(3, 96)),
    "few": ("2", "3", "4", "5", "6", "7", "8", "10", "12"),
    "many": tuple(
        str(n) for n in (14, 15, 18, 20, 24, 25, 30, 36, 40, 48, 50, 60, 72, 80, 90, 100, 120, 200, 360)
    ),
    "weight": tuple(f"{n / 10:.1f}" for n in range(2, 120)),
    "year": tuple(str(n) for n in range(1890, 2021)),
    "place": _bank(
        "Los Angeles, Vermont, Portland, Brooklyn, Texas, Florence, Lisbon, Seoul, Kyoto, Montréal, "
        "Copenhagen, Porto, Nashville, Málaga, Zürich, Tbilisi, Jaipur, Cape Town, Maine, Colorado, "
        "Oaxaca, Hanoi, Kraków, Istanbul"
    ),
    "foreign": (
        "柔软舒适，适合日常穿着",
        "サイズ表をご確認ください",
        "편안한 착용감",
        "Élégant et léger, idéal pour l’été",
        "Größentabelle bitte beachten",
        "Мягкий и удобный материал",
        "进口面料，做工精细",
        "Talla única, diseño clásico",
    ),
}

COLORS: dict[str, float] = {
    "black": 0.356,
    "white": 0.131,
    "blue": 0.118,
    "red": 0.078,
    "grey": 0.048,
    "pink": 0.056,
    "green": 0.053,
    "brown": 0.046,
    "yellow": 0.040,
    "purple": 0.024,
    "gray": 0.022,
    "orange": 0.013,
}
"""Weights of the color that a listing names."""

COLOR_FORMS: dict[str, tuple[str, ...]] = {
    "black": ("Black", "Black", "Black/Silver", "Matte Black", "Black Marble", "Black Croc"),
    "white": ("White", "Off White", "White Gold", "White/Navy"),
    "blue": ("Blue", "Navy Blue", "Royal Blue", "Light Blue", "Dark Blue"),
    "red": ("Red", "Wine Red", "Dark Red"),
    "grey": ("Grey", "Dark Grey", "Heather Grey"),
    "pink": ("Pink", "Hot Pink", "Dusty Pink"),
    "green": ("Green", "Army Green", "Olive Green"),
    "brown": ("Brown", "Dark Brown", "Coffee Brown"),
    "yellow": ("Yellow", "Yellow Gold", "Yellow Gold"),
    "purple": ("Purple", "Deep Purple"),
    "gray": ("Gray", "Light Gray"),
    "orange": ("Orange", "Burnt Orange"),
}

SYLLABLES = _bank(
    "ba, bel, bo, bri, ca, cel, cha, co, da, del, do, dra, ea, el, en, fa, fe, fin, fla, ga, gi, gra, "
    "ha, hel, hi, is, ja, jo, ju, ka, kel, ki, la, le, li, lo, lu, ma, mel, mi, mo, na, ne, ni, no, "
    "ol, or, pa, pel, pi, ra, re, ri, ro, sa, se, sha, si, so, sta, ta, te, ti, to, tra, va, ve, vi, "
    "vo, wa, we, wil, xa, ya, yo, za, ze, zi, zo"
)
ENDINGS = _bank(
    "na, ra, lia, co, ton, ster, dale, way, x, z, ly, ette, io, us, ano, elle, ford, mark, wood, ique, ée"
)
SURNAMES = _bank(
    "Ashby, Barlow, Carver, Dalton, Ellery, Fairfax, Garland, Holloway, Ingram, Jarvis, Kendall, "
    "Langley, Mercer, Norwood, Osborne, Prescott, Quimby, Ramsey, Sinclair, Thatcher, Upton, Vaughn, "
    "Whitaker, Yates, Marlowe, Pruitt"
)
TRADE_WORDS = _bank(
    "Apparel, Footwear, Jewelry, Co., Studio, Originals, Collection, Outfitters, Design, Fashion, "
    "Gear, Supply, House, Boutique, Goods, Sport, Kids, Accessories, Trading, Brothers"
)
