"""How a tenant stands, at a glance and as it moves: figures by the minute, totals, health, what failed last."""
