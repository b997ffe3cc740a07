"""Whether a tournament was fair, from its stored results: `tongits fairplay`.

Every question is a family of tests at level `chance.LEVEL`, corrected within the family by Holm's
method; there are four families (shifts, seats, timing, voids). So at most about one honest
tournament in 25 has any finding. A finding says what is beyond chance, not why.
"""
