"""Pages as samples, and wrappers learnt from them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from webquarry.model import Document, Source, Wrapper
from webquarry.wrapping.learning import learn_sections
from webquarry.wrapping.samples import Sample
from webquarry.wrapping.sampling import read_samples


@pytest.fixture(scope="session")
def sample() -> Callable[..., list[Sample]]:
    return lambda *markups: read_samples([Document(markup) for markup in markups]).pages


@pytest.fixture(scope="session")
def learn() -> Callable[..., Wrapper]:
    return lambda *markups: learn_sections([Document(markup) for markup in markups], Source("book"))
