"""Evidence in, card out: pure rules, no I/O.

`synthesis.synthesise` is the way in; `model` holds the values and `lattice` the claim.
"""
