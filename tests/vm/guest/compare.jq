# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# compare.jq - intervals of cgtopdown beside the simulated PMU's truth, cgroup by cgroup.

# Those below the prefix, whose whole life is within the recording. What has no row here has no
# path, and belongs to every prefix; but the root, idling and kernel threads (0) are no such.
def is_below($prefix):
	(.key | tonumber) > 1 and (.value.cgroup == null or (.value.cgroup | startswith($prefix)));

def level1: ["retiring", "bad_speculation", "frontend_bound", "backend_bound"];
def level2: ["heavy_operations", "branch_mispredicts", "fetch_latency", "memory_bound"];
def metrics($level): level1 + if $level == 2 then level2 else [] end;

# [{key, name: count, ...}] of the truth of each cgroup, all names and CPUs together.
def true_rows:
	group_by(.cgroup_id) | map({key: (.[0].cgroup_id | tostring),
		value: (map(.whole | to_entries[]) | group_by(.key)
			| map({key: .[0].key, value: (map(.value) | add)}) | from_entries)})
	| map(select(.value.slots > 0)) | from_entries;

# The same of what was measured, over all intervals, with its slices.
def measured_rows($level):
	[.[].rows[] | select(.kind != "idle" and .kind != "kernel" and .cgroup_id and .core != "all")]
	| group_by(.cgroup_id) | map({key: (.[0].cgroup_id | tostring), value: {
		cgroup: .[0].cgroup, slots: (map(.slots) | add), slices: (map(.slices) | add), cpu_s: (map(.cpu_s) | add),
		quality: (map(.quality) | unique | . - ["ok", "low_confidence"]),
		counts: (. as $rows | metrics($level)
			| map({key: ., value: (. as $metric | $rows | map((.metrics[$metric] // 0) * (.slots // 0)) | add)})
			| from_entries)}}) | from_entries;

# [{cgroup, slices, slots, true_slots, slots_off, points: {metric: percentage points off}}]
def compare($truth; $prefix; $level):
	measured_rows($level) as $got | ($truth | true_rows) as $want
	| [($want | map_values({cgroup: null})) + $got | to_entries[] | select(is_below($prefix)).key] | map(. as $id
		| ($got[$id] // {cgroup: "id \($id)", slots: 0, slices: 0, cpu_s: 0, counts: {}, quality: ["absent"]}) as $row
		| ($want[$id] // {slots: 0}) as $true
		| {cgroup: $row.cgroup, quality: $row.quality, slices: $row.slices,
		   slice_us: (1e6 * $row.cpu_s / ([$row.slices, 1] | max)), slots: $row.slots,
		   true_slots: $true.slots, slots_off: (($row.slots // 0) - $true.slots),
		   points: (if ($row.slots // 0) > 0 and $true.slots > 0 then
			metrics($level) | map({key: ., value: (100 * ($row.counts[.] / $row.slots - $true[.] / $true.slots))})
			| from_entries else {} end)});

# What is further off than so many slots per slice plus a ratio of the slots, or than so many
# percentage points. A cgroup of a few slots can have no better points than its rounding allows.
def differences($per_slice; $slots_ratio; $points):
	(if length == 0 then "no cgroups were compared" else empty end),
	(.[] | ($per_slice * (.slices + 1) + $slots_ratio * .true_slots) as $allowed
	 | select((.slots_off | fabs) > $allowed)
	 | "\(.cgroup): \(.slots) slots, \(.true_slots) were true, \(.slots_off) off in \(.slices) slices"),
	(.[] | select(.quality != []) | "\(.cgroup): quality \(.quality)"),
	(.[] | select(.true_slots > 0 and .points == {}) | "\(.cgroup): no figures, quality \(.quality)"),
	(.[] | . as $row | .points | to_entries[]
	 | ($points + 100 * 4 * ($row.slices + 1) / $row.slots) as $allowed
	 | select((.value | fabs) > $allowed)
	 | "\($row.cgroup): \(.key) is \(.value) points off (\($row.slots) slots in \($row.slices) slices)");

def round_to($digits): . * pow(10; $digits) | round | . / pow(10; $digits);

# "slots off in %, worst metric in points, its name", of cgroups with at least $share of all slots, and
# slices of so many microseconds on average.
def worst($share; $slice_us):
	(map(.true_slots) | add) as $all
	| map(select(.true_slots >= $share * $all and .slice_us >= $slice_us))
	| if length == 0 then ["none", "none", "none"] else
	[(map(.slots_off / .true_slots * 100 | fabs) | max | round_to(3)),
	 (map(.points | to_entries[] | {value: (.value | fabs), key}) | max_by(.value) | (.value | round_to(3)), .key)] end
	| @tsv;

# Idling and kernel threads are in the sums before and after the recording: their parts alone can be
# compared, which tell one from the other.
def aside($truth; $points):
	. as $intervals | ("idle", "kernel") as $kind
	| ([$truth[] | select(.comm == "<\($kind)>").whole] | map(.slots) | add) as $true_slots
	| ([$intervals[].rows[] | select(.kind == $kind and .slots)]) as $rows | ($rows | map(.slots) | add) as $slots
	| level1[] as $metric
	| (([$rows[] | .metrics[$metric] * .slots] | add) / $slots) as $got
	| (([$truth[] | select(.comm == "<\($kind)>").whole[$metric]] | add) / $true_slots) as $want
	| select(100 * ($got - $want) | fabs > $points)
	| "\($kind): \($metric) is \($got), not \($want)";
