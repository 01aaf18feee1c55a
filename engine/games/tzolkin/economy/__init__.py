"""Goods, the corn exchange, buildings, monuments, technologies and temples."""
