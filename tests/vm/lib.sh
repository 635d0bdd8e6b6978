# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# lib.sh - runs the cases on one of Debian's kernels in QEMU, with a simulated PMU.
# shellcheck shell=bash
#
# A kernel is a file tests/vm/linux-NAME with the Debian suites that it is from, the last being the one
# whose kernel it is. A case is a script in tests/vm/cases/ that prints TAP. It runs in the
# guest, as root, with the repository's tests/tap.sh, tests/progrun/, tests/vm/cases/ and
# tests/vm/guest/ below /, BUILD=/build, and in its PATH: busybox, bash, jq, perf, cgtopdown, the
# tools of tests/tools/ and, if it was built, cgtopdown-newest-clang, whose BPF side the newest
# compiler made.
#
# In a case's head, each line "# vm: WORD..." is one run of it:
#   personality=NAME         the processor that the module simulates; none: no module is loaded
#   machine=arm64            a run for the suites linux-*-arm64 (arm64.sh), and not for the others
#   cpu=max                  there: the CPU that can do most
#   core=yes                 a run for everybody: `make check` outside CI makes these, on the oldest kernel
#   usual=KERNEL[,KERNEL]... a run that is alike on all kernels: CI makes it on these, or with no on none;
#                            `make check-all` on every one. Without it, CI makes it on every kernel
#   only=KERNEL              a run on this kernel and on no other, for what is of one processor
#   limit_s=N                seconds it may take by the guest's clock, 45 if it does not say; also the longest
#                            silence
#   smp=N                    CPUs, 2 if it does not say
#   topology=SxCxT           CPUs: so many sockets, cores in each and hardware threads in a core
#   icount=N                 the guest's clock goes on by 2^N ns per instruction, so that a busy host is not
#                            seen by it. With smp=1: a busy CPU would starve the next one (QEMU 7.2)
#   simpmu.PARAMETER=VALUE   handed to the module
# Runs that agree in personality, machine and parameters share one boot, in the order of their names.
#
# CTD_VM_CASES: core, usual, or the names of cases (patterns of the shell), all by default.
# CTD_VM_BOOTS: so many guests at a time, 1 by default.
# CTD_VM_SILENCE_S: a guest that prints nothing for so long hangs; 60, or more if a case may take
# longer.
# The two serial ports of each boot are kept in $BUILD/vm/KERNEL/BOOT/console and tap.
set -u -o pipefail

