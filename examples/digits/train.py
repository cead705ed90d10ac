"""Trains the int8 classifier of handwritten digits: python -m examples.digits.train."""

from __future__ import annotations

from pathlib import Path

import keras
import numpy as np
from keras import layers
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from examples.training import convert, make_deterministic, quantize_input, save_example

SEED = 1
HELD_OUT = 360
EPOCHS = 60


def _separable(x: keras.KerasTensor, channels: int) -> keras.KerasTensor:
    """A depthwise 3x3 convolution, then a pointwise one."""
    x = layers.DepthwiseConv2D(3, padding="same", use_bias=False)(x)
    x = layers.ReLU()(layers.BatchNormalization()(x))
    x = layers.Conv2D(channels, 1, use_bias=False)(x)
    return layers.BatchNormalization()(x)


def build() -> keras.Model:
    """[1, 8, 8, 1] in 0..1 to the probabilities of ten digits, [1, 10]."""
    image = keras.Input((8, 8, 1), name="image")
    x = layers.Conv2D(16, 3, padding="same", use_bias=False)(image)
    x = layers.ReLU()(layers.BatchNormalization()(x))
    x = layers.ReLU()(layers.Add()([x, _separable(x, 16)]))
    x = layers.MaxPooling2D(2)(x)
    x = layers.ReLU()(_separable(x, 32))
    x = layers.AveragePooling2D(2)(x)
    x = layers.Dropout(0.2)(layers.Reshape((128,))(x))
    return keras.Model(image, layers.Dense(10, activation="softmax", name="probabilities")(x))


def main() -> None:
    """Trains, quantises and writes digits.tflite and digits.npz beside this file."""
    make_deterministic(SEED)
    digits = load_digits()
    # Pixels are counts of 0..16.
    images = (digits.images[..., None] / 16.0).astype(np.float32)
    train_images, test_images, train_labels, test_labels = train_test_split(
        images, digits.target, test_size=HELD_OUT, random_state=SEED, stratify=digits.target
    )

    model = build()
    model.compile(keras.optimizers.Adam(2e-3), "sparse_categorical_crossentropy")
    model.fit(train_images, train_labels, batch_size=32, epochs=EPOCHS, verbose=2)

    content = convert(model, calibration=train_images)
    inputs = quantize_input(content, test_images[:, None])
    path = Path(__file__).with_name("digits")
    accuracy = save_example(path, content, inputs, test_labels, keep=HELD_OUT)
    print(f"{len(content)} bytes, accuracy {accuracy:.2%} of {len(inputs)}")


if __name__ == "__main__":
    main()
