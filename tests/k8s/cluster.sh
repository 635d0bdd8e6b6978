# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# cluster.sh - makes of the platform's containerd a Kubernetes of one node, node1, with its control plane.
#
# All of it runs in the platform's namespaces and ends with them. The node has an address on a link
# whose other end is nobody. What kubelet writes to sysctls goes to files that hide them, and its
# cgroups are below one of ours in every hierarchy. API server and kubelet have certificates of one CA.
# shellcheck shell=bash

if [[ ! ${cluster_programs-} ]]; then
	if ((EUID != 0)); then
		echo "needs root: it runs containers"
		exit 77
	fi
	for tool in openssl ip nsenter pgrep; do
		command -v "$tool" >/dev/null || {
			echo "$tool is missing; try: deploy/deps k8s"
			exit 77
		}
	done
	cluster_root=$(tests/fetch kubernetes) && cluster_programs=$(tests/k8s/build) || exit
	export cluster_root cluster_programs
fi

. tests/k8s/platform.sh

cluster=$scratch/cluster
pki=$cluster/pki
node_address=192.0.2.1
api=https://127.0.0.1:16443
mkdir -p "$cluster"/{log,manifests,plugins} "$pki"

# Runs a command where containerd runs.
in_platform() { # COMMAND...
	nsenter --target "$inside_pid" --mount --pid -- "${of_platform[@]}" "$@"
}

# Starts a program of the cluster there. It ends with the first process of the namespace.
cluster_program() { # NAME ARGUMENT...
	in_platform env AWS_EC2_METADATA_DISABLED=true HOME="$cluster" \
		PATH="$cluster_programs:$cluster_root/usr/bin:$platform_root/usr/bin:$platform_root/usr/sbin:$PATH" \
		"$@" >"$cluster/log/${1##*/}" 2>&1 &
}

kubectl() {
	env HOME="$cluster" "$cluster_root/usr/bin/kubectl" --kubeconfig "$pki/admin.conf" --request-timeout 10s "$@"
}

cluster_certificate() { # NAME SUBJECT
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "$2" \
		-keyout "$pki/$1.key" -out "$pki/$1.csr" &&
		openssl x509 -req -in "$pki/$1.csr" -CA "$pki/ca.crt" -CAkey "$pki/ca.key" -CAcreateserial -days 2 \
			-extfile <(echo "subjectAltName=IP:127.0.0.1,IP:$node_address,DNS:node1") -out "$pki/$1.crt"
}

cluster_kubeconfig() { # NAME TOKEN
	cat >"$pki/$1.conf" <<-END
		apiVersion: v1
		kind: Config
		clusters: [{name: c, cluster: {server: "$api", certificate-authority: "$pki/ca.crt"}}]
		users: [{name: u, user: {token: $2}}]
		contexts: [{name: x, context: {cluster: c, user: u}}]
		current-context: x
	END
}

cluster_make_pki() {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=test-ca -days 2 \
		-keyout "$pki/ca.key" -out "$pki/ca.crt" && cluster_certificate node1 /CN=node1 &&
		openssl genrsa -out "$pki/accounts.key" 2048 &&
		openssl rsa -in "$pki/accounts.key" -pubout -out "$pki/accounts.pub" || return
	printf '%s\n' 'admin-token,admin,1,"system:masters"' 'node-token,system:node:node1,2,"system:nodes"' \
		>"$pki/tokens.csv"
	cluster_kubeconfig admin admin-token
	cluster_kubeconfig node node-token
}

cluster_start_control_plane() {
	# Pods reach it at the node's address: there is no proxy for services.
	local leader=(--leader-elect=false --bind-address=127.0.0.1 --port=0 --cert-dir="$pki/own" --kubeconfig="$pki/admin.conf")
	cluster_program etcd --data-dir "$cluster/etcd" --listen-client-urls http://127.0.0.1:23790 \
		--advertise-client-urls http://127.0.0.1:23790 --listen-peer-urls http://127.0.0.1:23800
	cluster_program kube-apiserver --etcd-servers=http://127.0.0.1:23790 --allow-privileged \
		--bind-address=0.0.0.0 --advertise-address="$node_address" --secure-port=16443 --cert-dir="$pki/own" \
		--tls-cert-file="$pki/node1.crt" --tls-private-key-file="$pki/node1.key" \
		--service-cluster-ip-range=10.96.0.0/16 --token-auth-file="$pki/tokens.csv" --authorization-mode=Node,RBAC \
		--service-account-issuer=https://kubernetes.default.svc --service-account-key-file="$pki/accounts.pub" \
		--service-account-signing-key-file="$pki/accounts.key"
	wait_until 60 kubectl get --raw /readyz >/dev/null || return
	cluster_program kube-controller-manager "${leader[@]}" --root-ca-file="$pki/ca.crt" \
		--service-account-private-key-file="$pki/accounts.key" --controllers='*,-attachdetach'
	cluster_program kube-scheduler "${leader[@]}"
}

