# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# lib.sh - what the runs on the real kernel share: cgroups of their own, and their removal.
# shellcheck shell=bash

. tests/tap.sh
PATH=$PATH:/usr/sbin:/sbin

BUILD=$(realpath "${BUILD:-build}")
program=$BUILD/cgtopdown
busy=$BUILD/tests/tools/busy
churn=$BUILD/tests/tools/churn
v2=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)

# Each start of jq 1.6 takes 35 ms, of this one 5, and a suite starts it a hundred times.
jq() {
	gojq "$@"
}

skip_all() { # REASON
	echo "$1"
	exit 77
}

((EUID == 0)) || skip_all "needs root: it loads BPF programs and makes cgroups"
[[ -r /sys/kernel/btf/vmlinux ]] || skip_all "this kernel has no BTF (/sys/kernel/btf/vmlinux)"
[[ $v2 ]] || skip_all "no cgroup v2 is mounted"
command -v gojq >/dev/null || skip_all "gojq is not installed"
for tool in "$program" "$busy" "$churn"; do
	if [[ ! -x $tool ]]; then
		echo "# $tool is not built"
		exit 1
	fi
done

scratch=$(mktemp -d)
# A name that no other run has, also as a prefix of `comm` (15 bytes).
unique=ctdtest$$
# Of all shells: those that $(...) made, too.
cgroups=$scratch/.cgroups
: >"$cgroups"

# Ends what is in a cgroup and those below it, and removes them; deepest first.
remove_cgroup() { # DIRECTORY
	local directory attempt
	[[ -d $1 ]] || return 0
	# Thousands that are empty by one program, not one each.
	find "$1" -depth -type d -exec rmdir {} + 2>/dev/null
	[[ -d $1 ]] || return 0
	find "$1" -depth -type d | while IFS= read -r directory; do
		for ((attempt = 0; attempt < 100; attempt++)); do
			rmdir "$directory" 2>/dev/null && break
			xargs -r kill -KILL <"$directory/cgroup.procs" 2>/dev/null
			sleep 0.02
		done
	done
}

