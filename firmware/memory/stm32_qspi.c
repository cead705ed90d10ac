/* Serial flash behind QUADSPI of STM32F7, mapped into memory for reading.
   RM0385, section QUADSPI: CR, DCR, SR, CCR, "Memory-mapped mode"; RCC_AHB3ENR. The command is 6Bh,
   quad output fast read with 8 dummy cycles, which needs no set-up of the flash (N25Q128A
   datasheet, "Command Definitions"). */
#include "memory.h"
#include "stm32_pins.h"

#define RCC_AHB3ENR REGISTER(0x40023838u)
#define AHB3ENR_QSPIEN (1u << 1)
#define QUADSPI_CR REGISTER(0xa0001000u)
#define QUADSPI_DCR REGISTER(0xa0001004u)
#define QUADSPI_SR 0xa0001008u
#define QUADSPI_CCR REGISTER(0xa0001014u)

#define CR_EN (1u << 0)
/* Samples half a cycle late, which the board's wires want. */
#define CR_SSHIFT (1u << 4)
/* A third of the core clock: 72 MHz, of 108 that the flash takes. */
#define CR_PRESCALER (2u << 24)
/* The size is a power of two, of which DCR holds the exponent less one. */
#define DCR_FSIZE ((31u - (uint32_t)__builtin_clz(BOARD_MEMORY_BYTES) - 1u) << 16)
#define DCR_CSHT (5u << 8)
#define SR_BUSY (1u << 5)
#define CCR_READ 0x6bu
#define CCR_INSTRUCTION_1_LINE (1u << 8)
#define CCR_ADDRESS_1_LINE (1u << 10)
#define CCR_ADDRESS_24_BITS (2u << 12)
#define CCR_DUMMY_8 (8u << 18)
#define CCR_DATA_4_LINES (3u << 24)
#define CCR_MEMORY_MAPPED (3u << 26)

static const struct {
  uint32_t port;
  uint32_t number;
  uint32_t function;
} pins[] = {BOARD_MEMORY_PINS};

void memory_init(void) {
  for (uint32_t i = 0; i < sizeof pins / sizeof *pins; ++i) {
    stm32_connect(pins[i].port, pins[i].number, pins[i].function, PIN_SPEED_VERY_HIGH);
  }
  RCC_AHB3ENR |= AHB3ENR_QSPIEN;
  (void)RCC_AHB3ENR; /* some cycles until QUADSPI answers */
  QUADSPI_DCR = DCR_FSIZE | DCR_CSHT;
  QUADSPI_CR = CR_PRESCALER | CR_SSHIFT | CR_EN;
  if (register_becomes(QUADSPI_SR, SR_BUSY, 0u)) {
    QUADSPI_CCR = CCR_READ | CCR_INSTRUCTION_1_LINE | CCR_ADDRESS_1_LINE | CCR_ADDRESS_24_BITS |
                  CCR_DUMMY_8 | CCR_DATA_4_LINES | CCR_MEMORY_MAPPED;
  }
}
