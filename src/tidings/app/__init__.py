"""The only place where parts are wired."""
