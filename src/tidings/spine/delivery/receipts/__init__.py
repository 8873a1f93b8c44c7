"""What providers tell of deliveries after they were sent: verified, read, and applied to the delivery it is about."""
