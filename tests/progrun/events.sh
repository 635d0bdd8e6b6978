# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# events.sh - profiles of events of software that a program causes so and so often, and what is wrong with them.
# shellcheck shell=bash

cp "$BUILD/tests/tools/faults" "$scratch/$unique"

profile_faults() { # FILE PERIOD ROUNDS PAGES PAUSE_US
	"$program" profile -vv --hierarchy v2 --event page-faults --period "$2" --output "$scratch/$1" \
		-- "$scratch/$unique" "$3" "$4" "$5" >"$scratch/out" 2>"$scratch/err" ||
		echo "it is not profiled: $(<"$scratch/err")"
}

# Of a figure, what is of a function itself; "": all of them.
weight() { # FILE FIGURE FUNCTION
	jq -r --arg figure "$2" --arg function "$3" '(.shared.frames | map($function == "" or .name == $function)) as $is
		| [.profiles[] | select(.name == $figure) | [.samples, .weights] | transpose[]
			| select($is[.[0][-1]]) | .[1]] | add // 0' "$scratch/$1"
}

# A second has fewer than a CPU may have samples, so that none stands for more than a period: where nothing else runs.
exact_findings() {
	local function want got
	profile_faults exact.speedscope.json 1 25 2 40000
	while read -r function want; do
		got=$(weight exact.speedscope.json page-faults "$function")
		[[ $got == "$want" ]] || echo "$function has $got, not $want"
	done <"$scratch/out"
}

# Where much else runs a sample stands for up to 500. Of a turn of a function, which begins anywhere in a period, a period may be
# missed or be too much, which has a standard deviation of half a period at most: in 60 turns of 1000 and more 3 % of all.
turns=(60 1000 40000) # ROUNDS PAGES PAUSE_US
far() { # FILE
	local function want got
	while read -r function want; do
		got=$(weight "$1" page-faults "$function")
		awk -v got="$got" -v want="$want" 'BEGIN { exit !(got > 0.85 * want && got < 1.15 * want) }' ||
			echo "$function has $got, not $want to 15 %"
	done <"$scratch/out"
}

sampled_findings() {
	profile_faults sampled.speedscope.json 7 "${turns[@]}"
	far sampled.speedscope.json
}

# Of many more than are sampled a second: each sample stands for the period that it had.
raised_findings() {
	profile_faults raised.speedscope.json 1 "${turns[@]}"
	far raised.speedscope.json
	awk '/: a sample stands for/ { found = 1 } END { exit !found }' "$scratch/err" || echo "no period was raised"
}

# A clock, too: of a task that has the CPU all the time each sample stands for as long as it was apart from the last.
clock_findings() {
	local ours theirs
	"$program" profile -vv --hierarchy v2 --event cpu-clock --period 200000 --output "$scratch/clock.speedscope.json" -- bash -c '
		"$1" load spin 3
		times' bash "$busy" >"$scratch/out" 2>"$scratch/err" || echo "it is not profiled: $(<"$scratch/err")"
	theirs=$(tail -n 1 "$scratch/out" | awk -F'[ms ]+' '{ print $1 * 60 + $2 + $3 * 60 + $4 }')
	ours=$(weight clock.speedscope.json cpu-clock "")
	awk '/: a sample stands for/ { found = 1 } END { exit !found }' "$scratch/err" || echo "no period was raised"
	awk -v ours="$ours" -v theirs="$theirs" 'BEGIN { exit !(ours > 0.85e9 * theirs && ours < 1.15e9 * theirs + 1e8) }' ||
		echo "$ours ns, the kernel has $theirs s"
}

# All faults of the program: ours are also those from its fork to its exec.
perf_findings() {
	local theirs ours
	perf stat -x, -e page-faults -o "$scratch/perf" -- "$scratch/$unique" "${turns[@]}" >"$scratch/out" 2>&1
	theirs=$(awk -F, '/page-faults/ { print $1 }' "$scratch/perf")
	ours=$(weight sampled.speedscope.json page-faults "")
	awk -v ours="$ours" -v theirs="$theirs" 'BEGIN { exit !(theirs > 240000 && ours > 0.95 * theirs && ours < 1.05 * theirs) }' || echo "$ours, perf stat says $theirs"
}

# In each output, of runs that do the same.
output_findings() {
	local function got want
	"$program" profile --hierarchy v2 --event page-faults --period 1 --color never -- "$scratch/$unique" 50 500 10000 >"$scratch/out" 2>"$scratch/err"
	grep -q 'page-faults (of software), one sample of 1  ' "$scratch/out" || echo "the first line is $(head -n 1 "$scratch/out")"
	grep -q "touch_many ($unique)" "$scratch/out" || echo "touch_many is not in the summary"
	"$program" record --hierarchy v2 --profile --event page-faults --period 1 "$scratch/run.ctd" -- "$scratch/$unique" "${turns[@]}" \
		>"$scratch/out" 2>"$scratch/err" || echo "it is not recorded: $(<"$scratch/err")"
	"$program" profile --input "$scratch/run.ctd" -o "$scratch/recorded.speedscope.json"
	far recorded.speedscope.json
	"$program" profile --input "$scratch/run.ctd" -o "$scratch/recorded.folded"
	awk '/;touch_many / { many += $NF } /;touch_few / { few += $NF } END { exit !(many > 2.5 * few && many < 3.5 * few) }' "$scratch/recorded.folded" ||
		echo "folded are $(grep touch_ "$scratch/recorded.folded")"
	for function in touch_many touch_few; do
		got=$(awk -v end=";$function" '{ sum += $1 ~ end "$" ? $NF : 0 } END { printf "%.0f\n", sum }' "$scratch/recorded.folded")
		want=$(weight recorded.speedscope.json page-faults $function)
		[[ $got == "$want" && $got != 0 ]] || echo "$function has $got folded, $want as speedscope"
	done
	"$program" profile --input "$scratch/run.ctd" | grep -q 'page-faults (of software)' || echo "the recording does not say of what it is"
	"$program" profile --input "$scratch/run.ctd" --diff "$scratch/run.ctd" >"$scratch/err" 2>&1 && echo "--diff is taken"
	grep -q 'diff_base' "$scratch/err" || echo "--diff is refused by $(<"$scratch/err")"
}

refused_findings() {
	"$program" profile --event no-such-event >"$scratch/err" 2>&1 && echo "an event that is none is taken"
	grep -q 'the kernel has no such event' "$scratch/err" || echo "it says of it: $(<"$scratch/err")"
	"$program" serve --event page-faults >"$scratch/err" 2>&1 && echo "serve takes it"
	grep -q "cgtopdown profile --event NAME" "$scratch/err" || echo "serve says: $(<"$scratch/err")"
	"$program" profile --source none --node memory_bound -d 0.3 >"$scratch/out" 2>"$scratch/err" || echo "--node is refused"
	grep -q "CPU time is sampled" "$scratch/err" || echo "of --node without files it says: $(<"$scratch/err")"
}

tap_events() {
	tap_empty "$(sampled_findings)" "each function has the page faults that it causes, as far as samples tell"
	tap_empty "$(raised_findings)" "of more than can be sampled, each sample stands for the period that it had"
	tap_empty "$(clock_findings)" "also of a clock"
	if command -v perf >/dev/null; then
		tap_empty "$(perf_findings)" "all of them are as many as perf stat counts"
	else
		tap_skip "all of them are as many as perf stat counts" "there is no perf"
	fi
	tap_empty "$(output_findings)" "summary, recording and files say the same of which event"
	tap_empty "$(refused_findings)" "what cannot be sampled is refused in words, and of a node it is said what is sampled instead"
}
