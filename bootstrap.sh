#!/bin/sh
# Prepares a Debian or Ubuntu machine and runs a command inside: ./bootstrap.sh [--tests] CMD...
#
# Installs the Debian packages that are missing (Arm GCC with newlib, RISC-V GCC with picolibc, QEMU
# for both, a C and C++ compiler, Python's venv; with --tests also OpenOCD, Chromium and ser2net)
# and the package with its test extra into .venv. A second run finds everything in place.
set -eu

root=$(cd "$(dirname "$0")" && pwd)
venv="$root/.venv"
stamp="$venv/.bootstrapped"

# Program or file to look for, and the package that brings it.
needed="
arm-none-eabi-gcc gcc-arm-none-eabi
arm-none-eabi-newlib libnewlib-arm-none-eabi
riscv64-unknown-elf-gcc gcc-riscv64-unknown-elf
riscv64-unknown-elf-picolibc picolibc-riscv64-unknown-elf
qemu-system-arm qemu-system-arm
qemu-system-riscv32 qemu-system-misc
gcc gcc
g++ g++
python3-venv python3-venv
"

# What only the project's own tests need.
if [ "${1:-}" = --tests ]; then
  shift
  needed="$needed
openocd openocd
chromium chromium
ser2net ser2net
"
fi

present() {
  case $1 in
    arm-none-eabi-newlib)
      # GCC answers with the bare name where it does not find the file.
      command -v arm-none-eabi-gcc >/dev/null &&
        [ "$(arm-none-eabi-gcc -print-file-name=nano.specs)" != nano.specs ]
      ;;
    riscv64-unknown-elf-picolibc)
      command -v riscv64-unknown-elf-gcc >/dev/null &&
        [ "$(riscv64-unknown-elf-gcc -print-file-name=picolibc.specs)" != picolibc.specs ]
      ;;
    python3-venv) [ -x "$venv/bin/python" ] || python3 -c 'import ensurepip, venv' 2>/dev/null ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

missing=$(echo "$needed" | while read -r program package; do
  [ -z "$program" ] || present "$program" || echo "$package"
done)

if [ -n "$missing" ]; then
  if ! command -v apt-get >/dev/null; then
    echo "bootstrap.sh: needs" $missing "and finds no apt-get to install them" >&2
    exit 1
  fi
  sudo=
  if [ "$(id -u)" != 0 ]; then
    sudo=sudo
  fi
  export DEBIAN_FRONTEND=noninteractive
  $sudo apt-get update -qq
  # Not quoted: one argument per package.
  $sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi

if [ ! -f "$stamp" ] || [ "$root/pyproject.toml" -nt "$stamp" ]; then
  [ -x "$venv/bin/python" ] || python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --editable "$root[test]"
  touch "$stamp"
fi

PATH="$venv/bin:$PATH"
export PATH
if [ $# -eq 0 ]; then
  echo "bootstrap.sh: ready; say ./bootstrap.sh CMD... to run a command inside"
  exit 0
fi
exec "$@"
