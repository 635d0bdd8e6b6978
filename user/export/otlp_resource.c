/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* otlp_resource.c - names the resource that figures belong to, by OpenTelemetry's conventions. */
#include <stdio.h>
#include <string.h>

#include "export/otlp.h"

/*
 * A receiver takes another set of attributes for another series. So what changes when a container
 * is restarted, its id first of all, is not here but on the metric container.info: its totals go
 * on, and a series that began at them would count them twice.
 *
 * Names are of the conventions' registry where they have one; ours begin with "cgtopdown.".
 */

#define ATTRIBUTES CTD_OTLP_RESOURCE_ATTRIBUTES

/* The kinds of workload that have an attribute: Kubernetes' name, and the attribute. */
static const struct {
	const char *kind, *key;
} owners[] = {
	{"CronJob", "k8s.cronjob.name"},
	{"DaemonSet", "k8s.daemonset.name"},
	{"Deployment", "k8s.deployment.name"},
	{"Job", "k8s.job.name"},
	{"ReplicaSet", "k8s.replicaset.name"},
	{"ReplicationController", "k8s.replicationcontroller.name"},
	{"StatefulSet", "k8s.statefulset.name"},
};

static void add_place(const struct ctd_ledger_view *view, const struct ctd_otlp_resource *resource,
		      struct ctd_strbuf *message)
{
	ctd_otlp_text(message, ATTRIBUTES, "host.name", resource->host_name);
	ctd_otlp_text(message, ATTRIBUTES, "k8s.node.name", resource->node_name);
	ctd_otlp_text(message, ATTRIBUTES, "k8s.cluster.name", resource->cluster_name);
	ctd_otlp_bool(message, ATTRIBUTES, "cgtopdown.simulated", view->simulated);
}

static void add_owner(const struct ctd_account_who *who, struct ctd_strbuf *message)
{
	if (!*who->owner_name)
		return;
	for (size_t i = 0; i < sizeof(owners) / sizeof(owners[0]); i++)
		if (strcmp(who->owner_kind, owners[i].kind) == 0) {
			ctd_otlp_text(message, ATTRIBUTES, owners[i].key, who->owner_name);
			return;
		}
	ctd_otlp_text(message, ATTRIBUTES, "cgtopdown.owner.kind", who->owner_kind);
	ctd_otlp_text(message, ATTRIBUTES, "cgtopdown.owner.name", who->owner_name);
}

/*
 * "registry:5000/name:tag@sha256:...", "sha256:...". The conventions have a list of tags, of which
 * we know one; receivers without lists (VictoriaMetrics) make a label of JSON of it. So the tag has
 * the attribute that the collector's Kubernetes parts give it.
 */
static void add_image(const char *image, struct ctd_strbuf *message)
{
	const char *slash = strrchr(image, '/'), *digest = strchr(image, '@');
	size_t bytes = digest ? (size_t)(digest - image) : strlen(image);
	const char *colon = memrchr(image, ':', bytes);
	char text[512];

	if (strncmp(image, "sha256:", 7) == 0) {
		ctd_otlp_text(message, ATTRIBUTES, "container.image.id", image);
		return;
	}
	if (colon && slash && colon < slash)
		colon = NULL;
	snprintf(text, sizeof(text), "%.*s", (int)(colon ? (size_t)(colon - image) : bytes), image);
	ctd_otlp_text(message, ATTRIBUTES, "container.image.name", text);
	snprintf(text, sizeof(text), "%.*s", colon ? (int)(image + bytes - colon - 1) : 0,
		 colon ? colon + 1 : "");
	ctd_otlp_text(message, ATTRIBUTES, "container.image.tag", text);
	ctd_otlp_text(message, ATTRIBUTES, "oci.manifest.digest", digest ? digest + 1 : "");
}

static void add_labels(const struct ctd_account_who *who, struct ctd_strbuf *message)
{
	/* Kubernetes allows 253 + 1 + 63 bytes. */
	char key[384];

	for (size_t i = 0; i < who->labels_count; i++) {
		snprintf(key, sizeof(key), "k8s.pod.label.%s", who->labels[i].name);
		ctd_otlp_text(message, ATTRIBUTES, key, who->labels[i].value);
	}
}

void ctd_otlp_resource_container(const struct ctd_ledger_view *view,
				 const struct ctd_otlp_resource *resource,
				 const struct ctd_account_who *who, struct ctd_strbuf *message)
{
	add_place(view, resource, message);
	ctd_otlp_text(message, ATTRIBUTES, "cgtopdown.kind", ctd_account_kind_name(who->kind));
	ctd_otlp_text(message, ATTRIBUTES, "k8s.namespace.name", who->namespace_name);
	ctd_otlp_text(message, ATTRIBUTES, "k8s.pod.name", who->pod);
	ctd_otlp_text(message, ATTRIBUTES, "k8s.pod.uid", who->pod_uid);
	ctd_otlp_text(message, ATTRIBUTES, *who->pod ? "k8s.container.name" : "container.name",
		      who->container);
	ctd_otlp_text(message, ATTRIBUTES, "cgtopdown.pod.qos", who->qos);
	add_owner(who, message);
	add_image(who->image, message);
	ctd_otlp_text(message, ATTRIBUTES, "container.runtime.name", who->runtime);
	add_labels(who, message);
}

/* Joined by '+' as the sources are: one of each core type. */
static void name_models(const struct ctd_ledger_view *view, char *ret_names, size_t bytes)
{
	size_t at = 0;

	*ret_names = '\0';
	for (int i = 0; i < view->core_types_count && at < bytes; i++) {
		const struct ctd_cpu_model *model = view->core_types[i].model;

		if (model)
			at += (size_t)snprintf(ret_names + at, bytes - at, "%s%s", at ? "+" : "",
					       model->name);
	}
}

void ctd_otlp_resource_node(const struct ctd_ledger_view *view, const struct ctd_self *self,
			    const struct ctd_otlp_resource *resource, struct ctd_strbuf *message)
{
	char models[CTD_LEDGER_CORE_TYPES_MAX * 40];

	name_models(view, models, sizeof(models));
	ctd_otlp_text(message, ATTRIBUTES, "service.name", "cgtopdown");
	ctd_otlp_text(message, ATTRIBUTES, "service.version", self->version);
	ctd_otlp_text(message, ATTRIBUTES, "service.instance.id",
		      resource->node_name && *resource->node_name ? resource->node_name
								  : resource->host_name);
	add_place(view, resource, message);
	ctd_otlp_text(message, ATTRIBUTES, "cgtopdown.source", view->source);
	ctd_otlp_text(message, ATTRIBUTES, "cgtopdown.method", view->method);
	ctd_otlp_text(message, ATTRIBUTES, "cgtopdown.scope", view->scope);
	ctd_otlp_text(message, ATTRIBUTES, "cgtopdown.model", models);
	ctd_otlp_int(message, ATTRIBUTES, "cgtopdown.level", (uint64_t)view->level);
	ctd_otlp_text(message, ATTRIBUTES, "cgtopdown.hierarchy", view->hierarchy);
}
