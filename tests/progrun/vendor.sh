# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# vendor.sh - files of a processor that there is not, for a machine of every vendor with x86 cores.
# shellcheck shell=bash

# Sets counters, as events of the files have them: four are left beside the cycles that each group begins with.
# Intel's cores have a fixed counter for these, AMD's take one of the others.
make_vendor_map() { # FOLDER
	mkdir -p "$1/here"
	cat >"$1/mapfile.csv" <<-'END'
		Family-model,Version,Filename,EventType
		GenuineIntel-6-[0-9A-F]+,v1,here,core
		AuthenticAMD-[0-9]+-[0-9A-F]+,v1,here,core
	END
	counters=0,1,2,3
	! grep -q AuthenticAMD /proc/cpuinfo || counters+=,4
}
