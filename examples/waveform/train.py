"""Trains the float32 classifier of noisy waveforms: python -m examples.waveform.train."""

from __future__ import annotations

from pathlib import Path

import keras
import numpy as np
import numpy.typing as npt
from keras import layers

from examples.training import convert, make_deterministic, save_example

SEED = 1
SAMPLES = 64
TRAINING = 4000
HELD_OUT = 1000
KEPT = 128
EPOCHS = 30


def waveforms(
    count: int, rng: np.random.Generator
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    """Two to five periods of random phase and amplitude under noise, (count, SAMPLES).

    Labels: 0 sine, 1 triangle, 2 square, 3 sawtooth.
    """
    periods, phase, amplitude = (
        rng.uniform(low, high, (count, 1)) for low, high in ((2.0, 5.0), (0.0, 1.0), (0.5, 1.0))
    )
    turn = (periods * np.arange(SAMPLES) / SAMPLES + phase) % 1.0
    shapes = np.stack(
        (
            np.sin(2.0 * np.pi * turn),
            4.0 * np.abs(turn - 0.5) - 1.0,
            np.where(turn < 0.5, 1.0, -1.0),
            2.0 * turn - 1.0,
        )
    )
    labels = rng.integers(len(shapes), size=count)
    clean = amplitude * shapes[labels, np.arange(count)]
    return (clean + rng.normal(0.0, 0.1, clean.shape)).astype(np.float32), labels


def _gated(x: keras.KerasTensor, channels: int, width: int) -> keras.KerasTensor:
    """A causal convolution over ``width`` samples whose tanh is gated by a sigmoid."""
    x = layers.ZeroPadding2D(((width - 1, 0), (0, 0)))(x)
    value, gate = (
        layers.Conv2D(channels, (width, 1), activation=activation)(x)
        for activation in ("tanh", "sigmoid")
    )
    return layers.Multiply()([value, gate])


def build() -> keras.Model:
    """[1, SAMPLES] to the probabilities of four shapes, [1, 4]."""
    samples = keras.Input((SAMPLES,), name="samples")
    x = layers.Conv2D(8, (3, 1), padding="same")(layers.Reshape((SAMPLES, 1, 1))(samples))
    near = _gated(x, 8, 5)
    x = layers.Add()([x, layers.Conv2D(8, 1)(near)])
    far = _gated(x, 8, 9)
    x = layers.GlobalAveragePooling2D()(layers.Concatenate()([near, far]))
    x = layers.Dense(16, activation="relu")(x)
    return keras.Model(samples, layers.Dense(4, activation="softmax", name="probabilities")(x))


def main() -> None:
    """Trains and writes waveform.tflite and waveform.npz beside this file."""
    make_deterministic(SEED)
    rng = np.random.default_rng(SEED)
    train_samples, train_labels = waveforms(TRAINING, rng)
    test_samples, test_labels = waveforms(HELD_OUT, rng)

    model = build()
    model.compile(keras.optimizers.Adam(5e-3), "sparse_categorical_crossentropy")
    model.fit(train_samples, train_labels, batch_size=64, epochs=EPOCHS, verbose=2)

    content = convert(model)
    path = Path(__file__).with_name("waveform")
    accuracy = save_example(path, content, test_samples[:, None], test_labels, keep=KEPT)
    print(f"{len(content)} bytes, accuracy {accuracy:.2%} of {HELD_OUT}")


if __name__ == "__main__":
    main()
