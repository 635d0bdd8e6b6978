# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# boot.sh - boots a guest, and ends it when it hangs.
# shellcheck shell=bash

# Emulated, the kernel's trial of its public-key ciphers and of the certificates it was built with takes two thirds of a boot.
boot_words=(console=ttyS0 loglevel=5 rdinit=/init panic=-1 oops=panic mitigations=off init_on_alloc=0 apparmor=0 audit=0
	random.trust_cpu=on no_timer_check tsc=reliable nowatchdog rcupdate.rcu_cpu_stall_timeout=60
	cryptomgr.notests initcall_blacklist=load_system_certificate_list)

# CPU that the guest sees, so that perf takes the same tables for it as on the processor.
boot_cpu() { # PERSONALITY PARAMETERS
	local intel=vendor=GenuineIntel,family=6 amd=vendor=AuthenticAMD
	case $1 in
	none | sapphire_rapids) echo "$intel,model=143,stepping=8" ;;
	granite_rapids) echo "$intel,model=173,stepping=1" ;;
	ice_lake) echo "$intel,model=106,stepping=6" ;;
	alder_lake) echo "$intel,model=151,stepping=2" ;;
	arrow_lake) echo "$intel,model=198,stepping=2" ;;
	sierra_forest) echo "$intel,model=175,stepping=3" ;;
	skylake) echo "$intel,model=85,stepping=4" ;;
	broadwell) echo "$intel,model=79,stepping=1" ;;
	zen4) echo "$amd,family=25,model=17,stepping=1" ;;
	zen5) echo "$amd,family=26,model=2,stepping=1" ;;
	*) return 1 ;;
	esac
}

boot_kernel() { # ROOT
	local file
	# Until 6.18 or so, and from then on.
	for file in "$1"/boot/vmlinuz-* "$1"/usr/lib/modules/*/vmlinuz; do
		[[ -e $file ]] && echo "$file" && return
	done
	return 1
}

# Sets qemu, the emulator and what it emulates, and the ports that are FOLDER's console and tap.
boot_qemu() { # FOLDER CPU
	# With erms, the kernel copies and clears by instructions that move a byte at a time, of which QEMU makes as many steps.
	qemu=(qemu-system-x86_64 -accel "tcg,thread=single,tb-size=512" -cpu "max,-erms,$2"
		-serial "file:$1/console" -serial "file:$1/tap")
}

# Sets now_us. A test puts another in its place.
boot_clock() {
	now_us=${EPOCHREALTIME/[^0-9]/}
}

# Boots with boot_options, and waits for the end. FOLDER gets console and tap, what the two serial
# ports said. Sets boot_fault: empty, or why the guest had to be ended.
boot() { # FOLDER KERNEL_FILE IMAGE CPU WORDS LIMIT_S SILENCE_S
	local folder=$1 limit_us=$(($6 * 1000000)) silence_us=$(($7 * 1000000))
	local started_us changed_us now_us=0 bytes=0 bytes_now
	: >"$folder/console" >"$folder/tap"
	local qemu
	boot_fault=''
	boot_qemu "$folder" "$4"
	# thread=multi runs both CPUs at once, but QEMU 7.2 then sometimes loses a guest where the kernel
	# patches a nop that the other CPU executes. panic=-1 reboots at once, -no-reboot ends it.
	# no_timer_check to the stall timeout: that the host is busy is no fault of the guest's.
	setpriv --pdeathsig KILL "${qemu[@]}" "${boot_options[@]}" -m 1536 \
		-nodefaults -no-user-config -display none -nic none -no-reboot \
		-kernel "$2" -initrd "$3" -append "${boot_words[*]} $5" </dev/null >"$folder/qemu" 2>&1 &
	boot_pid=$!
	boot_clock
	started_us=$now_us changed_us=$now_us
	while kill -0 "$boot_pid" 2>/dev/null; do
		sleep 0.2
		# This may be a subshell: a guest ends with its suite, which $$ still is.
		kill -0 $$ 2>/dev/null || { kill -KILL "$boot_pid" && exit 1; }
		boot_clock
		bytes_now=$(stat -c %s "$folder/console" "$folder/tap")
		[[ $bytes_now == "$bytes" ]] || changed_us=$now_us
		bytes=$bytes_now
		if ((now_us - changed_us > silence_us)); then
			boot_fault="printed nothing for $7 s"
		elif ((now_us - started_us > limit_us)); then
			boot_fault="still running after $6 s"
		else
			continue
		fi
		kill -KILL "$boot_pid"
		break
	done 2>/dev/null
	{ wait "$boot_pid"; } 2>/dev/null || [[ $boot_fault ]] ||
		boot_fault="QEMU failed: $(tail -n 1 "$folder/qemu")"
	boot_pid=''
}
