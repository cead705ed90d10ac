"""Boards on other hosts through labgrid: acquires a place and tells the URL of its serial port."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import yaml

from aot.hil.errors import HilError, ProgramMissingError
from aot.hil.lab import Place

_CLIENT = "labgrid-client"
_SECONDS = 60.0
# What SerialDriver of labgrid opens for each protocol of a NetworkSerialPort.
# A serial server need not control lines that the board does not have.
_URLS = {"rfc2217": "rfc2217://{host}:{port}?ign_set_control", "raw": "socket://{host}:{port}"}


class PlaceError(HilError):
    """The coordinator does not give the place, or the place has no serial port to use."""


@contextmanager
def acquired(place: Place) -> Iterator[str]:
    """Holds ``place`` until the context ends; yields the URL of its NetworkSerialPort.

    Raises ProgramMissingError without labgrid, PlaceError where the place is held by somebody
    else, unknown, or without such a port.
    """
    client = _client(place)
    _ask(client, place, "acquire")
    try:
        yield _serial_url(_ask(client, place, "env"), place)
    finally:
        # An exporter that is gone has let go by itself, and a failed test must stay the message.
        with suppress(PlaceError):
            _ask(client, place, "release")


def _client(place: Place) -> str:
    """labgrid's command-line client: of this installation, or of the PATH."""
    beside = Path(sys.executable).with_name(_CLIENT)
    found = str(beside) if beside.is_file() else shutil.which(_CLIENT)
    if found is None:
        raise ProgramMissingError(
            "labgrid is not installed",
            where=f"place {place.name}",
            remedy="install the extra: pip install 'microaot[labgrid]'",
        )
    return found


def _ask(client: str, place: Place, command: str) -> str:
    """What the client says to ``command``. The library behind it keeps one event loop and one
    coordinator per process, and boards are tested in threads: so each call is a process."""
    argv = [client, "--coordinator", place.coordinator, "--place", place.name, command]
    where = f"place {place.name} at {place.coordinator}"
    try:
        result = subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise PlaceError(f"labgrid does not answer within {_SECONDS:.0f} s", where=where) from error
    if result.returncode:
        raise PlaceError(
            f"labgrid refuses to {command}: {_last_line(result.stderr + result.stdout)}",
            where=where,
            remedy=f"see `labgrid-client --coordinator {place.coordinator} places` and `who`",
        )
    return result.stdout


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else "it says nothing"


def _serial_url(env: str, place: Place) -> str:
    """The URL of the only NetworkSerialPort in the place's environment, labgrid's YAML."""
    where = f"place {place.name} at {place.coordinator}"
    try:
        # The client takes an alias for the place, so the name may be another.
        (target,) = yaml.safe_load(env)["targets"].values()
        resources = target["resources"]
        ports = [r["NetworkSerialPort"] for r in resources if "NetworkSerialPort" in r]
        protocols = [(str(p["host"]), int(p["port"]), p.get("protocol", "rfc2217")) for p in ports]
    except (yaml.YAMLError, KeyError, TypeError, ValueError) as error:
        raise PlaceError(f"labgrid describes it in another form ({error})", where=where) from error
    if len(protocols) != 1:
        raise PlaceError(
            f"has {len(protocols)} network serial ports where one is needed",
            where=where,
            remedy="match one serial port of the exporter",
        )
    host, port, protocol = protocols[0]
    if protocol not in _URLS:
        raise PlaceError(f"its port speaks {protocol}", where=where, remedy="use rfc2217 or raw")
    if ":" in host and not re.fullmatch(r"\[.*\]", host):
        host = f"[{host}]"
    return _URLS[protocol].format(host=host, port=port)
