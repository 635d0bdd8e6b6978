# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# kernel_tests.sh - runs tests of the BPF side in the guest, each reported by itself.
# shellcheck shell=bash
cd / || exit 1
. tests/tap.sh

run() { # PROGRAM TESTS
	local output code ran=0 line
	output=$("$BUILD/tests/kernel/$1" "$2" 2>&1)
	code=$?
	while IFS= read -r line; do
		case $line in
		'ok '*) ((++ran)) && tap_ok "${line#*- }" ;;
		'not ok '*) ((++ran)) && tap_fail "${line#*- }" "$output" ;;
		esac
	done <<<"$output"
	((ran && code == 0)) || tap_fail "$1: exit $code, $ran tests" "$output"
}
