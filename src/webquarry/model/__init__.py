"""The nouns that travel between the stages: immutable, equal by value, fit for pickle."""
