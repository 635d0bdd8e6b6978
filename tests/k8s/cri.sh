# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# cri.sh - has containerd run pods and containers, as a kubelet would.
#
# A script that reads this sets, for the functions to read:
#   socket       where containerd listens
#   platform     a folder for files
#   of_platform  an array, what is before a program of the platform
#   pod_cgroups  an array, to which the cgroups of pods are added
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034 # see above

# A pod's id, which says that it is a test's.
pod_uid() { # DIGIT
	printf '%08x-0c7d-4c7d-8c7d-%011x%x' "$$" "$$" "$1"
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
