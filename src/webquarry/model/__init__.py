"""The nouns that travel between the stages: immutable, equal by value, fit for pickle."""

from webquarry.html.kinds import Kind
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction, SectionValue
from webquarry.model.layout import Box, Layout
from webquarry.model.page import Failure, Page
from webquarry.model.region import Field, Record, Region
from webquarry.model.token import Token
from webquarry.model.wrapper import FieldRule, ListingRule, Section, Source, Step, TokenFormat, Wrapper

__all__ = [
    "Box",
    "Document",
    "Extraction",
    "Failure",
    "Field",
    "FieldRule",
    "Kind",
    "Layout",
    "ListingRule",
    "Page",
    "Record",
    "Region",
    "Section",
    "SectionValue",
    "Source",
    "Step",
    "Token",
    "TokenFormat",
    "Wrapper",
]
