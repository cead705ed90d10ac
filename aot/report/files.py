"""The report as files, and the files as reports."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import aot
from aot.boards.board import Board
from aot.codegen.files import GeneratedFile
from aot.errors import MicroaotError
from aot.report.decode import ShapeError, decode
from aot.report.memory import firmware_memory
from aot.report.page import report_page
from aot.report.record import RECORD_FILE, measured
from aot.report.schema import SCHEMA, Model, Report
from aot.report.table import operator_csv

PAGE_FILE, DATA_FILE, TABLE_FILE = REPORT_FILES = ("report.html", "report.json", "report.csv")


class ReportFileError(MicroaotError):
    """A report.json that cannot be read or that another version wrote."""


def firmware_report(
    board: Board, image: Path, build_id: str, models: Sequence[Model], folder: Path
) -> Report:
    """The report of ``image``, with the record of a test of this build where ``folder`` has one.

    Raises ImageFormatError or MeasurementError.
    """
    return Report(
        SCHEMA,
        board.name,
        build_id,
        aot.__version__,
        board.toolchain.id,
        firmware_memory(board, image, models),
        measured(tuple(models), folder / RECORD_FILE, build_id),
    )


def report_files(report: Report) -> tuple[GeneratedFile, ...]:
    """The page, the data and the table, named as in REPORT_FILES."""
    return (
        GeneratedFile(PAGE_FILE, report_page(report)),
        GeneratedFile(DATA_FILE, _json(asdict(report))),
        GeneratedFile(TABLE_FILE, operator_csv(report)),
    )


def read_report(path: Path) -> Report:
    """The report in a report.json. Raises ReportFileError."""
    remedy = "name a report.json that this version wrote"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(data, dict) and data.get("schema", SCHEMA) != SCHEMA:
            raise ShapeError(f"its schema is {data['schema']}, not {SCHEMA}")
        return decode(Report, data)
    except OSError as error:
        raise ReportFileError(
            f"cannot be read: {error.strerror}", where=str(path), remedy=remedy
        ) from error
    except (ValueError, RecursionError) as error:
        raise ReportFileError(f"is no report ({error})", where=str(path), remedy=remedy) from error


def models_file(name: str, models: Sequence[Model]) -> GeneratedFile:
    """The sections of ``models`` as a file, for a build that links in another step."""
    return GeneratedFile(name, _json([asdict(m) for m in models]))


def read_models(text: str) -> tuple[Model, ...]:
    """The sections in the text of such a file, which the same build wrote."""
    return tuple(decode(Model, entry) for entry in json.loads(text))


def _json(content: object) -> str:
    return json.dumps(content, indent=2, sort_keys=True, ensure_ascii=True) + "\n"
