# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# files.sh - lists the project's files for the checks, from the top folder.
# shellcheck shell=bash

if ! git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
	echo "not a git work tree, so there is no list of the project's files"
	exit 77
fi

# Files that are, or are about to be, under version control; PATHSPECs as for git.
project_files() { # [PATHSPEC...]
	local file
	git ls-files --cached --others --exclude-standard -- "$@" | while IFS= read -r file; do
		[[ -f $file ]] && echo "$file"
	done
}

c_files() { # FOLDER...
	project_files "$@" | grep -E '\.[ch]$' | grep -v '^vmlinux/'
}

# Everything a person wrote and a machine runs.
source_files() {
	c_files .
	project_files Makefile '*.mk' '*.sh'
	project_files | while IFS= read -r file; do
		[[ -x $file && $(head -c 2 "$file" | tr -d '\0') == '#!' ]] && echo "$file"
	done
}