clean_up() {
	# A child that is not yet the program that it is to become still has our traps.
	((BASHPID == $$)) || return
	trap - EXIT
	local job directory
	for job in $(jobs -p); do
		kill -KILL "$job" 2>/dev/null
	done
	wait 2>/dev/null
	while IFS= read -r directory; do
		remove_cgroup "$directory"
	done <"$cgroups"
	rm -rf "$scratch"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Sets `cgroup` to a new cgroup's directory, which is removed in the end.
make_cgroup() { # NAME [MOUNT]
	cgroup=${2:-$v2}/$unique-$1
	mkdir "$cgroup" || exit 1
	echo "$cgroup" >>"$cgroups"
}

# Becomes a command that gets most of its CPU, whatever else runs there: the kernel shares it among sessions, and
# within one among tasks (sched(7), autogrouping). What ends the suite's process group does not reach it: it ends with its parent.
# shellcheck disable=SC2016 # the inner shell's
greedily() { # COMMAND...
	exec nice -n -10 setsid setpriv --pdeathsig KILL sh -c '[ ! -w /proc/self/autogroup ] || echo -10 >/proc/self/autogroup; exec "$@"' sh "$@"
}

# Waits until a command succeeds; tries for some seconds. They are counted by tries: where the whole machine stands still, it
# is nobody's fault, and what is waited for needs the CPU afterwards, too. Tries that take seconds each end after five times as
# long. Between two it rests for twice as long as one takes: what is waited for needs the CPU now, too.
wait_until() { # SECONDS COMMAND...
	local tries=$(($1 * 50)) least=20 end_s=$((SECONDS + 5 * $1)) began_us rest_us rest_s
	shift
	while began_us=${EPOCHREALTIME/[^0-9]/}; ! "$@" 2>/dev/null; do
		((--tries > 0 && (SECONDS < end_s || --least > 0))) || return 1
		rest_us=$((2 * (${EPOCHREALTIME/[^0-9]/} - began_us)))
		printf -v rest_s '0.%06d' $((rest_us < 20000 ? 20000 : rest_us > 500000 ? 500000 : rest_us))
		sleep "$rest_s"
	done
}

# Whole lines: one more may be half written.
has_lines() { # FILE COUNT
	(($(wc -l <"$1") >= $2))
}

# Waits until a file has grown so many times: a recording, by snapshots of a recorder that may be late.
is_larger() { # FILE BYTES
	(($(stat -c %s "$1") > ${2:-0})) # which may not have been there
}
has_grown() { # FILE TIMES
	local time
	for ((time = 0; time < $2; time++)); do
		wait_until 60 is_larger "$1" "$(stat -c %s "$1")" || return
	done
}

# Prints a port of the loopback that nothing has, for a program that cannot choose one and say which. It is none of those that
# the kernel gives to whoever asks for any: another one might have it before that program does.
free_port() {
	python3 -c 'if True:
		import random, socket
		end = int(open("/proc/sys/net/ipv4/ip_local_port_range").read().split()[0])
		while True:
			try:
				with socket.socket() as s:
					s.bind(("127.0.0.1", random.randrange(10000, max(end, 20000))))
					print(s.getsockname()[1])
					break
			except OSError:
				pass'
}

gone() { # PID
	[[ ! -d /proc/$1 || $(cut -d ' ' -f 3 "/proc/$1/stat" 2>/dev/null) == Z ]]
}

# Programs and links that a process holds, one "prog ID" or "link ID" a line.
held_by() { # PID
	sed -n 's/^\(prog\|link\)_id:[[:space:]]*/\1 /p' "/proc/$1/fdinfo/"* 2>/dev/null | sort -u
}
still_there() { # HELD
	local kind id
	while read -r kind id; do
		bpftool "$kind" show id "$id" >/dev/null 2>&1 && echo "$kind $id"
	done <<<"$1"
}
none_there() { # HELD
	[[ ! $(still_there "$1") ]]
}

# What jq finds wrong in a file of intervals; each finding is a string. Passes if there is none.
tap_jq() { # FILE FILTER SENTENCE [JQ_OPTION...]
	local details
	if details=$(jq -rn "${@:4}" "[inputs] as \$all | $2" "$1" 2>&1); then
		[[ -s $1 ]] || details="$1 is empty"
	fi
	tap_empty "$(head -n 20 <<<"$details")" "$3"
}

# Findings that no run may have, of any source.
# shellcheck disable=SC2016 # jq's variables
sound='$all[] | . as $interval | .time as $time
	| if .totals.slots == null then empty
	  elif .totals.residual_slots != 0 then "\($time): residual \(.totals.residual_slots)"
	  elif ([.rows[] | select(.core != "all").slots] | add) + .totals.unattributed_slots != .totals.slots
	  then "\($time): rows and unattributed are not the total" else empty end,
	  (.rows[] | select(.cpu_s < 0) | "\($time): \(.kind) \(.cgroup) has \(.cpu_s) s of CPU"),
	  if (.health.lost_switches == 0) != (.totals.unattributed_cpu_s == 0)
	  then "\($time): \(.health.lost_switches) lost switches in \(.totals.unattributed_cpu_s) s" else empty end,
	  if .health.read_errors != 0 then "\($time): \(.health.read_errors) read errors" else empty end'
# An interval is as long as the mean of the CPUs' own times, but for NTP, which may slew one clock by 0.05 % and not the other.
# shellcheck disable=SC2016 # jq's variables
all_time='$all[] | (.window_s * .cpus) as $want | ([.rows[].cpu_s, .totals.unattributed_cpu_s] | add) as $cpu_s
	| select(($cpu_s - $want | fabs) > $want * 0.001 + 0.00005)
	| "\(.time): all rows and unattributed have \($cpu_s) s of CPU, but \($want) s went by"'
sound="($all_time), ($sound)"

# Whether jq finds nothing wrong in a file of intervals.
finds_nothing() { # FILE FILTER [JQ_OPTION...]
	[[ ! $(jq -rn "${@:3}" "[inputs] as \$all | $2" "$1" 2>&1) ]]
}

# Some kernels do not tell of every switch. The time around one is in no row, and the run says how much
# that is: by so much the time of any cgroup may be short, and by nothing where none was lost.
lost_us() { # FILE
	jq -n '[inputs.totals.unattributed_cpu_s] | add * 1000000 | ceil' "$1"
}

# CPU time that a cgroup of v2 has used.
usage_us() { # DIRECTORY
	sed -n 's/^usage_usec //p' "$1/cpu.stat"
}

# Says what is wrong with a CPU time, of which cpu.stat or cpuacct has so much: it may differ by 1 %, by
# 5 ms, as the kernel counts from a wake-up and we from the switch that follows, and fall short by
# what was lost. Time that the hypervisor took is in ours only.
differs() { # GOT_US WANT_US LOST_US [STEAL_US]
	local slack_us=$(($2 / 100 + 5000))
	(($1 <= $2 + slack_us + ${4:-0} && $1 + $3 >= $2 - slack_us)) ||
		echo "$1 us, the kernel has $2 us, $3 us are lost, ${4:-0} us stolen"
}

# Prints what a command finds wrong, unless it finds nothing when it measures again. An interrupt of 30 ms between a wake-up
# and its switch, and a switch away and back of which the kernel tells neither, are in our times and not in the
# kernel's. Both are rare; what is wrong with us is wrong each time.
measured_again() { # COMMAND...
	local try found
	for try in 1 2 3; do
		found=$("$@")
		[[ $found ]] || return 0
		echo "# measured $try times: $found" >&2
	done
	echo "$found"
}

# Time that the hypervisor took from all CPUs, since an earlier call gave so much; at most, as it is
# told in whole ticks of each.
steal_us() { # [EARLIER_US]
	local tick_us=$((1000000 / $(getconf CLK_TCK)))
	awk -v tick_us="$tick_us" -v earlier_us="${1-}" -v cpus="$(nproc)" '$1 == "cpu" {
		print $9 * tick_us - earlier_us + (earlier_us == "" ? 0 : cpus * tick_us) }' /proc/stat
}

