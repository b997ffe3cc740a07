"""Bots that were handed in: unpacked by rules, checked, kept as versions, seated as name@version.

A submission is a folder, a .zip or a commit of a local git clone. Nothing of it is trusted.
"""
