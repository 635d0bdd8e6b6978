# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# vendor.sh - metrics of a vendor's files held against what the simulated processor did.
# shellcheck shell=bash

# Counts beside the loads: $scratch/NAME, what was said to NAME.said, and what was true to NAME.truth.
vendor_stat() { # NAME OPTION...
	"$program" stat --rows 512 --format jsonl "${@:2}" >"$scratch/$1" 2>"$scratch/$1.said"
	cp /proc/simpmu/truth "$scratch/$1.truth"
}

# Each load in a cgroup of its own, under its own name: the last one sleeps now and then, so that slices end at every
# moment of a turn. Sets loads.
vendor_begin_loads() { # NAME...
	local name manner=spin
	make_cgroups "$@"
	loads=()
	for name; do
		[[ $name != "${*: -1}" ]] || manner=nap
		"$busy" "$name" "$manner" 900 "$v2/$unique-$name" &
		loads+=($!)
	done
	sleep 0.3
}

vendor_end_loads() {
	kill "${loads[@]}"
	wait "${loads[@]}" 2>/dev/null
}

# What WANT makes of a load's true work is what stat should have shown: an object of values by the metrics' names. What
# is in per cent is off by points, all else by per cent of what is true.
# shellcheck disable=SC2016 # jq's variables
vendor_figures='[$all[] | ([.vendor_metrics[] | {key: .name, value: .unit}] | from_entries) as $units
	| .rows[] | select(.cgroup) | . as $row
	| ($loads | split(" ")[]) as $load | select($row.cgroup | endswith("-" + $load))
	| ([$truth[] | select(.comm == $load).whole | to_entries[]] | group_by(.key)
	   | map({key: .[0].key, value: (map(.value) | add)}) | from_entries)
	  as {$slots, $cycles, retiring: $retiring, bad_speculation: $bad, frontend_bound: $frontend, backend_bound: $backend,
	      heavy_operations: $heavy, branch_mispredicts: $mispredicts, fetch_latency: $latency, memory_bound: $memory,
	      smt_contention: $smt}
	| ($retiring - $heavy) as $instructions
	| (def part(what): 100 * what / $slots; WANT) | to_entries[] | {load: $load, name: .key, got: $row.metrics[.key], want: .value}
	| . + {off: (if .got == null then null elif $units[.name] // "" | test("^(%|percent)") then .got - .want
		else 100 * (.got / .want - 1) end)}]'

# Every one of COUNT figures of NAME is right to half a point. Tells of the worst one.
vendor_judge() { # NAME LOADS COUNT WANT SENTENCE
	local figures=${vendor_figures/WANT/"$4"}
	jq -rn --arg loads "$2" --slurpfile truth "$scratch/$1.truth" "[inputs] as \$all | $figures
		| length as \$count | max_by((.off // 99) | fabs) | \"# | worst of \(\$count) figures: \(.)\"" "$scratch/$1"
	tap_jq "$scratch/$1" "$figures | (select(length != $3) | \"\(length) figures, and not $3\"),
		(.[] | select(.off == null or (.off | fabs) > 0.5) | tostring)" "$5" --arg loads "$2" \
		--slurpfile truth "$scratch/$1.truth"
}

# Every group was accepted and read, and those metrics that cannot be counted are those in LACKING, blanks between them.
vendor_judge_groups() { # NAME GROUPS_AT_LEAST LACKING
	tap_empty "$(cat "$scratch/$1.said")" "the kernel refuses no group, and there is nothing else to complain of"
	# shellcheck disable=SC2016 # jq's variables
	tap_jq "$scratch/$1" '$all[] | select((.groups // 1) < $least or .source != "vendor") | "\(.groups) groups, source \(.source)"' \
		"the groups rotate" --argjson least "$2"
	# shellcheck disable=SC2016
	tap_jq "$scratch/$1" '$all[] | select(.health.read_errors != 0) | "\(.health.read_errors) read errors"' "no reading failed"
	# shellcheck disable=SC2016
	tap_jq "$scratch/$1" '$all[] | [.vendor_metrics[] | select(.lack).name] | sort | select(. != ([$named | split(" ")[] | select(. != "")] | sort))
		| tostring' "what does not fit into the counters is named, and nothing else" --arg named "$3"
	# shellcheck disable=SC2016
	tap_jq "$scratch/$1" '$all[].rows[] | select(.cpu_s > 0.3 and (.cgroup // "" | test("-[a-z]+$"))) | .cgroup as $cgroup
		| .coverage | to_entries[] | select(.value <= 0 or .value > 0.99) | "\($cgroup): \(.key) covers \(.value)"' \
		"each metric tells which part of the time it had"
}

# Does perf, which knows nothing of our groups, get these events of PMU into one group?
vendor_perf_fits() { # EVENT...
	local IFS=,
	perf stat -x, -C 0 -e "{$*}" -o "$scratch/fits" true >/dev/null 2>&1
	[[ -s $scratch/fits ]] && ! grep -q 'not \(counted\|supported\)' "$scratch/fits"
}

# One event less fits into a group: the simulator holds its counters to that rule.
vendor_holds() { # RULE EVENT...
	if vendor_perf_fits "${@:2:$#-2}" && ! vendor_perf_fits "${@:2}"; then
		tap_ok "the simulated core has $1"
	else
		tap_fail "the simulated core has $1" "$(cat "$scratch/fits")"
	fi
}