vm_cache=$(realpath -m "${CTD_CACHE:-/var/cache/cgtopdown}")/vm
kernel=${0##*/}
kernel=${kernel#linux-}
BUILD=$(realpath -m "${BUILD:-build}")
. tests/tap.sh
. tests/vm/module.sh
. tests/vm/image.sh
. tests/vm/boot.sh
. tests/vm/judge.sh
machine=x86 machine_qemu=qemu-system-x86_64 programs=$BUILD
# shellcheck source=tests/vm/arm64.sh
[[ $kernel != *-arm64 ]] || . tests/vm/arm64.sh
vm_work=''

# Prints the release name of the kernel in a root.
vm_release() { # ROOT
	local build=("$1"/usr/lib/modules/*/build)
	basename "${build[0]%/build}"
}

vm_skip() { # REASON
	echo "$1"
	exit 77
}

vm_wanted() { # CASE CORE USUAL
	local pattern patterns
	read -ra patterns <<<"${CTD_VM_CASES:-*}"
	case ${patterns[0]} in
	core) [[ $2 == yes ]] && return ;;
	usual) [[ ,$3, == *",$kernel,"* ]] && return ;;
	*)
		for pattern in "${patterns[@]}"; do
			# shellcheck disable=SC2053 # a pattern it is
			[[ $1 == $pattern ]] && return
		done
		;;
	esac
	return 1
}

vm_are_kernels() { # NAME[,NAME]...
	local name
	for name in ${1//,/ }; do
		[[ -e tests/vm/linux-$name ]] || return
	done
	[[ $1 ]]
}

# Prints "PERSONALITY[,MACHINE...][,PARAMETER...] CASE LIMIT_S" for each run that is wanted.
vm_runs() {
	local file line word key core limit_s parameters runs_on only usual
	for file in tests/vm/cases/*; do
		[[ -f $file ]] || continue
		while read -r line; do
			key='' core=no limit_s=45 parameters='' runs_on=x86 only=$kernel usual=$kernel
			for word in $line; do
				case $word in
				personality=*) key=${word#*=} ;;
				machine=arm64) runs_on=${word#*=} ;;
				core=yes | core=no) core=${word#*=} ;;
				usual=*) usual=${word#*=} ;;
				only=*) only=${word#*=} ;;
				limit_s=*) limit_s=${word#*=} ;;
				cpu=max | smp=* | topology=* | icount=* | simpmu.*=*) parameters+=,$word ;;
				*) key='' && break ;;
				esac
			done
			# A wrong line, or none, must not be a test that nobody misses.
			[[ $key && $limit_s =~ ^[1-9][0-9]*$ ]] && vm_are_kernels "$only" && { [[ $usual == no ]] || vm_are_kernels "$usual"; } ||
				key="wrong:${word:-none}" only=$kernel usual=$kernel runs_on=$machine
			[[ $runs_on == "$machine" && $only == "$kernel" ]] && vm_wanted "${file##*/}" "$core" "$usual" &&
				echo "$key$parameters ${file##*/} $limit_s"
		done < <(sed -n '2,30s/^# vm: *//p' "$file" | grep . || echo)
	done
}

# Sets boot_options, of QEMU.
vm_read_options() { # KEY
	local word sockets cores threads
	boot_options=(-smp 2)
	for word in ${1//,/ }; do
		case $word in
		smp=*) boot_options[1]=${word#*=} ;;
		topology=*)
			IFS=x read -r sockets cores threads <<<"${word#*=}"
			boot_options[1]=$((sockets * cores * threads)),sockets=$sockets,cores=$cores,threads=$threads
			;;
		icount=*) boot_options+=(-icount "shift=${word#*=},sleep=off") ;;
		esac
	done
	# A kernel that counts the TSC in a loop over the PIT's port believes that count even where HPET and PM timer
	# say otherwise (pit_hpet_ptimer_calibrate_cpu() in arch/x86/kernel/tsc.c). On a busy host it is
	# wrong, and all of the guest's clocks are: without a PIT, it takes the HPET's.
	[[ $machine != x86 || $1 == *,icount=* ]] || boot_options+=(-M pc,pit=off)
}

# Sets what is known of a boot: personality, folder, its cases, and their limits.
vm_read_key() { # KEY
	local run_key name limit_s
	key=$1 personality=${1%%,*} cases=() case_words=''
	silence_s=${CTD_VM_SILENCE_S:-60} total_s=$silence_s
	folder=$BUILD/vm/$kernel/${key//\//_}
	while read -r run_key name limit_s; do
		[[ $run_key == "$key" ]] || continue
		cases+=("$name")
		case_words+=,$name:$limit_s
		((total_s += limit_s, silence_s < limit_s + 15)) && silence_s=$((limit_s + 15))
	done <<<"$runs"
	# Limits are told by the guest's clock: where that counts instructions, here it takes longer, the
	# more so on a busy host.
	[[ $key != *,icount=* ]] || ((silence_s *= 3, total_s *= 3))
}

# One boot: all runs of a key. Leaves $folder/fault: empty, or why the guest had to be ended.
vm_boot() { # KEY KERNEL_FILE IMAGE
	local key personality folder cases case_words silence_s total_s cpu parameters started_s=$SECONDS
	vm_read_key "$1"
	mkdir -p "$folder" || exit
	: >"$folder/console" >"$folder/tap"
	if [[ $key == wrong:* ]] || ! cpu=$(boot_cpu "$personality" "${key#"$personality"}"); then
		echo "no such processor in boot.sh, or not a word of tests/vm/lib.sh: $key" >"$folder/fault"
		return
	fi
	vm_read_options "$key"
	parameters=$(grep -o 'simpmu\.[^,]*' <<<"$key" | xargs)
	boot "$folder" "$2" "$3" "$cpu" \
		"ctd.personality=$personality ctd.cases=${case_words#,}${parameters:+ $parameters}" \
		"$total_s" "${CTD_VM_SILENCE_S:-$silence_s}"
	echo "$boot_fault" >"$folder/fault"
	times >"$folder/times" # of this shell and, in its second line, of its children
	echo "# boot of ${key//,/ }: $((SECONDS - started_s)) s, of CPU $(sed -n '2s/ .*//p' "$folder/times")" >"$folder/duration"
}

vm_judge() { # KEY
	local key personality folder cases case_words silence_s total_s boot_fault
	vm_read_key "$1"
	boot_fault=$(cat "$folder/fault")
	cat "$folder/duration" 2>/dev/null
	judge_boot "$folder" "${key//,/ }" "${cases[@]}"
}

vm_end() {
	trap - EXIT
	# A guest dies with the shell that waits for it.
	for pid in $(jobs -p); do
		kill -KILL "$pid" 2>/dev/null
	done
	rm -rf "$vm_work"
}

# Two guests at a time, if this kernel has the machine for itself: each takes one CPU.
vm_boot_all() { # KERNEL_FILE IMAGE KEY...
	local file=$1 image=$2 boots=${CTD_VM_BOOTS:-1} key
	for key in "${@:3}"; do
		(($(jobs -rp | wc -l) < boots)) || wait -n
		vm_boot "$key" "$file" "$image" &
	done
	wait
}

vm_run() { # ROOT
	local root=$1 runs key keys file lacking code module=''
	runs=$(vm_runs)
	[[ $runs ]] || vm_skip "no case is ${CTD_VM_CASES:-there}"
	lacking=$(image_lacks | xargs)
	[[ ! $lacking ]] || vm_skip "missing: $lacking; try: deploy/deps build vm && make vm-programs"
	image_build || {
		tap_fail "the program compiles for $machine"
		tap_done
	}
	file=$(boot_kernel "$root") || vm_skip "no bootable file in $root; try FETCH=1"
	if grep -qv '^none[ ,]' <<<"$runs"; then
		module=$(module_build "$root" "$kernel")
		code=$?
		((code != 77)) || vm_skip "no module can be built in $root (root can, with a writable $vm_cache)"
		tap_is "$code" 0 "the simulated PMU compiles for $(vm_release "$root")"
		((code == 0)) || tap_done
	fi
	vm_work=$(mktemp -d) || exit
	trap vm_end EXIT
	trap 'exit 143' HUP INT TERM
	image_make "$vm_work/image" "$module" "$vm_work/initrd" ||
		vm_skip "the guest's image cannot be made in ${TMPDIR:-/tmp}: $(df --output=avail -h "$vm_work" | tail -n 1 | xargs) are free"
	rm -rf "$vm_work/image"
	# Those that take longest come first.
	mapfile -t keys < <(awk '{ limit_s[$1] += $3 } END { for (key in limit_s) print limit_s[key], key }' \
		<<<"$runs" | sort -rn | cut -d ' ' -f 2)
	vm_boot_all "$file" "$vm_work/initrd" "${keys[@]}"
	for key in "${keys[@]}"; do
		vm_judge "$key"
	done
	tap_done
}

vm_main() { # "SUITE..." [root | module]
	local root
	[[ ${2-} == module ]] || type -P "$machine_qemu" >/dev/null ||
		vm_skip "$machine_qemu is missing; try: deploy/deps vm"
	# shellcheck disable=SC2086 # one word per suite
	root=$(tests/vm/fetch "$kernel" $1) || exit
	case ${2-} in
	root) echo "$root" ;;
	module) module_build "$root" "$kernel" ;;
	*) vm_run "$root" ;;
	esac
}
