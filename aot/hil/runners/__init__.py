"""Runners: the programs that write firmware to boards, or bring emulated ones to life."""
