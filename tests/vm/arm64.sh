# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# arm64.sh - what is different with a guest that is an arm64 machine.
# shellcheck shell=bash
#
# lib.sh sources this after the files whose functions it replaces. Compilers, and what runs while
# they do, are this machine's; what the guest runs, and what our programs are linked with, is the
# root's, which is `root` wherever these functions are called.

prefix=aarch64-linux-gnu-
# shellcheck disable=SC2034 # lib.sh and image.sh use them
machine=arm64 machine_qemu=qemu-system-aarch64 programs=$BUILD-arm64
boot_words=("${boot_words[@]/console=ttyS0/console=ttyAMA0}" ctd.port=ttyS0)

# The module takes the place of the PMU's driver: then the CPU must not have one.
boot_cpu() { # PERSONALITY PARAMETERS
	case $1$2 in
	none*,cpu=max*) echo max,pauth-impdef=on ;;
	none*) echo neoverse-n1 ;;
	neoverse_*) echo neoverse-n1,pmu=off ;;
	*) return 1 ;;
	esac
}

# The board has one serial port; another is on PCI.
boot_qemu() { # FOLDER CPU
	# shellcheck disable=SC2034 # boot() uses it
	qemu=("$machine_qemu" -M "virt,gic-version=3" -accel "tcg,thread=single"
		-cpu "$2" -serial "file:$1/console"
		-chardev "file,id=tap,path=${1//,/,,}/tap" -device "pci-serial,chardev=tap")
}

image_lacks() {
	local command
	for command in busybox cpio make clang "${prefix}gcc"; do
		type -P "$command" >/dev/null || echo "$command"
	done
}

# shellcheck disable=SC2154 # of the caller
image_find() { # COMMAND
	echo "$root/usr/bin/$1"
}

# Without MAKEFLAGS: a make that runs this has its own idea of BUILD. With -O1, as it is built for this guest alone; gcc has a
# warning more then.
# shellcheck disable=SC2154 # lib.sh sets kernel
image_build() {
	local log=$BUILD/vm/$kernel/make
	mkdir -p "${log%/*}"
	env -u MAKEFLAGS -u MAKELEVEL make -j2 MACHINE=aarch64 CROSS_COMPILE="$prefix" \
		SYSROOT="$root" BUILD="$programs" CFLAGS="-O1 -Wno-error=format-truncation" all tools kernel-tests >"$log" 2>&1 && return
	sed 's/^/# /' "$log"
	return 1
}

# Copies a program and the libraries it is linked with, which ldd cannot tell of another machine's.
image_add() { # FOLDER PROGRAM PLACE
	local library
	install -D "$2" "$1/$3"
	"${prefix}strip" --strip-debug "$1/$3"
	readelf -d "$2" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p' | while read -r library; do
		[[ -e $1/lib/$library ]] ||
			image_add "$1" "$root/usr/lib/aarch64-linux-gnu/$library" "lib/$library"
	done
}

# From where the headers lie, without the paths that their installed makefile expects.
module_make() { # ROOT FOLDER
	make -C "$1"/usr/src/linux-headers-*-common O="$1/usr/src/linux-headers-$(vm_release "$1")" \
		M="$2" ARCH=arm64 CROSS_COMPILE="$prefix" -j2 modules
}
