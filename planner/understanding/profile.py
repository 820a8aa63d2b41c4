"""A shopper's profile: what is known of it before it says a word."""

from __future__ import annotations

from collections.abc import Mapping

from planner.understanding.reading import tokens
from planner.understanding.words import WordFinder
from scoring.evidence import Evidence, ProfileTags

_TAGS = 16
"""Tags of a profile that are read."""
_TAG_LENGTH = 40
"""Characters of a tag that are read."""


def profile_evidence(profile: object, finder: WordFinder) -> Evidence:
    """Return what a profile shows: the words of its ``preference_tags`` that the catalog knows.

    Whatever is not as it should be shows nothing: a profile that is no mapping, tags that are no list, a tag
    that is no text.
    """
    tags = profile.get("preference_tags") if isinstance(profile, Mapping) else None
    if not isinstance(tags, list | tuple):
        return ()
    texts = [tag[:_TAG_LENGTH] for tag in tags[:_TAGS] if isinstance(tag, str)]
    words = {word.text: word for text in texts for word in finder.heard(tokens(text), quoted=True)}
    return (ProfileTags(tuple(words.values())),) if words else ()
