# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# platform.sh - gives a test a real containerd: with mounts, a network and processes of its own.
#
# A script that reads this first is started anew, as root, in a mount namespace whose /run and
# /var/log are its own, and in a network namespace that has a loopback and no way out. containerd
# and all that it starts are in a process namespace inside: they end when its first process does,
# even if this script is killed. Their cgroups are the machine's, and are removed.
#
# Both ways of naming cgroups are there: pods of the handler "runc" have the cgroups that kubelet's
# driver cgroupfs asks for, those of "runc-systemd" what its driver systemd does.
# shellcheck shell=bash
# shellcheck disable=SC2154 # scratch and unique are of progrun/lib.sh

if [[ ! ${platform_root-} ]]; then
	platform_skip() { # REASON
		echo "$1"
		exit 77
	}
	((EUID == 0)) || platform_skip "needs root: it runs containers"
	for tool in curl jq busybox unshare; do
		command -v "$tool" >/dev/null || platform_skip "$tool is missing; try: deploy/deps k8s"
	done
	platform_root=$(tests/fetch runtime) || exit
	export platform_root
	exec unshare --mount --net --propagation private -- "$0" "$@"
fi

. tests/progrun/lib.sh
. tests/k8s/cri.sh

platform=$scratch/platform
socket=/run/containerd/containerd.sock
platform_pid=''
pod_cgroups=()

mount -t tmpfs -o mode=755 tmpfs /run
mount -t tmpfs -o mode=755 tmpfs /var/log
mkdir -p "$platform" /run/lock
busybox ip link set lo up

# Before a program of the platform: where it finds the others, and its libraries.
of_platform=(env "PATH=$platform_root/usr/bin:$platform_root/usr/sbin:$PATH"
	"LD_LIBRARY_PATH=$platform_root/usr/lib/x86_64-linux-gnu")

# Of a pod all goes, also of one whose test was killed. What is above stays if others are in it.
platform_remove_cgroups() {
	local hierarchy path
	while read -r hierarchy; do
		for path in "${pod_cgroups[@]}"; do
			remove_cgroup "$hierarchy$path"
		done
		find "$hierarchy"/kubepods{,.slice} -depth -type d \
			-path '*pod????????[-_]0c7d[-_]4c7d[-_]8c7d[-_]*' -exec rmdir {} +
		rmdir "$hierarchy"/kubepods/{burstable,besteffort} "$hierarchy"/kubepods \
			"$hierarchy"/kubepods.slice/kubepods-{burstable,besteffort}.slice \
			"$hierarchy"/kubepods.slice
	done < <(awk '$3 == "cgroup" || $3 == "cgroup2" { print $2 }' /proc/mounts) 2>/dev/null
}

platform_stop() {
	[[ ! $platform_pid ]] || kill -KILL "$platform_pid"
	wait "$platform_pid"
	platform_pid=''
	platform_remove_cgroups
} 2>/dev/null

# Mounts go with the namespace; the folders below them should be gone before that.
platform_clean_up() {
	((BASHPID == $$)) || return
	platform_stop
	clean_up
}
trap platform_clean_up EXIT

platform_configure() { # SANDBOX_IMAGE
	cat <<-END
		version = 2
		root = "$platform/root"
		state = "/run/containerd"
		# What needs a kernel module or a device of its own, and what nobody asks here.
		disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs",
		  "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.aufs"]
		[grpc]
		  address = "$socket"
		[plugins."io.containerd.internal.v1.opt"]
		  path = "$platform/opt"
		[plugins."io.containerd.grpc.v1.cri"]
		  sandbox_image = "$1"
		  # Not every root may lower oom_score_adj (CAP_SYS_RESOURCE).
		  restrict_oom_score_adj = true
		  disable_tcp_service = true
		  [plugins."io.containerd.grpc.v1.cri".cni]
		    bin_dir = "$platform_root/usr/lib/cni"
		    conf_dir = "$platform/cni"
		  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
		    runtime_type = "io.containerd.runc.v2"
		  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc-systemd]
		    runtime_type = "io.containerd.runc.v2"
		    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc-systemd.options]
		      SystemdCgroup = true
		      BinaryName = "$PWD/tests/k8s/runc-systemd"
	END
}

# An image of busybox that runs what it is told, and forever if it is not told.
platform_make_image() { # NAME
	mkdir -p "$platform/rootfs/bin" "$platform/rootfs/tmp"
	cp "$(command -v busybox)" "$platform/rootfs/bin/busybox"
	ln -sf busybox "$platform/rootfs/bin/sh"
	ln -sf busybox "$platform/rootfs/bin/sleep"
	deploy/docker/pack "$1" <(echo 'CMD ["/bin/sleep", "1000000"]') "$platform/image.tar" amd64="$platform/rootfs" &&
		platform_import "$platform/image.tar"
}

platform_import() { # IMAGE.tar
	"${of_platform[@]}" ctr -a "$socket" -n k8s.io image import "$1" >>"$platform/log" 2>&1
}

platform_start() {
	platform_remove_cgroups
	platform_configure localhost/pause:test >"$platform/containerd.toml"
	# The first process of its namespace is one that takes care of orphans. Mounts are shared there,
	# as they are where systemd is: volumes may ask for it.
	# shellcheck disable=SC2016 # of the shell inside
	"${of_platform[@]}" setpriv --pdeathsig KILL -- unshare --pid --fork --kill-child --mount-proc -- \
		bash -c 'mount --make-rshared / && "$@" & wait $!' bash containerd --config "$platform/containerd.toml" >>"$platform/log" 2>&1 &
	platform_pid=$!
	# From a cold disk its programs of 100 MB take a while to be read.
	if ! wait_until 120 cri Version '' >/dev/null || ! platform_make_image localhost/pause:test ||
		! platform_make_image localhost/busybox:test; then
		tap_fail "containerd begins" "$(tail -n 20 "$platform/log")"
		tap_done
	fi
}
