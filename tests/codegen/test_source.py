"""Generated models, compiled strictly and run."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from aot.ir.module import IRModule
from aot.ir.tir import CallingConvention
from tests.codegen.golden_files import golden_files
from tests.codegen.harness import C99, CPP11, SANITIZERS, build, run, text_of
from tests.codegen.modules import BIAS, CURVE, GAINS, adder, hooked, pooled_adder, scaler

PACKED, UNPACKED = CallingConvention.PACKED, CallingConvention.UNPACKED
CPP = [pytest.param(C99, id="c99"), pytest.param(CPP11, id="c++11")]

RNG = np.random.default_rng(7)
LEFT, RIGHT = (RNG.integers(-128, 128, 8, dtype=np.int8) for _ in range(2))
SIGNAL = np.array([1.5, -0.25, 3.0, 1e3], np.float32)
ADDER_IN = LEFT.tobytes() + RIGHT.tobytes()
SCALER_IN = SIGNAL.tobytes() + bytes(8)


def saturated(total: np.ndarray) -> np.ndarray:
    return np.clip(total, -128, 127)


ADDER_OUT = (
    saturated(saturated(LEFT.astype(int) + RIGHT) + np.array(BIAS)).astype(np.int8).tobytes()
)
SCALER_OUT = (SIGNAL * np.array(GAINS, np.float32) * np.array(CURVE, np.float32)).tobytes()


@pytest.mark.parametrize("command", CPP)
@pytest.mark.parametrize(
    ("module", "given", "wanted"),
    [
        (adder(), ADDER_IN, ADDER_OUT),
        (adder(PACKED), ADDER_IN, ADDER_OUT),
        (pooled_adder(), ADDER_IN, ADDER_OUT),
        (scaler(), SCALER_IN, SCALER_OUT),
        (scaler(PACKED), SCALER_IN, SCALER_OUT),
    ],
    ids=["adder", "adder-packed", "pooled", "scaler", "scaler-packed"],
)
def test_computes_whatever_the_pools_held(
    tmp_path: Path, module: IRModule, given: bytes, wanted: bytes, command: tuple[str, ...]
):
    program = build(tmp_path, [module], *SANITIZERS, command=command)
    for fill in ("00", "55", "ff"):
        assert run(program, given, fill) == wanted


@pytest.mark.parametrize("level", ["-O0", "-O2", "-Os", "-O3"])
def test_computes_the_same_when_optimised(tmp_path: Path, level: str):
    program = build(tmp_path, [scaler(), adder()], level, "-flto")
    assert run(program, SCALER_IN + ADDER_IN) == SCALER_OUT + ADDER_OUT


def test_models_live_side_by_side(tmp_path: Path):
    modules = [adder(), adder(PACKED, name="adder_2"), pooled_adder(), scaler()]
    program = build(tmp_path, modules, *SANITIZERS)
    given = 3 * ADDER_IN + SCALER_IN
    assert run(program, given) == 3 * ADDER_OUT + SCALER_OUT


def test_ports_called_like_everything_in_the_source(tmp_path: Path):
    for i, ports in enumerate([("int_", "args", "NULL_"), ("inputs", "outputs", "ram_2")]):
        for convention in (UNPACKED, PACKED):
            folder = tmp_path / f"{i}{convention.value}"
            program = build(folder, [adder(convention, name="run", ports=ports)], *SANITIZERS)
            assert run(program, ADDER_IN) == ADDER_OUT


HOOKS = """\
#include "hooked.h"
#include <stdio.h>
static int count;
static int32_t hook(const char *name, const void *context) {
  fprintf(stderr, "%s%s ", name, context == NULL ? "" : "!");
  return count++ == FAILS ? 1 : 0;
}
int32_t hooked_npu_activate(void *context) { return hook("activate", context); }
int32_t hooked_npu_open(void *context) { return hook("open", context); }
int32_t hooked_npu_close(void *context) { return hook("close", context); }
int32_t hooked_npu_deactivate(void *context) { return hook("deactivate", context); }
"""


@pytest.mark.parametrize(
    ("fails", "code", "called"),
    [
        (9, 0, "activate open close deactivate "),
        (0, 3, "activate "),
        (1, 3, "activate open "),
        (2, 3, "activate open close "),
        (3, 3, "activate open close deactivate "),
    ],
)
def test_a_failing_hook_ends_the_run(tmp_path: Path, fails: int, code: int, called: str):
    program = build(tmp_path, [hooked()], f"-DFAILS={fails}", extra=HOOKS)
    done = subprocess.run([str(program)], input=ADDER_IN, capture_output=True, check=False)
    assert (done.returncode, done.stderr.decode()) == (code, called)
    assert done.stdout == (b"" if code else ADDER_OUT)


ARGUMENTS = """\
#include "scaler.h"
#include <stddef.h>
int arguments(void);
int arguments(void) {
  static union { double align; uint8_t bytes[64]; } ram, tight;
  static float signal[4], scaled[4];
  static int32_t unused[2];
  struct scaler_inputs in = {signal, unused};
  struct scaler_outputs out = {scaled};
  struct scaler_workspace_pools work = {ram.bytes};
  struct scaler_constant_pools fixed = {tight.bytes};
  int failures = 0;
#define EXPECT(code) failures += scaler_run(&in, &out, &work, &fixed) != (code)
  failures += scaler_init(NULL) != SCALER_ERROR_NULL;
  failures += scaler_init(&fixed) != SCALER_OK;
  EXPECT(SCALER_OK);
  failures += scaler_run(NULL, &out, &work, &fixed) != SCALER_ERROR_NULL;
  failures += scaler_run(&in, NULL, &work, &fixed) != SCALER_ERROR_NULL;
  failures += scaler_run(&in, &out, NULL, &fixed) != SCALER_ERROR_NULL;
  failures += scaler_run(&in, &out, &work, NULL) != SCALER_ERROR_NULL;
  in.unused = NULL;
  EXPECT(SCALER_ERROR_NULL);
  in.unused = unused;
  in.signal = NULL;
  EXPECT(SCALER_ERROR_NULL);
  in.signal = signal;
  out.scaled = NULL;
  EXPECT(SCALER_ERROR_NULL);
  out.scaled = (float *)(void *)(tight.bytes + 41);
  EXPECT(SCALER_ERROR_ALIGNMENT);
  out.scaled = scaled;
  work.ram = ram.bytes + 4;
  EXPECT(SCALER_ERROR_ALIGNMENT);
  work.ram = NULL;
  EXPECT(SCALER_ERROR_NULL);
  work.ram = ram.bytes + 8;
  fixed.tight = tight.bytes + 2;
  EXPECT(SCALER_ERROR_ALIGNMENT);
  fixed.tight = NULL;
  EXPECT(SCALER_ERROR_NULL);
  failures += scaler_init(&fixed) != SCALER_ERROR_NULL;
  fixed.tight = tight.bytes;
  EXPECT(SCALER_OK);
  return failures;
}
int (*const run_arguments)(void) = arguments;
int check(void);
int check(void) { return run_arguments(); }
__attribute__((constructor)) static void before_main(void) {
  if (check() != 0) { __builtin_trap(); }
}
"""


def test_bad_arguments_have_codes(tmp_path: Path):
    program = build(tmp_path, [scaler()], "-fsanitize=undefined", extra=ARGUMENTS)
    assert run(program, SCALER_IN) == SCALER_OUT


def test_nothing_writable_is_global(tmp_path: Path):
    build(tmp_path, [scaler(), adder()])
    for path in ("scaler.gcc.o", "adder.gcc.o", "scaler_data.gcc.o"):
        listing = subprocess.run(
            ["nm", str(tmp_path / path)], capture_output=True, text=True, check=True
        ).stdout
        kinds = {line.split()[-2] for line in listing.splitlines()}
        assert kinds <= {"T", "t", "U", "R", "r"}


def test_every_global_symbol_carries_the_model_name(tmp_path: Path):
    build(tmp_path, [scaler()])
    listing = subprocess.run(
        ["nm", "-g", "--defined-only", str(tmp_path / "scaler.gcc.o")],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert {line.split()[-1] for line in listing.splitlines()} == {"scaler_run", "scaler_init"}


def test_includes_are_the_three_standard_headers_that_exist_everywhere():
    for module in (adder(), scaler()):
        lines = text_of(module, f"{module.name}.c").splitlines()
        angled = {line for line in lines if line.startswith("#include <")}
        assert angled == {"#include <stddef.h>", "#include <string.h>"}


def test_text_does_not_depend_on_the_hash_seed():
    script = (
        "import hashlib; from tests.codegen.golden_files import golden_files\n"
        "print(hashlib.sha256(repr(golden_files()).encode()).hexdigest())"
    )
    here = hashlib.sha256(repr(golden_files()).encode()).hexdigest()
    for seed in ("0", "1", "4242"):
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == here
