from webquarry.errors import (
    BrowserError as BrowserError,
    FetchError as FetchError,
    InputError as InputError,
    LimitError as LimitError,
    QueryError as QueryError,
    RefusedError as RefusedError,
    RenderError as RenderError,
    WebquarryError as WebquarryError,
    WrapperError as WrapperError,
)
from webquarry.fetching.policy import FetchOptions as FetchOptions
from webquarry.html.columns import Kind as Kind
from webquarry.model.article import Article as Article, Chunk as Chunk, Metadata as Metadata
from webquarry.model.document import Document as Document, Layout as Layout
from webquarry.model.extraction import Drift as Drift, Extraction as Extraction
from webquarry.model.page import Failure as Failure, Page as Page
from webquarry.model.region import PageRegions as PageRegions, Record as Record, Region as Region
from webquarry.model.report import Report as Report, Selection as Selection, Verdicts as Verdicts
from webquarry.model.table_columns import Field as Field
from webquarry.model.wrapper import Wrapper as Wrapper
from webquarry.pipeline.correct_wrappers import correct as correct, undo as undo
from webquarry.pipeline.extract_pages import check as check, extract as extract, extract_all as extract_all
from webquarry.pipeline.fetch_pages import (
    archive_all as archive_all,
    clean as clean,
    clean_all as clean_all,
    fetch as fetch,
    fetch_all as fetch_all,
)
from webquarry.pipeline.learn_wrappers import (
    wrap as wrap,
    wrap_pictured as wrap_pictured,
)
from webquarry.pipeline.mine_pages import (
    mine as mine,
    mine_all as mine_all,
    mine_following as mine_following,
    mine_pictured as mine_pictured,
    table as table,
)
from webquarry.pipeline.open_catalogs import connect as connect
from webquarry.pipeline.read_pages import read as read, read_all as read_all
from webquarry.pipeline.render_pages import (
    RenderOptions as RenderOptions,
    render as render,
    render_all as render_all,
    render_pictured as render_pictured,
)
from webquarry.pipeline.source_pages import load_wrapper as load_wrapper, save_wrapper as save_wrapper
from webquarry.pipeline.validate_files import (
    Validation as Validation,
    load_extraction as load_extraction,
    load_labels as load_labels,
    picture_pages as picture_pages,
    validate_extractions as validate_extractions,
    write_report as write_report,
)
from webquarry.pipeline.validate_results import JudgeOptions as JudgeOptions, drop as drop, validate as validate
from webquarry.querying.query_nouns import Answer as Answer, Plan as Plan
from webquarry.validating.labelled_quality import (
    Measure as Measure,
    label_by_selector as label_by_selector,
    measure as measure,
)
