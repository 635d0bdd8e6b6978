# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# pods.sh - pods for tests to run on the platform, and a list of what is to be seen of them.
# shellcheck shell=bash
# shellcheck disable=SC2154 # what is not set here is platform.sh's

# A tenth of a CPU or so, in slices that are short.
# shellcheck disable=SC2016 # of the shell in the container
work='while :; do i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); done; sleep 0.02; done'
# What is to be seen, a line of JSON for each container and each sandbox.
expected=$scratch/expected

expect() { # POD[/CONTAINER/ATTEMPT] ID LAST_DIGIT QOS
	jq -cn --arg name "$1" --arg id "$2" --arg uid "$(pod_uid "$3")" --arg qos "$4" \
		'($name | split("/")) as $names | {$name, $id, $uid, $qos, runtime: "containerd", namespace: "prod",
			pod: $names[0], container: $names[1],
			image: (if $names[1] then "localhost/busybox:test" else null end)}' >>"$expected"
}

# Runs a pod of one container. Its sandbox is in sandboxes, by its name.
declare -A sandboxes=() pods=() containers=()
run_pod() { # NAME LAST_DIGIT QOS HANDLER
	if ! pod_run prod "$1" "$(pod_uid "$2")" "$3" "$4"; then
		tap_fail "the pod $1 is run" "$(tail -n 5 "$platform/log")"
		tap_done
	fi
	sandboxes[$1]=$sandbox pods[$1]=$pod
	expect "$1" "$sandbox" "$2" "$3"
	run_container "$1" main 0 "$work" "$2" "$3"
}

run_container() { # POD NAME ATTEMPT SCRIPT LAST_DIGIT QOS
	if ! container_run "$2" "$3" "$4" "${sandboxes[$1]}" "${pods[$1]}"; then
		tap_fail "the container $2 of the pod $1 is run" "$(tail -n 5 "$platform/log")"
		tap_done
	fi
	containers[$1/$2/$3]=$container
	expect "$1/$2/$3" "$container" "$5" "$6"
}
