"""One file a scenario. Each has a NAME, sizes FULL and SHORT, and `run(world, size)`, which returns what it counted."""
