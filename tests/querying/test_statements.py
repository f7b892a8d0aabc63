"""One SELECT is answered; what would reach files or the net behind it is refused before anything is read."""

from __future__ import annotations

import pytest

from webquarry.errors import QueryError
from webquarry.querying.query_run import answer

STATEMENTS = """
COPY book TO '{folder}/out.csv'
COPY (SELECT * FROM book) TO '{folder}/out.parquet' (FORMAT parquet)
COPY rates FROM '{folder}/codes.csv'
ATTACH '{folder}/new.duckdb'
ATTACH '{folder}/new.duckdb' AS other
DETACH memory
INSTALL httpfs
LOAD httpfs
FORCE INSTALL httpfs
SET enable_external_access = true
SET threads = 1
RESET threads
PRAGMA version
PRAGMA database_list
CALL pragma_version()
USE memory
CREATE TABLE t AS SELECT * FROM book
CREATE TEMP TABLE t (a INTEGER)
CREATE VIEW v AS SELECT * FROM book
CREATE OR REPLACE VIEW book AS SELECT 1
CREATE MACRO m() AS 1
CREATE SECRET s (TYPE http)
INSERT INTO rates VALUES ('x', 1)
UPDATE rates SET rate = 1
DELETE FROM rates
TRUNCATE rates
DROP TABLE rates
ALTER TABLE rates ADD COLUMN x INTEGER
EXPORT DATABASE '{folder}/all'
IMPORT DATABASE '{folder}/all'
BEGIN TRANSACTION
CHECKPOINT
VACUUM
PREPARE p AS SELECT 1
EXECUTE p
EXPLAIN ANALYZE SELECT * FROM book
SELECT 1; SELECT 2
SELECT 1; DROP TABLE rates
SELECT 1; COPY rates TO '{folder}/out.csv'
"""
READERS = """
SELECT * FROM 'http://127.0.0.1:9/a.csv'
SELECT * FROM 'https://example.org/a.parquet'
SELECT * FROM 's3://bucket/a.parquet'
SELECT * FROM 'hf://datasets/a/b.parquet'
SELECT * FROM 'file://{folder}/codes.csv'
SELECT * FROM "https://example.org/a.json"
SELECT * FROM read_csv('http://127.0.0.1:9/a.csv')
SELECT * FROM read_csv_auto('https://example.org/a.csv')
SELECT * FROM read_csv('{folder}/' || 'codes.csv')
SELECT * FROM read_csv(['{folder}/codes.csv', 'http://127.0.0.1:9/a.csv'])
SELECT * FROM read_parquet('s3://bucket/a.parquet')
SELECT * FROM parquet_scan('https://example.org/a.parquet')
SELECT * FROM read_json('https://example.org/a.json')
SELECT * FROM read_json_auto('{folder}/*.json')
SELECT * FROM parquet_metadata('{folder}/a.parquet')
SELECT * FROM query_table('rates')
SELECT * FROM query('FROM read_text(''{folder}/codes.csv'')')
SELECT * FROM read_text('{folder}/' || 'codes.csv')
SELECT * FROM read_blob(concat('{folder}', '/codes.csv'))
SELECT * FROM sqlite_scan('{folder}/a.sqlite', 't')
SELECT * FROM duckdb_secrets()
SELECT * FROM rates, LATERAL (SELECT * FROM read_text('{folder}/' || country))
"""


def lines(text: str) -> list[str]:
    return text.strip().split("\n")


@pytest.mark.parametrize("query", [*lines(STATEMENTS), *lines(READERS)])
def test_is_refused_and_nothing_is_read_or_written(query, web, codes):
    fresh = web()
    before = sorted(codes.parent.iterdir())
    with pytest.raises(QueryError):
        answer(fresh.catalog, query.replace("{folder}", str(codes.parent)))
    assert fresh.pages_read == {}
    assert sorted(codes.parent.iterdir()) == before


@pytest.mark.parametrize("query", ["", " ", "-- nothing", ";"])
def test_an_empty_query_is_refused(query, web):
    with pytest.raises(QueryError):
        answer(web().catalog, query)


def test_a_semicolon_may_end_the_query(web):
    assert answer(web().catalog, "SELECT rate FROM rates;").table.num_rows == 5


@pytest.mark.parametrize("form", ["'{}'", '"{}"', "read_csv('{}')", "read_csv('{}', header = true)"])
def test_a_local_file_that_is_named_joins(form, web, codes):
    fresh = web()
    given = answer(fresh.catalog, f"SELECT c.code, b.people FROM {form.format(codes)} c JOIN book b USING (country)")
    assert sorted(given.table["code"].to_pylist()) == ["FI", "FR", "JP"]
    assert fresh.pages_read == {"book": 4}


def test_a_file_that_is_not_there_is_reported_before_the_first_page(web, codes):
    fresh = web()
    with pytest.raises(QueryError, match=r"none\.csv"):
        answer(fresh.catalog, f"SELECT * FROM '{codes.parent}/none.csv' JOIN book USING (country)")
    assert fresh.pages_read == {}


def test_show_tables_tells_all_that_can_be_named(web):
    fresh = web()
    given = answer(fresh.catalog, "SHOW TABLES")
    names = set(given.table.column(0).to_pylist())
    assert {"book", "cities", "groups", "prices", "rates", "codes", "members", "europe", "capitals"} <= names
    assert fresh.pages_read == {}


def test_show_tables_tells_which_key_is_required(web):
    rows = {row["name"]: row for row in answer(web().catalog, "show tables;").table.to_pylist()}
    assert (rows["cities"]["key"], rows["cities"]["key_required"]) == ("city", True)
    assert (rows["book"]["key"], rows["book"]["key_required"]) == ("country", False)


@pytest.mark.parametrize("query", ["DESCRIBE book", "DESC Book", 'DESCRIBE "book";', "DESCRIBE TABLE book"])
def test_describe_tells_the_columns_of_a_source(query, web):
    fresh = web()
    given = answer(fresh.catalog, query)
    assert given.table.column(0).to_pylist()[0] == "country"
    assert {"geography", "people", "government", "_page", "_fetched"} <= set(given.table.column(0).to_pylist())
    assert fresh.pages_read == {}


def test_describe_shows_what_a_required_key_looks_like(web):
    rows = answer(web().catalog, "DESCRIBE cities").table.to_pylist()
    assert "Paris" in str(rows[0])
    assert "required" in str(rows[0])


@pytest.mark.parametrize("name", ["rates", "codes", "members", "capitals"])
def test_describe_takes_tables_files_and_views_too(name, web, truth):
    fresh = web()
    expected = truth(f"FROM {name} LIMIT 0").schema.names
    assert answer(fresh.catalog, f"DESCRIBE {name}").table.column(0).to_pylist() == expected
    assert fresh.pages_read == {}


def test_describe_of_what_is_not_there_names_what_is(web):
    with pytest.raises(QueryError, match="book"):
        answer(web().catalog, "DESCRIBE nowhere")
