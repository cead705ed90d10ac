"""The generated files that are kept beside the tests.

After a wanted change, ``python -m tests.codegen.golden_files`` writes them anew; read the
difference line by line before keeping it.
"""

from __future__ import annotations

from pathlib import Path

from aot.analysis.executor_metadata import executor_metadata
from aot.analysis.memory_summary import MemorySummary, PoolSummary
from aot.analysis.operator_table import OperatorRow
from aot.codegen.files import GeneratedFile, write_files
from aot.codegen.metadata_json import metadata_file
from aot.codegen.report import ModelReport, report_file
from aot.ir.tir import CallingConvention
from tests.codegen.harness import PROVENANCE, c_files, glue
from tests.codegen.modules import FLASH, RAM, adder, hooked, pooled_adder, scaler

FOLDER = Path(__file__).parent / "golden"

ADDER_REPORT = ModelReport(
    "adder",
    "by_hand",
    MemorySummary((PoolSummary(RAM, 24), PoolSummary(FLASH, 8)), 8, 24, 24, 24, 32),
    48,
    (
        OperatorRow(0, "add", "operator 0 `sum`", "add_0", "loops", (8,), 0, 0, 8, True),
        OperatorRow(1, "add", "operator 1 `sum;bias`", "add_0", "loops", (8,), 0, 8, 8, False),
    ),
    200,
)


def golden_files() -> tuple[GeneratedFile, ...]:
    """Every file to keep, as generated now."""
    packed = adder(CallingConvention.PACKED, name="packed")
    adder_c = c_files(adder())
    metadata = metadata_file(executor_metadata(adder()), ADDER_REPORT, PROVENANCE, adder_c)
    return (
        *adder_c,
        metadata,
        report_file(ADDER_REPORT, PROVENANCE),
        *c_files(scaler()),
        *c_files(pooled_adder())[:2],
        *c_files(hooked())[:2],
        c_files(packed)[1],
        glue([scaler(), pooled_adder()]),
    )


if __name__ == "__main__":
    write_files(golden_files(), FOLDER)
