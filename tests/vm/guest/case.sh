# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# case.sh - what the cases share: control of the simulated PMU, loads, and the comparison with its truth.
# shellcheck shell=bash

. tests/progrun/lib.sh
busy=/tests/vm/guest/busy

# What is wrong with the counts of any interval. Unlike `sound` it asks nothing of time, which goes on while
# one emulated CPU waits for the other.
# shellcheck disable=SC2016 # jq's variables
balanced='$all[] | .time as $time | if .totals.slots == null then empty
	elif .totals.residual_slots != 0 then "\($time): residual \(.totals.residual_slots)"
	elif ([.rows[] | select(.core != "all").slots] | add) + .totals.unattributed_slots != .totals.slots
	then "\($time): rows and unattributed are not the total" else empty end,
	if .health.read_errors != 0 then "\($time): \(.health.read_errors) read errors" else empty end'

control() { # KEY VALUE...
	if ! echo "$*" >/proc/simpmu/control; then
		tap_fail "the simulated PMU takes '$*'"
		tap_done
	fi
}

# Back to what it is after loading: nearest 255th, a clock that stands during probes, no fault.
control_reset() {
	local line
	for line in 'quantise nearest' 'clock_runs 0' 'switch_late 0' 'count_while_disabled 1' 'counter_bits 48' 'taken 0' \
		'refused 0' 'never_runs 0' 'counts_nothing 0' 'bad_spec_is_slots 0' 'watch cgtopdown' 'live_since_read 0' 'memory_capacity 0' 'smt_share 0' \
		'latency 0'; do
		# shellcheck disable=SC2086 # key and value
		control $line
	done
}

truth_reset() {
	echo reset >/proc/simpmu/truth
}

# Sum over the CPUs of one of the PMU's statistics.
statistic() { # NAME
	jq -s --arg name "$1" 'map(.[$name]) | add' /proc/simpmu/statistics
}

statistic_exceeds() { # NAME NUMBER
	(($(statistic "$1") > $2))
}

# The unmodified perf takes the counters of level 1, pinned, and keeps them: as another profiler does. What runs beside
# it has no hold of it: {holder_end}>&-.
perf_holds_the_counters() {
	local added
	added=$(statistic added)
	mkfifo "$scratch/holder.end"
	perf stat -x, -a -e '{slots,topdown-retiring,topdown-bad-spec,topdown-fe-bound,topdown-be-bound}:D' \
		-o "$scratch/holder" cat "$scratch/holder.end" &
	holder=$!
	exec {holder_end}>"$scratch/holder.end"
	wait_until 60 statistic_exceeds added "$added"
}
perf_gives_the_counters_back() {
	exec {holder_end}>&-
	wait "$holder"
	rm "$scratch/holder.end"
}

make_cgroups() { # NAME...
	local name
	for name; do
		make_cgroup "$name"
	done
}

# Every kind of behaviour at once: bound by different things in and across cgroups, switching,
# sleeping, migrating, moving, forking; cgroups come and go. Runs as the recorded command.
mixed_loads=(mixed branchy ping pong roamer here there churn)
run_mixed() { # CGROUP_PREFIX SECONDS
	local at=$1 seconds=$2 pids=()
	"$busy" memory spin "$seconds" "$at-mixed" &
	pids+=($!)
	"$busy" core nap "$seconds" "$at-mixed" &
	pids+=($!)
	"$busy" branch nap "$seconds" "$at-branchy" &
	pids+=($!)
	"$busy" frontend nap "$seconds" "$at-branchy" &
	pids+=($!)
	"$busy" frontend pingpong "$seconds" "$at-ping" "$at-pong" &
	pids+=($!)
	"$busy" retire migrate "$seconds" "$at-roamer" &
	pids+=($!)
	"$busy" core move "$seconds" "$at-here" "$at-there" &
	pids+=($!)
	"$churn" memory "$at-churn" $((${seconds%.*} * 3 + 3)) 1000 &
	pids+=($!)
	wait "${pids[@]}"
	sleep 0.2 # or no CPU may have been idle
}
export busy churn
export -f run_mixed

