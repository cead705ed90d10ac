"""Models to test with: those of the repository, and real ones where MICROAOT_MODELS has them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DIGITS = ROOT / "examples" / "digits" / "digits.tflite"
WAVEFORM = ROOT / "examples" / "waveform" / "waveform.tflite"

# Where the reference of the file has none of our operators' limits to meet.
SUPPORTED = """
ambiq_kws cfu_mobilenetv2_160_035 mlonmcu_MNIST_best_model mlonmcu_cnn_s_quantized
mlonmcu_micro_kws_m_fp32 mlonmcu_micro_kws_m_quantized mlonmcu_mobilenet_v1_0_25_128
mlperf_ad_autoenc_float mlperf_ad_autoenc_int8 mlperf_ad_toycar_fullint_floatio
mlperf_ic_resnet8_float mlperf_ic_resnet8_int8 mlperf_ic_resnet_large_int8
mlperf_kws_dscnn_int8 mlperf_sww_strm_1d_dscnn_int8 mlperf_vww_mbv1_96_float
mlperf_vww_mbv1_96_int8 mltk_fingerprint_siggen mltk_image_example1 mltk_kws_on_off_v3
mltk_rock_paper_scissors openmv_blazeface_front_128 openmv_fomo_face_detection
derived_person_detect_fixqdim tflm_hello_world_float tflm_hello_world_int8
tflm_micro_speech_int8 tflm_network_tester tflm_simple_add tflm_test_conv_model
synth_relu6_f32 synth_relu6_i8 unit_aeq_single_mean unit_aeq_single_pad unit_aeq_single_padv2
unit_aeq_single_fc_bias_logistic unit_litert_simple_relu1_op
unit_litert_reverse_signature_model unit_aeq_reshape_with_empty_shape
""".split()


def model_folder() -> Path:
    """The folder of real models; skips the test where the environment names none."""
    folder = os.environ.get("MICROAOT_MODELS")
    if not folder:
        pytest.skip("MICROAOT_MODELS names no folder of real models")
    return Path(folder)
