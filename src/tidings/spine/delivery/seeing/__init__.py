"""What came of a fact, why somebody was told of it or was not, and what is still to come: reading only."""
