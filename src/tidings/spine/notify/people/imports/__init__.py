"""A CSV file of people on its way in: read as it comes, kept row by row, applied whole or not at all."""
