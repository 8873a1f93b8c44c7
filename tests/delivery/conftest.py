"""A worker's sending side over a real database, driven by the test: what is due is run until nothing is."""
