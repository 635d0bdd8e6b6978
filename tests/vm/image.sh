# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# image.sh - makes the guest's file system: our programs, our tests, and what they call.
# shellcheck shell=bash

# busybox has most tools. Of these it has none, or one that can less.
image_commands=(bash chrt date gojq perf timeout)

# Copies a program and the libraries it is linked with. Debugging information would be most of it, and QEMU is slow to unpack.
image_add() { # FOLDER PROGRAM PLACE
	local library
	install -D "$2" "$1/$3"
	strip --strip-debug "$1/$3"
	ldd "$2" 2>/dev/null | grep -oE '(^|[[:space:]])/[^ ]+' | while read -r library; do
		[[ -e $1/$library ]] || install -D "$library" "$1/$library"
	done
}

# Prints where the guest's command is here.
image_find() { # COMMAND
	type -P "$1"
}

# Builds what only the guest needs: nothing, if it is a machine like this one.
image_build() {
	:
}

# Prints what is missing to make one.
image_lacks() {
	local command
	for command in busybox cpio "${image_commands[@]}"; do
		type -P "$command" >/dev/null || echo "$command"
	done
	[[ -x $BUILD/cgtopdown ]] || echo "$BUILD/cgtopdown"
}

# Where a step fails, all does: an image that lacks a file is worse than none.
image_fill() ( # FOLDER MODULE
	set -e
	folder=$1
	mkdir -p "$folder"/{bin,build,dev,proc,sys,tmp,tests/vm}
	install "$(image_find busybox)" "$folder/bin/busybox"
	for command in $(busybox --list | grep -vx busybox); do
		ln -s busybox "$folder/bin/$command"
	done
	for command in "${image_commands[@]}"; do
		rm -f "$folder/bin/$command"
		image_add "$folder" "$(image_find "$command")" "bin/$command"
	done
	# Each start of jq 1.6 takes 0.8 s under emulation, of this one 0.1 s; a case starts it a dozen times.
	ln -sf gojq "$folder/bin/jq"
	# shellcheck disable=SC2154 # lib.sh sets it
	for program in "$programs"/cgtopdown "$programs"/tests/{tools,kernel}/*; do
		[[ -f $program && -x $program ]] || continue
		image_add "$folder" "$program" "build/${program#"$programs/"}"
		ln -s "/build/${program#"$programs/"}" "$folder/bin/${program##*/}"
	done
	# What was stripped of one is where packages have it: for lines.
	id=$(readelf -n "$programs/tests/tools/functions" | sed -n 's/.*Build ID: *//p')
	install -D "$programs/tests/tools/functions" "$folder/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
	[[ ! -x $programs-clang/cgtopdown ]] ||
		image_add "$folder" "$programs-clang/cgtopdown" bin/cgtopdown-newest-clang
	cp -r tests/vm/guest tests/vm/cases "$folder/tests/vm"
	cp -r tests/tap.sh tests/progrun "$folder/tests"
	install "tests/vm/guest/init" "$folder/init"
	[[ ! $2 ]] || cp "$2" "$folder/simpmu.ko"
)

image_make() { # FOLDER MODULE IMAGE
	image_fill "$1" "$2"
	(cd "$1" && find . -print0 | cpio -0 -o -H newc -R 0:0 --quiet) >"$3"
}
