"""Values: what texts say, as numbers, money and dates, in the locale that they are written in."""

from webquarry.values.value import Value

__all__ = ["Value"]
