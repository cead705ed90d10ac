"""One-operator models with random parameters, for every supported operator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.support.tflite_builder import ModelBuilder

Array = npt.NDArray[Any]
_RELU_LIKE = (0, 1, 2, 3)


@dataclass
class Case:
    """A model and inputs for it."""

    model: bytes
    inputs: list[Array]


class Dice:
    """Random choices that a seed repeats."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def below(self, low: int, high: int) -> int:
        """An int in [low, high]."""
        return int(self.rng.integers(low, high + 1))

    def pick(self, items: Any) -> Any:
        return items[self.below(0, len(items) - 1)]

    def scale(self, low: float = 0.003, high: float = 0.2) -> float:
        """A float32 scale."""
        return float(np.float32(np.exp(self.rng.uniform(np.log(low), np.log(high)))))

    def zero(self) -> int:
        return self.below(-128, 127)

    def stored(self, shape: tuple[int, ...]) -> Array:
        return self.rng.integers(-128, 128, shape, dtype=np.int8)

    def real(self, shape: tuple[int, ...], spread: float = 2.0) -> Array:
        return self.rng.normal(0, spread, shape).astype(np.float32)

    def shape(self, rank: int, most: int = 5) -> tuple[int, ...]:
        return tuple(self.below(1, most) for _ in range(rank))


class _Build:
    """A model of one operator, int8 or float32."""

    def __init__(self, seed: int, dtype: str) -> None:
        self.dice = Dice(seed)
        self.dtype = dtype
        self.b = ModelBuilder()
        self.arrays: list[Array] = []

    @property
    def quantized(self) -> bool:
        return self.dtype == "int8"

    def tensor(self, shape: tuple[int, ...], scale: Any = None, zero: Any = None) -> int:
        if not self.quantized:
            return self.b.tensor(shape, "float32")
        scale = self.dice.scale() if scale is None else scale
        zero = self.dice.zero() if zero is None else zero
        return self.b.tensor(shape, "int8", scale=scale, zero=zero)

    def input(self, shape: tuple[int, ...], scale: Any = None, zero: Any = None) -> int:
        index = self.tensor(shape, scale, zero)
        self.b.inputs.append(index)
        dice = self.dice
        self.arrays.append(dice.stored(shape) if self.quantized else dice.real(shape))
        return index

    def quantization(self, index: int) -> tuple[float, int]:
        t = self.b.tensors[index]
        return (t.scales[0], t.zeros[0]) if t.scales else (0.0, 0)

    def like(self, index: int, shape: tuple[int, ...]) -> int:
        """A result with the quantization of another tensor."""
        return self.tensor(shape, *self.quantization(index))

    def ints(self, values: Any, dtype: str = "int32") -> int:
        array = np.array(values, dtype)
        return self.b.tensor(array.shape, dtype, data=array)

    def case(self, output: int) -> Case:
        self.b.outputs.append(output)
        return Case(self.b.build(), self.arrays)

    def weights(self, shape: tuple[int, ...], axis: int, per_channel: bool) -> int:
        if not self.quantized:
            return self.b.tensor(shape, "float32", data=self.dice.real(shape, 0.5))
        count = shape[axis] if per_channel else 1
        scales = tuple(self.dice.scale(0.002, 0.02) for _ in range(count))
        data = self.dice.stored(shape)
        return self.b.tensor(shape, "int8", scale=scales, zero=(0,) * count, axis=axis, data=data)

    def bias(self, channels: int, source: int, weights: int, always: bool = False) -> list[int]:
        """The bias as a list of operands, which is empty in one of four cases."""
        if not always and self.dice.below(0, 3) == 0:
            return []
        if not self.quantized:
            return [self.b.tensor((channels,), "float32", data=self.dice.real((channels,)))]
        scales = self.b.tensors[weights].scales
        product = tuple(float(np.float32(self.quantization(source)[0] * s)) for s in scales)
        data = self.dice.rng.integers(-3000, 3000, (channels,), dtype=np.int32)
        zeros = (0,) * len(product)
        return [self.b.tensor((channels,), "int32", scale=product, zero=zeros, data=data)]

    def window(self, taps: int, dilation: int) -> tuple[int, int, int, int]:
        """Input size, stride, padding (0 SAME, 1 VALID) and output size of one axis."""
        reach = (taps - 1) * dilation + 1
        size = self.dice.below(reach, reach + 6)
        return size, self.dice.below(1, 3), reach, dilation


