"""<model>.json: the interface, memory and operators of a model for other tools."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from aot.analysis.executor_metadata import ExecutorMetadata, TensorInfo
from aot.codegen.files import GeneratedFile
from aot.codegen.provenance import Provenance
from aot.codegen.report import ModelReport

FORMAT = 1


def metadata_file(
    metadata: ExecutorMetadata,
    report: ModelReport,
    provenance: Provenance,
    files: Iterable[GeneratedFile],
) -> GeneratedFile:
    """The metadata as JSON; ``files`` are the generated ones that it hashes."""
    places = {a.name: a for a in metadata.io_allocations}
    memory = report.memory

    def tensor(info: TensorInfo) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "name": info.name,
            "tensor": info.tensor,
            "dtype": info.type.dtype.value,
            "shape": list(info.type.shape),
            "bytes": info.type.bytes,
        }
        if info.type.quantization is not None:
            entry["scale"] = list(info.type.quantization.scales)
            entry["zero_point"] = list(info.type.quantization.zero_points)
        if info.name in places:
            entry["pool"] = places[info.name].pool
            entry["offset"] = places[info.name].offset
        return entry

    content = {
        "format": FORMAT,
        "model": metadata.module_name,
        "microaot": provenance.version,
        "options": list(provenance.options),
        "sha256": {
            provenance.model_file: provenance.model_hash,
            **{f.name: hashlib.sha256(f.text.encode()).hexdigest() for f in files},
        },
        "executor": metadata.executor,
        "interface": metadata.interface,
        "convention": metadata.convention.value,
        "inputs": [tensor(t) for t in metadata.inputs],
        "outputs": [tensor(t) for t in metadata.outputs],
        "devices": list(metadata.devices),
        "pools": [
            {
                "name": use.pool.name,
                "kind": use.pool.kind.value,
                "bytes": use.bytes,
                "limit": use.pool.size_limit,
                "alignment": use.pool.alignment,
                "read_only": use.pool.read_only,
            }
            for use in memory.pools
        ],
        "memory": {
            "planner": report.algorithm,
            "weights": memory.weights,
            "workspace": memory.workspace,
            "workspace_with_io": report.workspace_with_io,
            "io": memory.io,
            "io_outside_pools": memory.io_outside,
            "lower_bound": memory.lower_bound,
            "code_estimate": report.code,
        },
        "operators": [
            {
                "index": row.index,
                "operator": row.operator,
                "origin": row.origin,
                "kernel": row.kernel,
                "strategy": row.strategy,
                "shape": list(row.shape),
                "macs": row.macs,
                "weight_bytes": row.weight_bytes,
                "live_bytes": row.live_bytes,
                "peak": row.is_peak,
            }
            for row in report.operators
        ],
    }
    text = json.dumps(content, indent=2, ensure_ascii=True)
    return GeneratedFile(f"{metadata.module_name}.json", text + "\n")