# A task's parent hears of its end while it still runs (exit_notify() in kernel/exit.c): by the nap's end it is gone.
# shellcheck disable=SC2016 # the inner shell's
command_and_nap='"$@"; code=$?; sleep 0.2; exit $code'

# Records a command's run, and turns the recording into $scratch/NAME.jsonl.
record() { # NAME SECONDS SOURCE [OPTION...] -- COMMAND...
	local name=$1 interval=$2 source=$3 options=()
	shift 3
	while [[ $1 != -- ]]; do
		options+=("$1")
		shift
	done
	shift
	"$program" record --hierarchy v2 -i "$interval" --source "$source" "$scratch/$name.rec" "${options[@]}" -- \
		bash -c "$command_and_nap" bash "$@" &&
		"$program" report "$scratch/$name.rec" --format jsonl >"$scratch/$name.jsonl"
}

# Records one run of a command by each source, one recorder beside the other: $scratch/NAME-SOURCE.jsonl, with - for :.
record_each() { # NAME SECONDS SOURCE... -- COMMAND...
	local interval=$2 source sources=() command
	local -r at=$scratch/$1
	shift 2
	while [[ $1 != -- ]]; do
		sources+=("$1")
		shift
	done
	command=(bash -c "$command_and_nap" bash "${@:2}")
	for source in "${sources[@]}"; do
		command=("$program" record --hierarchy v2 -i "$interval" --source "$source" "$at-${source//:/-}.rec" -- "${command[@]}")
	done
	"${command[@]}" || return
	for source in "${sources[@]//:/-}"; do
		"$program" report "$at-$source.rec" --format jsonl >"$at-$source.jsonl" || return
	done
}
