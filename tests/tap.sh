# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# tap.sh - lets a bash script report its tests to tests/run, as TAP.
# shellcheck shell=bash

tap_count=0
tap_failures=0

tap_ok() { # SENTENCE
	echo "ok $((++tap_count)) - $1"
}

tap_fail() { # SENTENCE [DETAILS]
	((++tap_failures))
	echo "not ok $((++tap_count)) - $1"
	[[ -z ${2-} ]] || echo "# ${2//$'\n'/$'\n# '}"
}

tap_skip() { # SENTENCE REASON
	echo "ok $((++tap_count)) - $1 # SKIP $2"
}

tap_is() { # GOT WANT SENTENCE
	if [[ $1 == "$2" ]]; then
		tap_ok "$3"
	else
		tap_fail "$3" "got:  $1"$'\n'"want: $2"
	fi
}

# Passes if DETAILS, what a check found wrong, is empty.
tap_empty() { # DETAILS SENTENCE
	if [[ -z $1 ]]; then
		tap_ok "$2"
	else
		tap_fail "$2" "$1"
	fi
}

# A script whose lines are tests, one at least: see tests/tools/run_tests.mjs. Others are remarks.
tap_node() { # SENTENCE FILE [ARGUMENT...]
	local said code line passed=0
	said=$(node "${@:2}" 2>&1)
	code=$?
	while IFS= read -r line; do
		case $line in
		'ok '*) ((++passed)) && tap_ok "${line#ok }" ;;
		'not ok '*) line=${line#not ok } && tap_fail "${line%%:*}" "$line" ;;
		*) echo "# ${line#\# }" ;;
		esac
	done <<<"$said"
	if ((code == 0 && passed == 0)); then
		tap_fail "$1" "no test of ${*:2} has passed"
	else
		tap_is "$code" 0 "$1"
	fi
}

# Ends the script; without it the plan is missing, and tests/run counts a failure.
tap_done() {
	echo "1..$tap_count"
	exit $((tap_failures > 0))
}
