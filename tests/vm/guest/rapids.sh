# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# rapids.sh - files of a vendor for the simulated Sapphire Rapids: events as Linux' files have them, and metrics that a case writes.
# shellcheck shell=bash

# What metrics divide parts of PERF_METRICS by.
# shellcheck disable=SC1003,SC2034 # backslashes of JSON: perf writes \- for a minus in a name; cases use it
all_slots='(topdown\\-fe\\-bound + topdown\\-bad\\-spec + topdown\\-retiring + topdown\\-be\\-bound)'

rapids_event() { # NAME CODE UMASK CMASK
	printf '{"EventName": "%s", "EventCode": "%s", "UMask": "%s", "CounterMask": "%s", "Counter": "0,1,2,3,4,5,6,7"}' "$@"
}

rapids_begin() { # DIRECTORY
	rapids=$1/x86/rapids
	mkdir -p "$rapids"
	printf '%s\n' 'Family-model,Version,Filename,EventType' 'GenuineIntel-6-(8F|CF),v1,rapids,core' >"$1/x86/mapfile.csv"
	{
		printf '[%s' "$(rapids_event EXE_ACTIVITY.BOUND_ON_LOADS 0xa6 0x21 5)"
		printf ',\n%s' "$(rapids_event MEMORY_ACTIVITY.STALLS_L1D_MISS 0x47 0x3 3)" \
			"$(rapids_event MEMORY_ACTIVITY.STALLS_L2_MISS 0x47 0x5 5)" \
			"$(rapids_event MEMORY_ACTIVITY.STALLS_L3_MISS 0x47 0x9 9)" "$(rapids_event IDQ_BUBBLES.CORE 0x9c 0x1 0)" \
			"$(rapids_event IDQ_BUBBLES.CYCLES_0_UOPS_DELIV.CORE 0x9c 0x1 6)" "$(rapids_event UOPS_RETIRED.HEAVY 0xc2 0x1 0)" \
			"$(rapids_event UOPS_RETIRED.SLOTS 0xc2 0x2 0)" "$(rapids_event TOPDOWN.BACKEND_BOUND_SLOTS 0xa4 0x2 0)" \
			"$(rapids_event TOPDOWN.MEMORY_BOUND_SLOTS 0xa4 0x10 0)"
		echo ', {"EventName": "CPU_CLK_UNHALTED.THREAD", "EventCode": "0x3c", "UMask": "0x0", "Counter": "0,1,2,3,4,5,6,7"}'
		echo ', {"EventName": "TOPDOWN.SLOTS", "EventCode": "0x00", "UMask": "0x4", "Counter": "Fixed counter 3"}]'
	} >"$rapids/events.json"
	# The simulator counts cycles on one of the eight, as hypervisors without fixed counters do.
	echo '[{"Unit": "core", "CountersNumFixed": "4", "CountersNumGeneric": "7"}]' >"$rapids/counter.json"
	echo '[{"MetricName": "tma_info_thread_clks", "MetricExpr": "CPU_CLK_UNHALTED.THREAD"}' >"$rapids/metrics.json"
}

rapids_metric() { # NAME LEVEL PARENT EXPRESSION [THRESHOLD [EVENT_TO_SAMPLE]]
	printf ',\n{"MetricName": "tma_%s", "MetricGroup": "TopdownL%s;tma_%s_group", "ScaleUnit": "100%%", "MetricExpr": "%s"%s%s}' \
		"${@:1:4}" "${5:+, \"MetricThreshold\": \"$5\"}" \
		"${6:+, \"BriefDescription\": \"Made up. Sample with: $6\"}" >>"$rapids/metrics.json"
}

rapids_end() {
	echo ']' >>"$rapids/metrics.json"
}
