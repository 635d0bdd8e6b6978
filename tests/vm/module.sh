# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# module.sh - builds the simulated PMU for one kernel, in that kernel's root.
# shellcheck shell=bash

module_namespaces=(--mount)
((EUID)) && module_namespaces+=(--user --map-root-user)

# Runs a command in the root, with a folder as /build. All mounts are of a mount namespace that ends
# with the command, so that none can be left behind; objtool wants /proc, make /dev/null.
module_chroot() { # ROOT FOLDER COMMAND...
	# shellcheck disable=SC2016 # the inner shell expands it
	unshare "${module_namespaces[@]}" bash -c '
		mount --rbind /dev "$1/dev" && mount --rbind /proc "$1/proc" &&
			mount --bind "$2" "$1/build" || exit
		root=$1
		shift 2
		exec chroot "$root" /usr/bin/env -i PATH=/usr/bin:/usr/sbin LC_ALL=C "$@"
	' module_chroot "$@"
}

module_make() { # ROOT FOLDER
	module_chroot "$1" "$2" make -C "/lib/modules/$(vm_release "$1")/build" M=/build -j2 modules
}

# Prints the path of simpmu.ko, or returns 77 and says why it cannot be tried. Objects are kept in
# the cache by what they are made of.
module_build() { # ROOT KERNEL
	local root=$1 kernel=$2 hash folder work
	hash=$({
		cat "$root/packages"
		cd tests/vm/simpmu && find . -type f \( -name '*.[ch]' -o -name Kbuild \) -print0 |
			sort -z | xargs -0 sha256sum
	} | sha256sum | cut -c 1-16)
	folder=$vm_cache/modules/$kernel-$hash
	if [[ -e $folder/simpmu.ko ]]; then
		touch "$folder"
	else
		unshare "${module_namespaces[@]}" true >&2 || return 77
		mkdir -p "$vm_cache/modules" && work=$(mktemp -d "$vm_cache/modules/new.XXXXXX") ||
			return 77
		(cd tests/vm/simpmu && cp -r . "$work")
		if ! module_make "$root" "$work" >"$work/log" 2>&1; then
			sed -e 's/^/# /' -e "s|$work/|/build/|g" -e "s|/build/|tests/vm/simpmu/|g" "$work/log" >&2
			rm -rf "$work"
			return 1
		fi
		grep -E 'warning:' -A 6 "$work/log" >&2
		mkdir "$work/done" && mv "$work/simpmu.ko" "$work/done" &&
			{ mv -T "$work/done" "$folder" 2>/dev/null || [[ -e $folder/simpmu.ko ]]; } ||
			return
		rm -rf "$work"
		# What nobody used for a week is of other sources.
		find "$vm_cache/modules" -mindepth 1 -maxdepth 1 -mtime +7 -exec rm -rf {} +
	fi
	echo "$folder/simpmu.ko"
}
