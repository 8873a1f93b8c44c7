"""Ours beside its peers and the raw limit, in one run."""
