# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# debian.sh - fetches Debian's packages into a cache, with an apt that knows nothing of this system.
#
# No package is installed and no maintainer script runs; apt's own configuration and lists are left
# alone. A script that reads this sets, for the functions to read:
#   suites    the suites that packages are from, an array; the last one is asked first
#   arch      the architecture, amd64 by default
#   work      an empty folder that is removed in the end
#   archives  the folder of packages that are kept, each under its checksum
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034 # see above; reason is for the script

debian_keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# Sets reason to what is missing to fetch packages at all.
debian_can_fetch() {
	local tool
	for tool in apt-get apt-cache dpkg-deb flock; do
		reason="$tool is missing; it takes Debian's tools to fetch one"
		type -P "$tool" >/dev/null || return
	done
	reason="$debian_keyring is missing (package debian-archive-keyring)"
	[[ -r $debian_keyring ]]
}

# apt with a configuration, lists and an (empty) state of its own.
debian_configure() {
	local uris main security suite kind architecture=${arch:-amd64}
	# shellcheck disable=SC2016 # apt expands it
	uris=$(apt-get indextargets --no-release-info --format '$(REPO_URI)' 'Created-By: Packages' \
		2>/dev/null | sort -u)
	main=$(grep -m 1 -E '^https?://.*/debian/?$' <<<"$uris")
	main=${main:-http://deb.debian.org/debian}
	security=$(grep -m 1 -E '^https?://.*/debian-security/?$' <<<"$uris")
	security=${security:-${main%debian*}debian-security}
	mkdir -p "$work"/{lists,cache/archives}/partial "$work/parts"
	: >"$work/status"
	for suite in "${suites[@]}"; do
		for kind in deb deb-src; do
			case $suite in
			*-security) echo "$kind [signed-by=$debian_keyring] $security $suite main" ;;
			*) echo "$kind [signed-by=$debian_keyring] $main $suite main" ;;
			esac
		done
	done >"$work/sources.list"
	# Sources are for few.
	[[ ${debian_sources-} ]] || sed -i '/^deb-src /d' "$work/sources.list"
	# Check-Valid-Until: the index of a suite that is no longer cared for is not signed anew.
	cat >"$work/apt.conf" <<-END
		Dir::Etc::SourceList "$work/sources.list";
		Dir::Etc::SourceParts "$work/parts";
		Dir::Etc::Preferences "/dev/null";
		Dir::Etc::PreferencesParts "$work/parts";
		Dir::State "$work";
		Dir::State::Lists "$work/lists";
		Dir::State::Status "$work/status";
		Dir::Cache "$work/cache";
		APT::Architecture "$architecture";
		APT::Architectures { "$architecture"; "amd64"; };
		APT::Default-Release "${suites[-1]}";
		APT::Install-Recommends "false";
		APT::Sandbox::User "root";
		Acquire::Check-Valid-Until "false";
		Acquire::Languages "none";
		Acquire::Retries "1";
		Acquire::http::Timeout "30";
		#clear APT::Update::Pre-Invoke;
		#clear APT::Update::Post-Invoke;
		#clear APT::Update::Post-Invoke-Success;
	END
}

debian_apt() { # TOOL ARGUMENT...
	local tool=$1
	shift
	"$tool" -q -c "$work/apt.conf" "$@" 2>>"$work/log" </dev/null
}

# Sets reason if it fails.
debian_update() {
	debian_configure
	debian_apt apt-get update >>"$work/log"
	# That a host was not reached is a warning of apt's, and no error.
	reason="no index of ${suites[-1]} could be fetched (no network?)"
	compgen -G "$work/lists/*_${suites[-1]}_*Packages*" >/dev/null
}

# Prints a line "PACKAGE=VERSION SHA256 BYTES" for each of apt-cache's descriptions on stdin.
debian_list() {
	awk '
		/^Package: / { package = $2 }
		/^Architecture: / && $2 != "all" { package = package ":" $2 }
		/^Version: / { version = $2 }
		/^Size: / { bytes = $2 }
		/^SHA256: / { sha256 = $2 }
		/^$/ && package { print package "=" version, sha256, bytes; package = "" }
		END { if (package) print package "=" version, sha256, bytes }' | sort -u
}

# Sets reason if there is no room for what is in wanted, which unpacked is up to four times as much.
debian_has_space() {
	local free_mb needed_mb
	needed_mb=$(awk '{ bytes += $3 } END { printf "%.0f", bytes * 5 / 1e6 }' <<<"$wanted")
	free_mb=$(df --output=avail -B 1000000 "$archives" | tail -n 1)
	reason="$archives has $((free_mb)) MB free, $needed_mb MB are needed"
	((free_mb >= needed_mb))
}

# Prints the lines of wanted whose package is not in the archives; removes what is not what its
# name, the checksum in the signed index, says.
debian_missing() {
	local package sha256 bytes
	while read -r package sha256 bytes; do
		if [[ -e $archives/$sha256.deb ]]; then
			sha256sum --status -c - <<<"$sha256  $archives/$sha256.deb" && continue
			say "$package in $archives is damaged; removed"
			rm -f "$archives/$sha256.deb"
		fi
		echo "$package $sha256 $bytes"
	done <<<"$wanted"
}

# Fetches what is in wanted and not yet in the archives. Sets reason if it fails.
debian_download() { # WHAT_FOR
	local lacking file sha256
	lacking=$(debian_missing)
	[[ $lacking ]] || return 0
	say "fetching $(awk '{ bytes += $3 } END { printf "%d packages, %.0f MB", NR, bytes / 1e6 }' \
		<<<"$lacking") for $1"
	mkdir -p "$work/debs"
	# shellcheck disable=SC2046 # one word per package
	(cd "$work/debs" && debian_apt apt-get download $(cut -d ' ' -f 1 <<<"$lacking")) >>"$work/log"
	for file in "$work"/debs/*.deb; do
		[[ -e $file ]] || continue
		sha256=$(sha256sum "$file" | cut -d ' ' -f 1)
		[[ $lacking == *" $sha256 "* ]] && mv "$file" "$archives/$sha256.deb"
	done
	lacking=$(debian_missing | cut -d ' ' -f 1 | xargs)
	[[ $lacking ]] || return 0
	reason="could not download, or is not what the signed index promises: $lacking"
	return 1
}
