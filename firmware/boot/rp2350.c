/* Image definition of RP2350: the boot ROM starts only what carries one in its first 4 KB.
   RP2350 datasheet 5.9.5.1 "Minimum Arm IMAGE_DEF": start marker, item IMAGE_TYPE (executable,
   Arm, secure, RP2350), last item of one word, no further block, end marker. */
#include <stdint.h>

__attribute__((section(".vectors.image"), used)) static const uint32_t image_definition[] = {
    0xffffded3u, 0x10210142u, 0x000001ffu, 0x00000000u, 0xab123579u,
};