def _outputs(size: int, stride: int, reach: int, padding: int) -> int:
    return -(-size // stride) if padding == 0 else (size - reach) // stride + 1


def _conv(seed: int, dtype: str) -> Case:
    m = _Build(seed, dtype)
    dice = m.dice
    kh, kw, dh, dw = dice.below(1, 4), dice.below(1, 4), dice.below(1, 2), dice.below(1, 2)
    h, sh, rh, _ = m.window(kh, dh)
    w, sw, rw, _ = m.window(kw, dw)
    padding = dice.below(0, 1)
    c, out = dice.below(1, 6), dice.below(1, 6)
    x = m.input((dice.below(1, 2), h, w, c))
    f = m.weights((out, kh, kw, c), 0, dice.below(0, 1) == 1)
    bias = m.bias(out, x, f, always=True)
    n = m.b.tensors[x].shape[0]
    shape = (n, _outputs(h, sh, rh, padding), _outputs(w, sw, rw, padding), out)
    y = m.tensor(shape, dice.scale(0.02, 0.5) if m.quantized else None)
    options = {
        "Padding": padding,
        "StrideH": sh,
        "StrideW": sw,
        "DilationHFactor": dh,
        "DilationWFactor": dw,
        "FusedActivationFunction": dice.pick(_RELU_LIKE),
    }
    m.b.op("CONV_2D", [x, f, *bias], [y], ("Conv2DOptions", options), 3)
    return m.case(y)


def _depthwise(seed: int, dtype: str) -> Case:
    m = _Build(seed, dtype)
    dice = m.dice
    kh, kw, dh, dw = dice.below(1, 4), dice.below(1, 4), dice.below(1, 2), dice.below(1, 2)
    h, sh, rh, _ = m.window(kh, dh)
    w, sw, rw, _ = m.window(kw, dw)
    padding = dice.below(0, 1)
    c, multiplier = dice.below(1, 5), dice.below(1, 3)
    x = m.input((dice.below(1, 2), h, w, c))
    f = m.weights((1, kh, kw, c * multiplier), 3, dice.below(0, 1) == 1)
    bias = m.bias(c * multiplier, x, f)
    n = m.b.tensors[x].shape[0]
    shape = (n, _outputs(h, sh, rh, padding), _outputs(w, sw, rw, padding), c * multiplier)
    y = m.tensor(shape, dice.scale(0.02, 0.5) if m.quantized else None)
    options = {
        "Padding": padding,
        "StrideH": sh,
        "StrideW": sw,
        "DepthMultiplier": multiplier,
        "DilationHFactor": dh,
        "DilationWFactor": dw,
        "FusedActivationFunction": dice.pick(_RELU_LIKE),
    }
    m.b.op("DEPTHWISE_CONV_2D", [x, f, *bias], [y], ("DepthwiseConv2DOptions", options), 3)
    return m.case(y)


def _fully_connected(seed: int, dtype: str) -> Case:
    m = _Build(seed, dtype)
    dice = m.dice
    depth, out, rows = dice.below(1, 40), dice.below(1, 12), dice.below(1, 3)
    keep = dice.below(0, 1)
    x = m.input((rows, 2, depth) if keep else (rows, depth))
    w = m.weights((out, depth), 0, dice.below(0, 1) == 1)
    bias = m.bias(out, x, w)
    y = m.tensor((rows, 2, out) if keep else (rows, out), dice.scale(0.02, 0.5))
    options = {"KeepNumDims": bool(keep), "FusedActivationFunction": dice.pick(_RELU_LIKE)}
    # Here the reference also takes an index of -1 for the bias that is absent.
    m.b.op("FULLY_CONNECTED", [x, w, *(bias or [-1])], [y], ("FullyConnectedOptions", options), 4)
    return m.case(y)


def _pool(code: str) -> Callable[[int, str], Case]:
    def build(seed: int, dtype: str) -> Case:
        m = _Build(seed, dtype)
        dice = m.dice
        kh, kw = dice.below(1, 4), dice.below(1, 4)
        h, sh, rh, _ = m.window(kh, 1)
        w, sw, rw, _ = m.window(kw, 1)
        padding = dice.below(0, 1)
        n, c = dice.below(1, 2), dice.below(1, 5)
        x = m.input((n, h, w, c))
        y = m.like(x, (n, _outputs(h, sh, rh, padding), _outputs(w, sw, rw, padding), c))
        options = {
            "Padding": padding,
            "StrideH": sh,
            "StrideW": sw,
            "FilterHeight": kh,
            "FilterWidth": kw,
            "FusedActivationFunction": dice.pick(_RELU_LIKE),
        }
        m.b.op(code, [x], [y], ("Pool2DOptions", options), 2)
        return m.case(y)

    return build


def _binary(code: str) -> Callable[[int, str], Case]:
    def build(seed: int, dtype: str) -> Case:
        m = _Build(seed, dtype)
        dice = m.dice
        shape = dice.shape(dice.below(1, 4))
        first = tuple(n if dice.below(0, 3) else 1 for n in shape)
        second = tuple(n if dice.below(0, 3) else 1 for n in shape)[dice.below(0, 1) :]
        if not second:
            second = shape
        full = tuple(int(n) for n in np.broadcast_shapes(first, second))
        a, b = m.input(first), m.input(second)
        y = m.tensor(full)
        options = {"FusedActivationFunction": dice.pick(_RELU_LIKE)}
        m.b.op(code, [a, b], [y], (f"{code.title()}Options", options), 2)
        return m.case(y)

    return build


def _unary(code: str, version: int = 2) -> Callable[[int, str], Case]:
    def build(seed: int, dtype: str) -> Case:
        m = _Build(seed, dtype)
        x = m.input(m.dice.shape(m.dice.below(1, 4)))
        shape = m.b.tensors[x].shape
        if code == "LOGISTIC":
            y = m.tensor(shape, 1 / 256, -128)
        elif code == "TANH":
            y = m.tensor(shape, 1 / 128, 0)
        else:
            y = m.tensor(shape)
        m.b.op(code, [x], [y], None, version)
        return m.case(y)

    return build


def _softmax(seed: int, dtype: str) -> Case:
    m = _Build(seed, dtype)
    x = m.input(m.dice.shape(m.dice.below(1, 4), 12))
    y = m.tensor(m.b.tensors[x].shape, 1 / 256, -128)
    beta = float(np.float32(m.dice.pick((1.0, 0.5, 2.0))))
    m.b.op("SOFTMAX", [x], [y], ("SoftmaxOptions", {"Beta": beta}), 2)
    return m.case(y)


def _reshape(seed: int, dtype: str) -> Case:
    m = _Build(seed, dtype)
    shape = m.dice.shape(3)
    x = m.input(shape)
    wanted = (shape[0] * shape[1], shape[2])
    y = m.like(x, wanted)
    m.b.op("RESHAPE", [x, m.ints(m.dice.pick((wanted, (-1, shape[2]))))], [y])
    return m.case(y)


def _squeeze(seed: int, dtype: str) -> Case:
    m = _Build(seed, dtype)
    n = m.dice.below(2, 5)
    x = m.input((1, n, 1, 3))
    dims, shape = m.dice.pick((([], (n, 3)), ([0], (n, 1, 3)), ([-2], (1, n, 3))))
    y = m.like(x, shape)
    m.b.op("SQUEEZE", [x], [y], ("SqueezeOptions", {"SqueezeDims": dims}))
    return m.case(y)


def _expand_dims(seed: int, dtype: str) -> Case:
    m = _Build(seed, dtype)
    shape = m.dice.shape(2)
    x = m.input(shape)
    axis = m.dice.below(-3, 2)
    full = list(shape)
    full.insert(axis % 3, 1)
    y = m.like(x, tuple(full))
    m.b.op("EXPAND_DIMS", [x, m.ints(axis)], [y], ("ExpandDimsOptions", {}))
    return m.case(y)


def _pad(code: str) -> Callable[[int, str], Case]:
    def build(seed: int, dtype: str) -> Case:
        m = _Build(seed, dtype)
        shape = m.dice.shape(m.dice.below(1, 4))
        paddings = [[m.dice.below(0, 2), m.dice.below(0, 2)] for _ in shape]
        x = m.input(shape)
        operands = [x, m.ints(paddings, m.dice.pick(("int32", "int64")))]
        if code == "PADV2":
            value = m.dice.stored((1,)) if m.quantized else m.dice.real((1,))
            scale, zero = m.quantization(x)
            affine = {"scale": scale, "zero": zero} if m.quantized else {}
            operands.append(m.b.tensor((1,), dtype, data=value, **affine))
        y = m.like(x, tuple(a + n + b for n, (a, b) in zip(shape, paddings, strict=True)))
        options = ("PadOptions" if code == "PAD" else "PadV2Options", {})
        m.b.op(code, operands, [y], options, 2)
        return m.case(y)

    return build


def _concatenation(seed: int, dtype: str) -> Case:
    m = _Build(seed, dtype)
    shape = list(m.dice.shape(m.dice.below(1, 4)))
    axis = m.dice.below(0, len(shape) - 1)
    scale, zero = m.dice.scale(), m.dice.zero()
    parts = []
    total = 0
    for _ in range(m.dice.below(1, 4)):
        shape[axis] = m.dice.below(1, 4)
        total += shape[axis]
        parts.append(m.input(tuple(shape), scale, zero))
    shape[axis] = total
    y = m.tensor(tuple(shape), scale, zero)
    listed = m.dice.pick((axis, axis - len(shape)))
    m.b.op("CONCATENATION", parts, [y], ("ConcatenationOptions", {"Axis": listed}), 2)
    return m.case(y)


def _mean(seed: int, dtype: str) -> Case:
    m = _Build(seed, dtype)
    rank = m.dice.below(1, 4)
    shape = m.dice.shape(rank, 6)
    keep = bool(m.dice.below(0, 1))
    if m.dice.below(0, 1) and rank == 4:
        axes = list(m.dice.pick(((1, 2), (2, 1))))
    else:
        axes = [a for a in range(rank) if m.dice.below(0, 1)] or [rank - 1]
        axes = [m.dice.pick((a, a - rank)) for a in axes]
    reduced = {a % rank for a in axes}
    full = tuple(1 if a in reduced else n for a, n in enumerate(shape) if keep or a not in reduced)
    x = m.input(shape)
    y = m.tensor(full) if m.dice.below(0, 2) else m.like(x, full)
    m.b.op("MEAN", [x, m.ints(axes)], [y], ("ReducerOptions", {"KeepDims": keep}), 2)
    return m.case(y)


def _quantize(seed: int, dtype: str) -> Case:
    """From ``dtype`` to int8."""
    m = _Build(seed, dtype)
    x = m.input(m.dice.shape(2, 12))
    y = m.b.tensor(m.b.tensors[x].shape, "int8", scale=m.dice.scale(), zero=m.dice.zero())
    m.b.op("QUANTIZE", [x], [y], ("QuantizeOptions", {}), 1 if dtype == "float32" else 2)
    return m.case(y)


def _dequantize(seed: int, dtype: str) -> Case:
    m = _Build(seed, dtype)
    x = m.input(m.dice.shape(2, 12))
    y = m.b.tensor(m.b.tensors[x].shape, "float32")
    m.b.op("DEQUANTIZE", [x], [y], ("DequantizeOptions", {}), 2)
    return m.case(y)


BUILDERS: dict[str, tuple[Callable[[int, str], Case], tuple[str, ...]]] = {
    "CONV_2D": (_conv, ("int8", "float32")),
    "DEPTHWISE_CONV_2D": (_depthwise, ("int8", "float32")),
    "FULLY_CONNECTED": (_fully_connected, ("int8", "float32")),
    "AVERAGE_POOL_2D": (_pool("AVERAGE_POOL_2D"), ("int8", "float32")),
    "MAX_POOL_2D": (_pool("MAX_POOL_2D"), ("int8", "float32")),
    "ADD": (_binary("ADD"), ("int8", "float32")),
    "SUB": (_binary("SUB"), ("int8", "float32")),
    "MUL": (_binary("MUL"), ("int8", "float32")),
    "RELU": (_unary("RELU"), ("int8", "float32")),
    "RELU6": (_unary("RELU6"), ("int8", "float32")),
    "RELU_N1_TO_1": (_unary("RELU_N1_TO_1", 1), ("float32",)),
    "LOGISTIC": (_unary("LOGISTIC"), ("int8", "float32")),
    "TANH": (_unary("TANH"), ("int8", "float32")),
    "SOFTMAX": (_softmax, ("int8", "float32")),
    "RESHAPE": (_reshape, ("int8", "float32")),
    "SQUEEZE": (_squeeze, ("int8", "float32")),
    "EXPAND_DIMS": (_expand_dims, ("int8", "float32")),
    "PAD": (_pad("PAD"), ("int8", "float32")),
    "PADV2": (_pad("PADV2"), ("int8", "float32")),
    "CONCATENATION": (_concatenation, ("int8", "float32")),
    "MEAN": (_mean, ("int8", "float32")),
    "QUANTIZE": (_quantize, ("int8", "float32")),
    "DEQUANTIZE": (_dequantize, ("int8",)),
}
