"""Who can be told: people, where they can be reached, what they belong to, and what they do not want to hear."""
