"""Values: what texts say, as numbers, money, dates and truths, in the locale that they are written in.

`find_locale` asks the texts of a page, then its language, how numbers and dates are written there.
`read_column` reads the texts of one column: they fold to plain characters, then are amounts (`amounts`, read by
`digits`, `units`, `magnitudes` and `currencies`), dates or booleans, all of one type or none at all.
What is ambiguous in one text is settled by the others of its column.
`read_leading` reads the value that a longer text begins with; `tails` tells which words after it belong to it.
`read_section` gives the type of a section by its texts on sample pages, and `read_as` reads a further text by it,
lists (`items`) too.
"""

from webquarry.values.columns import read_column, read_value
from webquarry.values.leading import read_leading
from webquarry.values.locale import Locale, find_locale
from webquarry.values.sections import read_as, read_section
from webquarry.values.value import Value

__all__ = ["Locale", "Value", "find_locale", "read_as", "read_column", "read_leading", "read_section", "read_value"]
