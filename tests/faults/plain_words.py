"""What a terminal would obey."""
import unicodedata

TURNS = set("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def obeyed(text):
    """Those of its letters."""
    return {c for c in text if (unicodedata.category(c) == "Cc" and c not in "\n\t") or c in TURNS}
