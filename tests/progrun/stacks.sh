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

# Runs the load twice: tables are made for the first one, in $WARM_SECONDS, so that they are there for the second.
compare_stacks() { # NAME SECONDS COMPLETE RIGHT COMMAND...
	local name=$1 seconds=$2 complete=$3 right=$4 pid recorder found
	shift 4
	make_cgroup "$name-first"
	local first=$cgroup
	make_cgroup "$name"
	bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$first" "$@" >/dev/null 2>&1 &
	disown
	"$program" profile --hierarchy v2 --source none --frequency $hertz --sort cpu --cgroup "/$unique-$name" \
		-d $((seconds + 1 + ${WARM_SECONDS:-2})) -o "$scratch/$name.folded" >"$scratch/$name.out" 2>&1 &
	recorder=$!
	sleep "${WARM_SECONDS:-2}"
	remove_cgroup "$first"
	bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$cgroup" "$@" >/dev/null 2>&1 &
	disown
	sleep 0.5
	pid=$(busiest "$cgroup")
	perf record -q -e cpu-clock:u -F $hertz --call-graph dwarf,32768 -o "$scratch/$name.data" -p "$pid" -- sleep "$seconds" \
		>"$scratch/$name.perf" 2>&1
	wait "$recorder"
	found=$(perf script -i "$scratch/$name.data" -F ip,sym,dso --no-inline 2>/dev/null |
		tests/tools/compare_stacks.py "$pid" "$scratch/$name.folded" $hertz "$BUILD/tests/tools/name_addresses" 2>&1)
	rm -f "$scratch/$name.data"
	remove_cgroup "$cgroup"
	echo "# $name: $found"
	local at_least
	for at_least in complete:$complete right:$right; do
		if awk -v want="${at_least#*:}" -v got="$(grep -o "^${at_least%:*}=[0-9.]*\| ${at_least%:*}=[0-9.]*" <<<"$found" | cut -d = -f 2)" \
			'BEGIN { exit !(got != "" && got >= want) }'; then
			tap_ok "$name: at least ${at_least#*:} % of stacks are ${at_least%:*}"
		else
			tap_fail "$name: at least ${at_least#*:} % of stacks are ${at_least%:*}" "$found"
		fi
	done
	# Five standard errors: one in a million, were it not for what others do to the machine.
	if awk -v got="$(grep -o 'apart=[-0-9.]*' <<<"$found" | cut -d = -f 2)" 'BEGIN { exit !(got != "" && got <= 5) }'; then
		tap_ok "$name: functions have the parts that perf finds"
	else
		tap_fail "$name: functions have the parts that perf finds" "$found"
	fi
}
