# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# judge.sh - makes one TAP stream of what guests printed, and of how they ended.
# shellcheck shell=bash

# What the kernel prints when it is in trouble.
judge_trouble='Oops|BUG:|WARNING:|rcu: INFO|RIP:|Kernel panic'

judge_begin_case() { # NAME
	[[ ! $current ]] || tap_fail "$current ($boot_name): has no end"
	current=$1 case_planned='' case_ran=0 case_failed=0 case_skipped=0 previous=''
	remaining=("${remaining[@]:1}")
}

# What tests/run says of a skip.
judge_skip() { # LABEL REASON
	if [[ $2 ]]; then
		tap_skip "$1" "$2"
	else
		tap_fail "$1: skipped without a reason"
	fi
}

judge_line() { # LINE
	local negated title reason label="$current ($boot_name): "
	if [[ $1 =~ ^1\.\.([0-9]+)(\ *#\ *[Ss][Kk][Ii][Pp]\ *(.*))?$ ]]; then
		case_planned=$((${case_planned:-0} + 10#${BASH_REMATCH[1]}))
		[[ ! ${BASH_REMATCH[2]} ]] || {
			((++case_skipped))
			judge_skip "${label}all" "${BASH_REMATCH[3]}"
		}
	elif [[ $1 =~ ^(not )?ok(\ +[0-9]+)?(\ +-)?\ *(.*)$ ]]; then
		negated=${BASH_REMATCH[1]} title=${BASH_REMATCH[4]}
		((++case_ran))
		if [[ $title =~ ^(.*)\#\ *[Ss][Kk][Ii][Pp]\ *(.*)$ ]]; then
			title=${BASH_REMATCH[1]% } reason=${BASH_REMATCH[2]}
			# cmocka puts the name there, and the reason on a line before.
			[[ $title ]] || title=$reason reason=$previous
			((++case_skipped))
			judge_skip "$label$title" "$reason"
		elif [[ $negated ]]; then
			((++case_failed))
			tap_fail "$label$title"
		else
			tap_ok "$label$title"
		fi
		previous=''
	else
		# Not a comment, but not to be taken for ours either.
		[[ $1 == '#'* ]] && echo "$1" || echo "# $1"
		previous=${1#\# }
	fi
}

# What tests/run says of a suite's end, said of a case's.
judge_end_case() { # EXIT_CODE
	local label="$current ($boot_name): "
	if ((case_failed)); then
		:
	elif ((case_ran == 0)) && [[ ! $case_planned ]]; then
		case $1 in
		0) tap_ok "${label}exit 0" ;;
		77) judge_skip "${label}exit 77" "$previous" ;;
		*) tap_fail "${label}exit $1" ;;
		esac
	elif (($1 && !($1 == 77 && case_skipped >= case_ran))); then
		tap_fail "${label}exit $1 without a failed test"
	elif [[ ! $case_planned ]]; then
		tap_fail "${label}no plan: a missing test would not be seen"
	elif ((case_planned != case_ran)); then
		tap_fail "$label$case_ran of $case_planned planned tests reported"
	elif ((case_ran + case_skipped == 0)); then
		tap_fail "${label}no tests"
	fi
	current=''
}

# Reports the boot whose files are in FOLDER; boot_fault says how it ended.
judge_boot() { # FOLDER NAME CASE...
	local folder=$1 boot_name=$2 remaining=("${@:3}")
	local line ended='' fault='' current='' previous='' lines
	local case_planned case_ran case_failed case_skipped
	while IFS= read -r line || [[ $line ]]; do
		case $line in
		'') ;;
		'# vm: boot '*) echo "$line" ;;
		'# vm: case '*) judge_begin_case "${line#'# vm: case '}" ;;
		'# vm: exit '*) judge_end_case "${line##* }" ;;
		'# vm: timeout '*)
			tap_fail "$current ($boot_name): still running after ${line##* } s, killed"
			current=''
			;;
		'# vm: fault '*) fault+="${line#'# vm: fault '}"$'\n' ;;
		'# vm: end') ended=yes ;;
		*) judge_line "$line" ;;
		esac
	done < <(tr '\0\r' '\n' <"$folder/tap")

	[[ $current ]] && tap_fail "$current ($boot_name): the guest ended first"
	for line in ${remaining[@]+"${remaining[@]}"}; do
		tap_fail "$line ($boot_name): never began"
	done
	if [[ $ended && ! $boot_fault && ! $fault ]]; then
		tap_ok "the guest ($boot_name) runs to its end"
	else
		tap_fail "the guest ($boot_name) runs to its end" \
			"$fault${boot_fault:-it ended before its last case did}; its console:
$(tr -d '\0\r' <"$folder/console" | tail -n 40)"
	fi
	lines=$(tr -d '\0\r' <"$folder/console" | grep -nE -B 2 -A 12 "$judge_trouble" | head -n 60)
	tap_empty "$lines" "the kernel ($boot_name) reports no trouble"
}
