# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# stacks.sh - stacks of a program of Debian's, held against those that perf finds on the same load.
# shellcheck shell=bash

hertz=499

# What the program of a cgroup is that runs most: a shell may have started it.
busiest() { # CGROUP
	local pid
	while read -r pid; do
		echo "$(awk '{ print $14 + $15 }' "/proc/$pid/stat" 2>/dev/null || echo 0) $pid"
	done <"$1/cgroup.procs" | sort -n | tail -n 1 | cut -d ' ' -f 2
}

tables_are_there() { # NAME
	grep -q 'tables and functions of all files that were sampled are there' "$scratch/$1.out"
}

# Has all that is in one cgroup in another one, for so many seconds.
# shellcheck disable=SC2016 # another shell's
visit='move() { for pid in $(cat "$1/cgroup.procs"); do echo "$pid" >"$2/cgroup.procs"; done; }
	move "$0" "$1"; sleep "$2"; move "$1" "$0"'

# Prints what compare_stacks.py finds. The load begins in a cgroup that is not looked at, until its tables are there. perf's
# own command then has it in another one for as long as perf samples: both see the same time.
take_stacks() { # NAME SECONDS COMMAND...
	local name=$1 seconds=$2 pid recorder first
	shift 2
	make_cgroup "$name-first"
	first=$cgroup
	make_cgroup "$name"
	bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$first" "$@" >/dev/null 2>&1 &
	disown
	"$program" profile -v --hierarchy v2 --source none --frequency $hertz --sort cpu --cgroup "/$unique-$name*" -d 600 \
		-o "$scratch/$name.all.folded" >"$scratch/$name.out" 2>&1 &
	recorder=$!
	wait_until 60 tables_are_there "$name"
	sleep 1
	pid=$(busiest "$first")
	perf record -q -e cpu-clock:u -F $hertz --call-graph dwarf,32768 -o "$scratch/$name.data" -p "$pid" -- \
		bash -c "$visit" "$first" "$cgroup" "$seconds" >"$scratch/$name.perf" 2>&1
	kill -INT "$recorder"
	wait "$recorder"
	grep "^/$unique-$name;" "$scratch/$name.all.folded" >"$scratch/$name.folded"
	perf script -i "$scratch/$name.data" -F ip,sym,dso --no-inline 2>/dev/null |
		tests/tools/compare_stacks.py "$pid" "$scratch/$name.folded" $hertz "$BUILD/tests/tools/name_addresses" 2>&1
	rm -f "$scratch/$name.data"
	remove_cgroup "$cgroup"
	remove_cgroup "$first"
}

# Says what is not as perf finds it: functions are to have the same parts to five standard errors, of which one in a million
# would be further off, were it not for what others do to the machine.
tell_stacks() { # NAME SECONDS COMPLETE RIGHT COMMAND...
	local found
	found=$(take_stacks "$1" "$2" "${@:5}")
	echo "# $1: $found" >&2
	awk -v complete="$3" -v right="$4" '{ for (i = 1; i <= NF; i++) if (split($i, word, "=") == 2) got[word[1]] = word[2] }
		END {
			if (!("complete" in got && got["complete"] >= complete)) print "not " complete " % are complete"
			if (!("right" in got && got["right"] >= right)) print "not " right " % are right"
			if (!("apart" in got && got["apart"] <= 5)) print "functions have other parts"
		}' <<<"$found" | sed "s|$|: ${found//[$'\n'|&\\]/ }|"
}

compare_stacks() { # NAME SECONDS COMPLETE RIGHT COMMAND...
	tap_empty "$(measured_again tell_stacks "$@")" \
		"$1: at least $3 % of stacks are complete, $4 % are right, and functions have the parts that perf finds"
}
