"""Values: what texts say, as numbers, money, dates and truths, in the locale that they are written in."""
