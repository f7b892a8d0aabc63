"""Inputs that are cut into shards, and shards that are read from any place on."""

from __future__ import annotations

import gzip

import pytest
from tests.batching.conftest import stories, to_record, write_archive, write_folder

from webquarry.batching import shards
from webquarry.batching.shards import ShardPages, plan_shards, shard_of

LIMIT = 2**20


def urls_in(shard, after=None):
    return [page.url for _, page in ShardPages(shard, LIMIT).pages(after)]


def test_parts_of_an_archive_have_each_page_once(tmp_path, monkeypatch):
    archive = write_archive(tmp_path / "crawl.warc.gz", stories(50))
    for size in (100, 333, 1000, 10**6):
        monkeypatch.setattr(shards, "BYTES_PER_PAGE", size)
        planned = plan_shards([str(archive)], pages=1)
        assert [url for shard in planned for url in urls_in(shard)] == [url for url, _ in stories(50)]
    assert len(planned) == 1


def test_an_archive_that_is_packed_as_a_whole_has_each_page_once(tmp_path, monkeypatch):
    monkeypatch.setattr(shards, "BYTES_PER_PAGE", 100)
    archive = tmp_path / "crawl.warc.gz"
    archive.write_bytes(gzip.compress(b"".join(to_record(*page) for page in stories(20))))
    planned = plan_shards([str(archive)], pages=1)
    assert len(planned) > 1
    assert [url for shard in planned for url in urls_in(shard)] == [url for url, _ in stories(20)]


@pytest.mark.parametrize("packed", [True, False])
def test_reading_goes_on_behind_any_page(tmp_path, packed):
    archive = write_archive(tmp_path / ("crawl.warc.gz" if packed else "crawl.warc"), stories(8), packed=packed)
    (shard,) = plan_shards([str(archive)])
    positions = [position for position, _ in ShardPages(shard, LIMIT).pages(None)]
    for number, position in enumerate(positions):
        assert urls_in(shard, position) == [url for url, _ in stories(8)][number + 1 :]


def test_a_single_page_is_read_from_its_place(tmp_path):
    archive = write_archive(tmp_path / "crawl.warc.gz", stories(8))
    (shard,) = plan_shards([str(archive)])
    (place, _), page = list(ShardPages(shard, LIMIT).pages(None))[5]
    retried = shards.Shard("x", shards.FAILED_PAGES, str(archive), items=((str(archive), place),))
    assert [each for _, each in ShardPages(retried, LIMIT).pages(None)] == [page]


def test_folders_of_one_site_stay_together(tmp_path):
    for name, count in {"a": 6, "b": 6, "c": 3, "d": 25}.items():
        write_folder(tmp_path / "web" / name, count)
    planned = plan_shards([str(tmp_path / "web")], pages=10)
    assert [len(shard.items) for shard in planned] == [6, 9, 10, 10, 5]
    assert {item.split("/")[-2] for item in planned[1].items} == {"b", "c"}


def test_addresses_of_one_host_stay_together():
    named = [f"https://{host}.example/{number}" for number in range(4) for host in "abc"]
    planned = plan_shards(named, pages=5)
    assert [len(shard.items) for shard in planned] == [4, 4, 4]
    assert all(shard.kind == shards.ADDRESSES for shard in planned)


def test_shards_survive_json(tmp_path):
    import json

    archive = write_archive(tmp_path / "crawl.warc.gz", stories(3))
    planned = [*plan_shards([str(archive), str(write_folder(tmp_path / "pages", 3))])]
    planned.append(
        shards.Shard("r", shards.FAILED_PAGES, "x", items=(("x", (5, 0)), ("y", None)), retried="part-00000")
    )
    assert [shard_of(json.loads(json.dumps(shard.to_dict()))) for shard in planned] == planned


def test_planning_twice_gives_the_same_shards(tmp_path):
    folder = write_folder(tmp_path / "pages", 25)
    assert plan_shards([str(folder)], pages=10) == plan_shards([str(folder)], pages=10)