# Runs the mixed loads once for each phase, which is "NAME [KEY=VALUE]...": with the PMU so set.
run_phases() { # CGROUP_PREFIX SECONDS PHASE...
	local prefix=$1 seconds=$2 phase word words
	for phase in "${@:3}"; do
		read -ra words <<<"$phase"
		for word in "${words[@]:1}"; do
			echo "${word%%=*} ${word#*=}" >/proc/simpmu/control || return
		done
		run_mixed "$prefix-${words[0]}" "$seconds"
	done
}
export -f run_phases

# Records phases in cgroups of their own: $scratch/NAME.jsonl, of several intervals, and $scratch/NAME.truth,
# what the PMU knows. The program is loaded once only, which takes two seconds under emulation.
record_phases() { # NAME SECONDS SOURCE OPTIONS PHASE...
	local name=$1 seconds=$2 source=$3 options=$4 phase
	shift 4
	for phase; do
		make_cgroups "${mixed_loads[@]/#/$name-${phase%% *}-}"
	done
	truth_reset
	# shellcheck disable=SC2086 # options are words
	if ! record "$name" 0.5 "$source" --rows 2048 $options -- \
		bash -c 'run_phases "$@"' bash "$v2/$unique-$name" "$seconds" "$@"; then
		tap_fail "the loads are recorded: $name"
		tap_done
	fi
	cp /proc/simpmu/truth "$scratch/$name.truth"
}

compare() { # NAME PHASE LEVEL FILTER [JQ_OPTION...]
	jq -rn -L tests/vm/guest --slurpfile truth "$scratch/$1.truth" --arg prefix "/$unique-$1${2:+-$2}" \
		--argjson level "$3" "${@:5}" \
		'include "compare"; [inputs] | compare($truth; $prefix; $level) | '"$4" \
		"$scratch/$1.jsonl" 2>&1
}

# One line per cgroup of a phase that is further off than the limits; empty if none is.
differences() { # NAME PHASE LEVEL SLOTS_PER_SLICE SLOTS_RATIO POINTS
	# shellcheck disable=SC2016 # jq's variables
	compare "$1" "$2" "$3" 'differences($per_slice; $slots_ratio; $points)' \
		--argjson per_slice "$4" --argjson slots_ratio "$5" --argjson points "$6"
}

# The worst difference of a phase's cgroups that had at least SHARE of its slots, and slices of at least
# MICROSECONDS on average: slots in per cent, percentage points, metric.
worst() { # NAME PHASE LEVEL SHARE MICROSECONDS
	# shellcheck disable=SC2016 # jq's variables
	compare "$1" "$2" "$3" 'worst($share; $slice_us)' --argjson share "$4" --argjson slice_us "$5"
}

# perf takes its tables by CPUID, which is the personality's here. Each metric in a run of its own, or
# perf's groups would rotate; all of a task that does the same all the time.
# Prints {"METRIC": RATIO, ...}.
perf_ratios() { # PID METRIC...
	local pid=$1 metric
	for metric in "${@:2}"; do
		perf stat -x, -M "tma_$metric" -p "$pid" sleep 0.4 2>&1 | awk -F, -v metric="$metric" '{
			for (i = 1; i < NF; i++)
				if ($(i + 1) ~ "tma_" metric "$" && $i != "") {
					printf "{\"%s\":%s}\n", metric, $i / ($(i + 1) ~ /%/ ? 100 : 1)
					exit
				}
		}'
	done | jq -cs 'add // {}'
}

# Is GOT within a ratio and a constant of WANT?
is_near() { # GOT WANT RATIO CONSTANT
	awk -v got="$1" -v want="$2" -v ratio="$3" -v constant="$4" 'BEGIN {
		off = got - want
		exit !(got ~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/ && (off < 0 ? -off : off) <= want * ratio + constant)
	}'
}
