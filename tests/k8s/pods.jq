# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# pods.jq - makes pods of every class, owner and fate, for the collector to name; with $static, the one that a file has.

def spin(count): "i=0; while [ $i -lt \(count) ]; do i=$((i + 1)); done";
# A tenth of a CPU or so, in short slices.
def forever: "while :; do \(spin(2000)); sleep 0.05; done";

def container(name; script): {
	name: name, image: "localhost/busybox:test", imagePullPolicy: "Never", command: ["/bin/sh", "-c", script]};
def limited(resources): . + {resources: resources};

def pod_spec(containers): {terminationGracePeriodSeconds: 1, containers: containers};
def pod(namespace; name; spec): {
	apiVersion: "v1", kind: "Pod", metadata: {namespace: namespace, name: name, labels: {app: name}}, spec: spec};

def all_pods:
	{apiVersion: "v1", kind: "Namespace", metadata: {name: "prod"}},
	pod("prod"; "guaranteed"; pod_spec([container("main"; forever) | limited({limits: {cpu: "200m", memory: "32Mi"}})])),
	pod("prod"; "burstable"; pod_spec([
		(container("main"; forever) | limited({requests: {cpu: "10m"}})), container("side"; forever)])),
	pod("default"; "effort"; pod_spec([container("main"; forever)]) + {
		initContainers: [container("prepare"; spin(20000) + "; sleep 3")]}),
	# The first time it ends, the second time it stays.
	pod("prod"; "restarting"; pod_spec([
		container("main"; "if [ -e /mark/once ]; then \(forever); fi; echo >/mark/once; \(spin(20000)); sleep 3")
		+ {volumeMounts: [{name: "mark", mountPath: "/mark"}]}]) + {volumes: [{name: "mark", emptyDir: {}}]}),
	{apiVersion: "apps/v1", kind: "Deployment", metadata: {namespace: "prod", name: "web"}, spec: {
		replicas: 2, selector: {matchLabels: {app: "web"}},
		template: {metadata: {labels: {app: "web"}}, spec: pod_spec([container("main"; forever)])}}},
	{apiVersion: "batch/v1", kind: "Job", metadata: {namespace: "prod", name: "once"}, spec: {
		template: {spec: (pod_spec([container("main"; spin(20000) + "; sleep 1000")]) + {restartPolicy: "Never"})}}};

if $static then pod("default"; "static"; pod_spec([container("main"; forever)]))
else {apiVersion: "v1", kind: "List", items: [all_pods]} end
