"""Lab files: what twister writes, what is refused and where, names apart."""

from __future__ import annotations

import pytest

from aot.boards.errors import BoardFileError
from aot.boards.loader import load_board
from aot.hil.lab import LabError, Place, read_lab, single

# As `twister --generate-hardware-map` writes it, with boards and fixtures filled in.
TWISTER = """\
- connected: true
  id: 000683759358
  platform: nrf52840dk/nrf52840
  product: J-Link
  runner: jlink
  serial: null
- connected: true
  id: 0672FF485077
  platform: nucleo_f446re
  product: STM32 STLink
  runner: openocd
  serial: /dev/ttyACM1
  baud: 921600
  fixtures:
    - gpio_loopback
  flash_timeout: 60
  notes: Left of the window
- connected: false
  id: DT04BNT1
  platform: unknown
  product: unknown
  runner: unknown
  serial: null
"""


@pytest.fixture
def lab(tmp_path):
    def read(text):
        (tmp_path / "lab.yaml").write_text(text)
        return read_lab(tmp_path / "lab.yaml")

    return read


def test_a_map_that_twister_wrote(lab):
    nordic, st = lab(TWISTER)
    assert (nordic.name, nordic.probe, nordic.port) == ("nrf52840dk", "000683759358", None)
    assert (nordic.runner, nordic.starts) == ("jlink", False)
    assert (st.name, st.probe, st.port) == ("nucleo_f446re", "0672FF485077", "/dev/ttyACM1")
    assert st.board.console.baud == 921600
    assert st.identity == "0672FF485077 /dev/ttyACM1"


def test_emulated_boards_need_neither_port_nor_id(lab):
    qemu, native = lab(
        "- {connected: true, platform: mps2-an386}\n- {connected: true, platform: native}\n"
    )
    assert (qemu.name, qemu.runner, qemu.starts) == ("mps2-an386", "qemu", True)
    assert (native.name, native.runner, native.starts) == ("host", "native", True)
    assert qemu.identity == "qemu"


def test_a_board_that_could_be_emulated_is_real_where_a_runner_programs_it(lab):
    (entry,) = lab("- {connected: true, platform: microbit, id: 99, runner: pyocd}\n")
    assert not entry.starts


def test_two_of_one_type_get_names_apart(lab):
    entry = "- {{connected: true, platform: {}{}}}\n"
    names = [
        e.name
        for e in lab(
            entry.format("nucleo_f446re", ", id: 066C/..")
            + entry.format("nucleo_f446re", ", serial: /dev/ttyACM3")
            + entry.format("rpi_pico", ", id: E66")
            + entry.format("mps2-an386", "")
            + entry.format("mps2-an386", "")
        )
    ]
    assert names == [
        *("nucleo_f446re@066C", "nucleo_f446re@dev_ttyACM3", "rpi_pico"),
        *("mps2-an386@4", "mps2-an386@5"),
    ]


def test_ids_that_look_alike_as_folders(lab):
    names = [
        e.name
        for e in lab(
            "".join(f"- {{connected: true, platform: host, id: {i}}}\n" for i in "a/b a:b".split())
        )
    ]
    assert names == ["host@a_b", "host@a_b_"]


def test_variants_of_one_board(lab):
    text = "- connected: true\n  platform: {}\n"
    one = "nrf5340dk/nrf5340/cpuapp nrf5340dk/nrf5340/cpuapp/ns"
    assert lab(text.format(one))[0].board.name == "nrf5340dk"
    assert lab(text.format(f"[{one.replace(' ', ', ')}]"))[0].board.name == "nrf5340dk"
    with pytest.raises(BoardFileError, match=r"lab.yaml:2: \[0\].platform: names several boards"):
        lab(text.format("nrf5340dk rpi_pico"))


def test_a_place_of_labgrid(lab):
    (entry,) = lab(
        "- connected: true\n  platform: microbit\n"
        "  labgrid: {place: shelf-3, coordinator: 'lab.example:20408'}\n"
    )
    assert entry.place == Place("shelf-3", "lab.example:20408")
    assert entry.identity == "shelf-3 at lab.example:20408"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- {connected: true, platform: rpi_pcio}\n", r":1: \[0\].platform: .*'rpi_pico'"),
        ("- {connected: true}\n", r":1: \[0\]: lacks the key 'platform'"),
        ("- {connected: maybe, platform: host}\n", r":1: \[0\].connected: unknown value"),
        ("- connected: true\n  platfrom: host\n", r":2: \[0\]: unknown key .*'platform'"),
        (
            "- {connected: true, platform: rpi_pico, runner: openodc}\n",
            r"unknown runner of rpi_pico 'openodc'.*'openocd'",
        ),
        (
            "- {connected: true, platform: rpi_pico, baud: fast}\n",
            r"\[0\].baud: must be an integer",
        ),
        (
            "- {connected: true, platform: rpi_pico, serial_pty: /x}\n",
            r"\[0\].serial_pty: .*name the device",
        ),
        (
            "- {connected: true, platform: rpi_pico, id: 7}\n"
            "- {connected: true, platform: rpi_pico, id: 7}\n",
            r":2: \[1\].id: is another board's, on line 1",
        ),
        (
            "- {connected: true, platform: rpi_pico, serial: /dev/x}\n"
            "- {connected: true, platform: rpi_pico2, serial: /dev/x}\n",
            r":2: \[1\].serial: is another board's, on line 1",
        ),
        (
            "- {connected: true, platform: host, labgrid: {place: a, coordinator: b}}\n",
            r"\[0\].labgrid.coordinator: must be a host and a port",
        ),
        ("connected: true\n", r"must be a list, not a mapping"),
        ("", r"the file is empty"),
    ],
)
def test_refusals(lab, text, message):
    with pytest.raises(BoardFileError, match=message):
        lab(text)


def test_no_board_is_connected(lab):
    with pytest.raises(LabError, match="no board is connected"):
        lab("- {connected: false, platform: rpi_pico}\n")


def test_an_entry_without_a_lab_file():
    board = load_board("microbit")
    assert single(board, None, None, None).starts
    entry = single(board, "99", None, "pyocd")
    assert (entry.name, entry.probe, entry.runner, entry.starts) == (
        "microbit",
        "99",
        "pyocd",
        False,
    )
