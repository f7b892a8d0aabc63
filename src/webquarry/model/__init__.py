"""The nouns that travel between the stages: immutable, equal by value, fit for pickle."""

from webquarry.html.kinds import Kind
from webquarry.model.document import Document
from webquarry.model.layout import Box, Layout
from webquarry.model.page import Failure, Page
from webquarry.model.region import Field, Record, Region

__all__ = ["Box", "Document", "Failure", "Field", "Kind", "Layout", "Page", "Record", "Region"]
