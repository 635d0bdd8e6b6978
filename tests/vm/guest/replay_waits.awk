# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# replay_waits.awk - who waited behind whom on a machine of one CPU, by the wakeups and switches of `perf script`.
#
# Reads events of `perf sched record`, printed with -F time,event,trace --ns. Prints "VICTIM OCCUPIER NS WAITS" for each pair of
# the tasks that -v names= lists, by their comm; what waited for less than -v least_ns= is left out.

function number_of(field) {
	return match($0, field "=[^ ]*") ? substr($0, RSTART + length(field) + 1, RLENGTH - length(field) - 1) : ""
}

# "12.345678901:"
function now_ns(parts) {
	split($1, parts, /[.:]/)
	return parts[1] * 1000000000 + ("1" parts[2]) - 1000000000 # busybox takes a number that begins with 0 for octal
}

function queue(pid) {
	if (pid != 0 && pid != running && !(pid in queued_ns))
		queued_ns[pid] = now
}

# The task that ran until now kept all that are queued waiting.
function occupied(comm, pid, from) {
	for (pid in queued_ns) {
		from = queued_ns[pid] > since ? queued_ns[pid] : since
		part[pid, comm] += now - from
	}
}

function end_wait(pid, comm, waited, key, pair) {
	waited = pid in queued_ns ? now - queued_ns[pid] : 0
	for (key in part) {
		split(key, pair, SUBSEP)
		if (pair[1] != pid)
			continue
		if (waited >= least_ns && part[key] > 0) {
			ns[comm, pair[2]] += part[key]
			waits[comm, pair[2]]++
		}
		delete part[key]
	}
	delete queued_ns[pid]
}

BEGIN {
	count = split(names, listed, " ")
	for (i = 1; i <= count; i++)
		wanted[listed[i]] = 1
}

/ sched:sched_switch: / {
	now = now_ns()
	prev = number_of("prev_pid")
	occupied(number_of("prev_comm"))
	running = number_of("next_pid")
	if (number_of("prev_state") ~ /^R/)
		queue(prev)
	end_wait(running, number_of("next_comm"))
	since = now
}

# A wakeup is told as it begins, by newer perf.
/ sched:sched_(waking|wakeup|wakeup_new): / {
	now = now_ns()
	queue(number_of("pid"))
}

END {
	for (key in ns) {
		split(key, pair, SUBSEP)
		if (pair[1] in wanted && pair[2] in wanted && pair[1] != pair[2])
			printf "%s %s %.0f %d\n", pair[1], pair[2], ns[key], waits[key]
	}
}
