"""Media types, as a mail may name them."""

from __future__ import annotations

import re

_WORD = r"[a-zA-Z0-9][a-zA-Z0-9!#$&^_.+-]{0,63}"
MEDIA_TYPE = re.compile(rf"{_WORD}/{_WORD}(; ?{_WORD}={_WORD}){{0,4}}")
"""With up to four parameters, each a plain word: nothing in it can end the header that it stands in."""
