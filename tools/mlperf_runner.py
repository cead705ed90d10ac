"""Runs MLPerf Tiny's public runner, as it stands, on a serial port that is no USB device.

The runner looks for boards among USB serial ports by vendor and product. A pseudo-terminal, a
UART of a single-board computer or a port of ser2net is none, so that the runner's search must
see it as one; nothing else changes.

    python tools/mlperf_runner.py PORT path/to/benchmark/runner [arguments of its main.py]
"""

from __future__ import annotations

import argparse
import os
import runpy
import sys
from pathlib import Path
from unittest import mock

from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

# The board under test in the runner's own device lists has an ST-LINK/V2-1.
_VENDOR, _PRODUCT = 0x0483, 0x374B


def usb_port(device: str) -> ListPortInfo:
    """``device`` as the runner's search would find a board's USB serial port."""
    port = ListPortInfo(device)
    port.vid, port.pid = _VENDOR, _PRODUCT
    return port


def main() -> None:
    """Runs main.py of the runner in this process and the current folder."""
    parser = argparse.ArgumentParser(description="Runs MLPerf Tiny's runner on a named port.")
    parser.add_argument("port", help="serial device on which the board answers")
    parser.add_argument("runner", type=Path, help="folder of the runner's main.py")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="arguments of main.py")
    given = parser.parse_args()
    if not (given.runner / "main.py").is_file():
        parser.error(f"{given.runner} has no main.py")
    if not os.path.exists(given.port):
        parser.error(f"there is no port {given.port}")
    script = given.runner.resolve() / "main.py"
    sys.path[0] = str(script.parent)
    sys.argv = [str(script), *given.arguments]
    with mock.patch.object(list_ports, "comports", return_value=[usb_port(given.port)]):
        runpy.run_path(str(script), run_name="__main__")


if __name__ == "__main__":
    main()
