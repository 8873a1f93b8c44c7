"""Any JSON at all, with the words that rules know more often than chance would have them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

_WORDS = ("all", "any", "field", "equals", "notEquals", "in", "exists", "greater", "less", "by", "values", "a", "0")
_LEAVES: st.SearchStrategy[Any] = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters())
    | st.sampled_from((*_WORDS, "group", "everyone", "2026-11-16T09:00:00Z", "0001-01-01T00:00:00+14:00", "9" * 20))
)
JSON: st.SearchStrategy[Any] = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from(_WORDS) | st.text(), inner, max_size=5),
    max_leaves=30,
)