# kubelet finds in these what it wants to set.
cluster_hide_sysctls() {
	local name
	for name in vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops \
		kernel/keys/root_maxkeys kernel/keys/root_maxbytes; do
		[[ -e /proc/sys/$name ]] || continue
		cat "/proc/sys/$name" >"$cluster/${name//\//.}"
		in_platform mount --bind "$cluster/${name//\//.}" "/proc/sys/$name" || return
	done
}

# kubelet refuses to begin where its root is not in every hierarchy of v1. A cpuset without CPUs takes
# no task.
cluster_make_cgroups() {
	local mount
	while read -r mount; do
		make_cgroup kube "$mount"
		[[ ! -e $cgroup/cpuset.cpus ]] ||
			{ cat "$mount/cpuset.cpus" >"$cgroup/cpuset.cpus" && cat "$mount/cpuset.mems" >"$cgroup/cpuset.mems"; }
	done < <(awk '$3 == "cgroup" || $3 == "cgroup2" { print $2 }' /proc/mounts)
}

# A pod has a link to the node and no further.
cluster_make_network() {
	mkdir -p "$platform/cni" && cat >"$platform/cni/10-ptp.conf" <<-END || return
		{"cniVersion": "0.4.0", "name": "pods", "type": "ptp", "ipam": {"type": "host-local",
			"subnet": "10.88.0.0/24", "routes": [{"dst": "0.0.0.0/0"}], "dataDir": "$cluster/addresses"}}
	END
	ip link add node0 type veth peer name nobody0 && ip address add "$node_address/24" dev node0 &&
		ip link set nobody0 up && ip link set node0 up
}

cluster_start_kubelet() {
	cat >"$cluster/kubelet.yaml" <<-END
		apiVersion: kubelet.config.k8s.io/v1beta1
		kind: KubeletConfiguration
		address: 0.0.0.0
		healthzBindAddress: 127.0.0.1
		cgroupDriver: cgroupfs
		cgroupRoot: /$unique-kube
		authentication: {anonymous: {enabled: false}, webhook: {enabled: true}}
		authorization: {mode: Webhook, webhook: {cacheAuthorizedTTL: 1s, cacheUnauthorizedTTL: 1s}}
		tlsCertFile: $pki/node1.crt
		tlsPrivateKeyFile: $pki/node1.key
		staticPodPath: $cluster/manifests
		volumePluginDir: $cluster/plugins
		fileCheckFrequency: 2s
		syncFrequency: 5s
		clusterDNS: [10.96.0.10]
		# What this machine lacks, or what only a machine of its own needs.
		failSwapOn: false
		oomScoreAdj: 0
		enableControllerAttachDetach: false
		evictionHard: {memory.available: 1Mi, nodefs.available: 0%, imagefs.available: 0%}
		imageGCHighThresholdPercent: 100
		makeIPTablesUtilChains: false
		resolvConf: ""
	END
	cluster_hide_sysctls && cluster_make_cgroups &&
		cluster_program kubelet --config "$cluster/kubelet.yaml" --kubeconfig "$pki/node.conf" \
			--container-runtime=remote --container-runtime-endpoint="unix://$socket" --hostname-override=node1 \
			--node-ip="$node_address" --root-dir=/var/lib/kubelet --cert-dir="$pki/own"
}

node_ready() {
	kubectl wait --for=condition=Ready --timeout=1s node/node1
}

# Ends the test if there is none.
cluster_start() {
	mount -t tmpfs -o mode=755 tmpfs /var/lib
	cluster_make_network && platform_start
	inside_pid=$(pgrep -P "$platform_pid")
	if cluster_make_pki >"$cluster/log/pki" 2>&1 && cluster_start_control_plane &&
		cluster_start_kubelet && wait_until 90 node_ready >/dev/null; then
		tap_ok "a node of Kubernetes is ready"
	else
		tap_fail "a node of Kubernetes is ready" "$(tail -n 15 "$cluster"/log/*)"
		tap_done
	fi
}
