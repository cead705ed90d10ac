"""UF2 images: what mass-storage boot loaders take.

UF2 file format (Microsoft), "File format": blocks of 512 bytes with 256 of contents each.
"""

from __future__ import annotations

import struct

_MAGIC = (0x0A324655, 0x9E5D5157)
_END = 0x0AB16F30
_FAMILY_PRESENT = 0x2000
_PAYLOAD = 256
_DATA_BYTES = 476


def uf2_image(raw: bytes, address: int, family: int) -> bytes:
    """``raw``, which belongs at ``address``, as blocks for the chip family of that number."""
    count = -(-len(raw) // _PAYLOAD)
    return b"".join(
        struct.pack(
            f"<8I{_DATA_BYTES}sI",
            *_MAGIC,
            _FAMILY_PRESENT,
            address + _PAYLOAD * i,
            _PAYLOAD,
            i,
            count,
            family,
            raw[_PAYLOAD * i : _PAYLOAD * (i + 1)],
            _END,
        )
        for i in range(count)
    )
