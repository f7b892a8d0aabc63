"""The nouns that travel between the stages: immutable, equal by value, fit for pickle."""

from webquarry.html.columns import Kind
from webquarry.model.article import Article, Metadata
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction, SectionValue
from webquarry.model.layout import Box, Layout
from webquarry.model.page import Failure, Page
from webquarry.model.region import Field, Record, Region
from webquarry.model.report import Report, Selection, Verdicts
from webquarry.model.wrapper import FieldRule, ListingRule, Section, Source, Step, Token, TokenFormat, Wrapper

__all__ = [
    "Article",
    "Box",
    "Document",
    "Extraction",
    "Failure",
    "Field",
    "FieldRule",
    "Kind",
    "Layout",
    "ListingRule",
    "Metadata",
    "Page",
    "Record",
    "Region",
    "Report",
    "Section",
    "SectionValue",
    "Selection",
    "Source",
    "Step",
    "Token",
    "TokenFormat",
    "Verdicts",
    "Wrapper",
]
