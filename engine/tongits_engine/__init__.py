"""Complete rules of Tong-its as pure values and functions.

A game: ``deal`` a deck, ask ``legal_actions``, ``apply`` one, and ``settle`` when it is over.
"""
