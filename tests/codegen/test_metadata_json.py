"""<model>.json for other tools."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

from aot.analysis.executor_metadata import executor_metadata
from aot.codegen.metadata_json import metadata_file
from tests.codegen.golden_files import ADDER_REPORT
from tests.codegen.harness import PROVENANCE, c_files
from tests.codegen.modules import adder, pooled_adder


def test_hashes_are_those_of_the_files_on_disk():
    files = c_files(adder())
    content = json.loads(
        metadata_file(executor_metadata(adder()), ADDER_REPORT, PROVENANCE, files).text
    )
    assert content["sha256"].pop(PROVENANCE.model_file) == PROVENANCE.model_hash
    assert list(content["sha256"]) == ["adder.h", "adder.c", "adder_data.h", "adder_data.c"]
    for file in files:
        assert content["sha256"][file.name] == hashlib.sha256(file.text.encode()).hexdigest()


def test_interface_has_original_names_and_places_in_pools():
    metadata = executor_metadata(pooled_adder())
    content = json.loads(metadata_file(metadata, ADDER_REPORT, PROVENANCE, ()).text)
    assert [t["tensor"] for t in content["inputs"]] == ["serving/left:0", "right */ #error"]
    assert [(t["name"], t["pool"], t["offset"]) for t in content["outputs"]] == [("sum", "ram", 32)]


def test_names_in_any_alphabet_survive():
    metadata = executor_metadata(adder())
    names = ["数据", 'a"b\\c\n', "\udcff"]
    inputs = tuple(replace(metadata.inputs[0], tensor=n) for n in names)
    file = metadata_file(replace(metadata, inputs=inputs), ADDER_REPORT, PROVENANCE, ())
    assert file.text.encode("ascii")
    assert [t["tensor"] for t in json.loads(file.text)["inputs"]] == names
