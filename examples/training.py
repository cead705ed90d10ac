"""Converts trained Keras models to TFLite and records their reference outputs."""

from __future__ import annotations

import tempfile
from pathlib import Path

import keras
import numpy as np
import numpy.typing as npt
import tensorflow as tf
from ai_edge_litert.interpreter import Interpreter, OpResolverType

Array = npt.NDArray[np.generic]


def make_deterministic(seed: int) -> None:
    """Seeds every generator and keeps TensorFlow to kernels whose sums have a fixed order."""
    keras.utils.set_random_seed(seed)
    tf.config.experimental.enable_op_determinism()


def convert(model: keras.Model, calibration: npt.NDArray[np.float32] | None = None) -> bytes:
    """The TFLite file of ``model`` for batches of one.

    The signature names the input and the output as Keras does. With ``calibration``, float32 of
    shape (n, *input shape), weights, activations, input and output become int8.
    """
    (source,), (result,) = model.inputs, model.output_names
    shape = (1, *source.shape[1:])

    def predict(**inputs: tf.Tensor) -> dict[str, tf.Tensor]:
        return {result: model(inputs[source.name], training=False)}

    signature = tf.function(predict).get_concrete_function(
        **{source.name: tf.TensorSpec(shape, tf.float32, name=source.name)}
    )
    # The converter freezes the variables that it finds as attributes of a tf.Module.
    module = tf.Module()
    module.weights = [weight.value for weight in model.weights]
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(module, folder, signatures=signature)
        converter = tf.lite.TFLiteConverter.from_saved_model(folder)
        if calibration is not None:
            converter.optimizations = [tf.lite.Optimize.DEFAULT]
            converter.representative_dataset = lambda: ([item[None]] for item in calibration)
            converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
            converter.inference_input_type = tf.int8
            converter.inference_output_type = tf.int8
        return converter.convert()


def _reference(content: bytes) -> Interpreter:
    """LiteRT's interpreter with the reference kernels and no delegate."""
    interpreter = Interpreter(
        model_content=content,
        experimental_op_resolver_type=OpResolverType.BUILTIN_REF,
        experimental_preserve_all_tensors=True,
    )
    interpreter.allocate_tensors()
    return interpreter


def quantize_input(content: bytes, values: npt.NDArray[np.float32]) -> npt.NDArray[np.int8]:
    """``values`` in the scale and zero point of the model's int8 input."""
    scale, zero_point = _reference(content).get_input_details()[0]["quantization"]
    return np.clip(np.round(values / scale) + zero_point, -128, 127).astype(np.int8)


def reference_outputs(content: bytes, inputs: Array) -> Array:
    """What the model answers to each of ``inputs``, (n, 1, ...): (n, *output shape)."""
    interpreter = _reference(content)
    source = interpreter.get_input_details()[0]["index"]
    result = interpreter.get_output_details()[0]["index"]
    outputs = []
    for item in inputs:
        interpreter.set_tensor(source, item)
        interpreter.invoke()
        outputs.append(interpreter.get_tensor(result))
    return np.stack(outputs)


def save_example(
    path: Path, content: bytes, inputs: Array, labels: npt.NDArray[np.int64], *, keep: int
) -> float:
    """Writes ``path``.tflite and, of the first ``keep`` inputs, ``path``.npz.

    Returns the accuracy of the reference outputs over all the inputs.
    """
    outputs = reference_outputs(content, inputs)
    path.with_suffix(".tflite").write_bytes(content)
    np.savez_compressed(
        path.with_suffix(".npz"), in0=inputs[:keep], out0=outputs[:keep], labels=labels[:keep]
    )
    return float(np.mean(outputs[:, 0].argmax(axis=-1) == labels))
