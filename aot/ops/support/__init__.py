"""Arithmetic and rules that several operators share."""
