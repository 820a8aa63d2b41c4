"""The fixed parts of the shopping protocol's sentences, as an agent hears them."""

import re

OPENING = "I'm looking for "
REQUIREMENT_FOLLOWS = ". A key requirement is: "
EXPLORING = ", but I'm still exploring."
ANSWER = "For that, what matters is: "
OVERRIDE = "Actually, ignore my earlier preference. What I need is: "
NOTHING_ASKED = "Those options are not quite right yet. Ask me about one specific attribute."
REFUSAL = re.compile(r"I don't have a preference for (\w+); please use your judgment\.")
SILENCE = re.compile(r"I don't have an additional preference for (\w+)\.")
