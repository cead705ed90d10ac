"""A browser opens the page and reads the map back."""

from __future__ import annotations

import json
import shutil

import pytest

from aot.codegen.files import write_files
from aot.report.files import report_files
from tests.report.reports import HOSTILE, compiled, digits, hostile, report

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")

READ_MAPS = """\
maps => maps.map(svg => ({
  pool: svg.dataset.pool,
  model: svg.closest('section').dataset.model,
  rects: [...svg.querySelectorAll('rect[data-buffer]')].map(r => {
    const box = r.getBBox();
    return {...r.dataset, title: r.querySelector('title').textContent,
            width: box.width, height: box.height, y: box.y};
  }),
}))
"""


@pytest.fixture(scope="module")
def browser():
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("needs chromium")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser, tmp_path):
    """Opens the page of a report; the page, its maps, and the report as JSON has it.

    At the end of the test nothing may have gone wrong or over the network.
    """
    noise, requests = [], []
    page = browser.new_page()
    page.on("console", lambda message: noise.append(message.text))
    page.on("pageerror", lambda error: noise.append(str(error)))
    page.on("dialog", lambda dialog: (noise.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: requests.append(request.url))

    def open_page(*models):
        write_files(report_files(report(*models)), tmp_path)
        page.goto((tmp_path / "report.html").as_uri())
        maps = page.locator("svg.map").evaluate_all(READ_MAPS)
        return page, maps, json.loads((tmp_path / "report.json").read_text())

    yield open_page
    page.close()
    assert noise == []
    assert requests == [(tmp_path / "report.html").as_uri()]


def expected(content):
    """Model, pool, name, tensor, offset, bytes and interval of every rectangle there must be."""
    return sorted(
        (
            *(model["name"], b["pool"], f"{b['function']}/{b['name']}", b["offset"], b["bytes"]),
            *(first, last),
        )
        for model in content["models"]
        for b in model["buffers"]
        for first, last in b["live"]
    )


def found(maps):
    return sorted(
        (
            *(m["model"], m["pool"], r["buffer"], int(r["offset"]), int(r["bytes"])),
            *(int(r["first"]), int(r["last"])),
        )
        for m in maps
        for r in m["rects"]
    )


def test_rectangles_are_the_plan(opened):
    _, maps, content = opened(digits(io_in_pools=True), compiled(hostile(), name="second")[1])
    assert found(maps) == expected(content)
    tensors = {f"main/{b['name']}": b["tensor"] for b in content["models"][0]["buffers"]}
    for drawn in (m for m in maps if m["model"] == "tested"):
        unit = {round(r["height"] / int(r["bytes"]), 2) for r in drawn["rects"]}
        assert max(unit) - min(unit) < 0.02
        for r in drawn["rects"]:
            assert r["title"] == (
                f"{tensors[r['buffer']]} ({r['buffer']}): {int(r['bytes']):,} bytes at offset "
                f"{int(r['offset']):,}, live in steps "
                + (r["first"] if r["first"] == r["last"] else f"{r['first']} to {r['last']}")
            )


def test_hostile_names_are_text(opened):
    page, maps, content = opened(compiled(hostile())[1])
    assert found(maps) == expected(content)
    titles = [r["title"] for m in maps for r in m["rects"]]
    assert any(t.startswith(f"{HOSTILE} (main/") for t in titles)
    assert any(t.startswith(f"]]></svg>{HOSTILE} (main/") for t in titles)
    assert page.locator("script").count() == 0
    assert page.get_by_role("cell", name=HOSTILE, exact=True).count() > 0
    assert page.locator("[onload]").count() == 0


def test_summary_is_what_json_says(opened):
    page, _, content = opened(digits())
    text = page.locator("#summary").inner_text()
    for region in content["memory"]["regions"]:
        assert f"region {region['name']}\t{region['bytes']:,}\t{region['limit']:,}" in text
    rows = page.locator("section.model table").last.locator("tbody tr")
    assert rows.count() == len(content["models"][0]["operators"])
