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

# A pod's id, which says that it is a test's.
pod_uid() { # DIGIT
	printf '%08x-0c7d-4c7d-8c7d-%011x%x' "$$" "$$" "$1"
}

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

# Calls containerd and prints its answer, both in protobuf's text format.
cri() { # METHOD REQUEST
	local request=$platform/request.$BASHPID answer=$platform/answer.$BASHPID length status
	"${of_platform[@]}" protoc -I tests/k8s --encode="runtime.v1.$1Request" cri.proto <<<"$2" >"$request.body" || return
	length=$(printf '%08x' "$(stat -c %s "$request.body")")
	# gRPC over HTTP/2: a byte that says "not compressed", the length in four bytes, the message.
	# shellcheck disable=SC2059 # the format is what is printed
	{
		printf "\\0\\x${length:0:2}\\x${length:2:2}\\x${length:4:2}\\x${length:6:2}"
		cat "$request.body"
	} >"$request"
	curl --silent --show-error --max-time 60 --http2-prior-knowledge --unix-socket "$socket" \
		--header 'content-type: application/grpc' --header 'te: trailers' --data-binary "@$request" \
		--dump-header "$answer.header" --output "$answer" "http://localhost/runtime.v1.RuntimeService/$1" || return
	status=$(tr -d '\r' <"$answer.header" | sed -n 's/^grpc-status: //p')
	if [[ $status != 0 ]]; then
		echo "$1: $(grep -i '^grpc-message:' "$answer.header" || echo "status ${status:-none}")" >&2
		return 1
	fi
	tail -c +6 "$answer" | "${of_platform[@]}" protoc -I tests/k8s --decode="runtime.v1.$1Response" cri.proto
	rm -f "$request" "$request.body" "$answer" "$answer.header"
}

# The cgroup of a pod, by kubelet's rules.
pod_cgroup() { # HANDLER QOS UID
	local class=${2,,} uid=$3 slice=kubepods
	if [[ $1 == runc ]]; then
		[[ $class == guaranteed ]] && class=''
		echo "/kubepods${class:+/$class}/pod$uid"
	else
		[[ $class == guaranteed ]] || slice=kubepods-$class
		echo "/kubepods.slice$([[ $class == guaranteed ]] || echo "/$slice.slice")/$slice-pod${uid//-/_}.slice"
	fi
}

# Sets pod, its configuration, and sandbox, its id.
pod_run() { # NAMESPACE NAME UID QOS HANDLER
	local parent
	parent=$(pod_cgroup "$5" "$4" "$3")
	pod_cgroups+=("$parent")
	[[ $5 == runc ]] || parent=${parent##*/}
	pod="metadata { name: '$2' uid: '$3' namespace: '$1' }
		log_directory: '/var/log/pods/$1_$2_$3'
		linux { cgroup_parent: '$parent' security_context { namespace_options { network: NODE } } }"
	mkdir -p "/var/log/pods/$1_$2_$3"
	sandbox=$(cri RunPodSandbox "config { $pod } runtime_handler: '$5'" | sed -n 's/^pod_sandbox_id: "\(.*\)"$/\1/p')
	[[ $sandbox ]]
}

# Starts a container in the pod that was run last, or in another. Sets container, its id.
container_start() { # CONFIG [SANDBOX POD]
	container=$(cri CreateContainer "pod_sandbox_id: '${2-$sandbox}' sandbox_config { ${3-$pod} } config { $1 }" |
		sed -n 's/^container_id: "\(.*\)"$/\1/p')
	[[ $container ]] && cri StartContainer "container_id: '$container'"
}

# The same, for a script of busybox's shell.
container_run() { # NAME ATTEMPT SHELL_SCRIPT [SANDBOX POD]
	container_start "metadata { name: '$1' attempt: $2 } image { image: 'localhost/busybox:test' }
		command: ['/bin/sh', '-c', '$3'] log_path: '$1.$2.log'
		linux { security_context { namespace_options { network: NODE pid: CONTAINER } } }" "${@:4}"
}

container_end() { # ID
	cri StopContainer "container_id: '$1' timeout: 0" && cri RemoveContainer "container_id: '$1'"
}

pod_end() { # SANDBOX
	cri StopPodSandbox "pod_sandbox_id: '$1'" && cri RemovePodSandbox "pod_sandbox_id: '$1'"
}
