/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* names.c - lets the collector's cgroups have names, which recordings keep. */
#include "app/collector.h"

#include <errno.h>
#include <string.h>

#include "app/privileges.h"
#include "base/log.h"
#include "base/root.h"
#include "identity/pairs.h"

static void say(bool up, const char *line, void *context)
{
	(void)context;
	ctd_log(up ? CTD_LOG_INFO : CTD_LOG_WARNING, "%s", line);
}

/* Threads keep what was given up after they began: these read what others write. */
static void give_up_privileges(void)
{
	ctd_privileges_drop(CTD_PRIVILEGES_TO_RUN);
}

static void start_kubelet(struct ctd_collector *collector, const struct ctd_podlist_labels *labels)
{
	const struct ctd_serve_options *serve = &collector->options->serve;
	const struct ctd_kubelet_options options = {
		.url = serve->kubelet,
		.ca_file = serve->kubelet_ca,
		.token_file = serve->kubelet_token_file,
		.insecure = serve->kubelet_insecure,
		.labels = *labels,
		.say = say,
		.begin = give_up_privileges,
	};
	int error = options.url ? ctd_kubelet_new(&options, &collector->kubelet) : 0;

	if (error)
		ctd_warn("kubelet '%s': %s; pods have no labels and no owners", options.url,
			 strerror(-error));
}

void ctd_collector_start_names(struct ctd_collector *collector)
{
	const struct ctd_options *from = collector->options;
	const struct ctd_podlist_labels labels = {from->serve.pod_labels.text,
						  from->serve.pod_labels.count};
	struct ctd_resolver_options options = {
		.root = from->host_root ? from->host_root : ctd_root(),
		.labels = labels,
		.begin = give_up_privileges,
	};
	int error;

	start_kubelet(collector, &labels);
	if (collector->kubelet)
		options.source = ctd_kubelet_source(collector->kubelet);
	error = ctd_resolver_new(&options, &collector->resolver);
	if (error)
		ctd_warn("'%s': %s; containers are shown by their ids: see --host-root",
			 *options.root ? options.root : "/", strerror(-error));
}

/* The resolver asks the kubelet: it ends first. */
void ctd_collector_stop_names(struct ctd_collector *collector)
{
	ctd_resolver_free(collector->resolver);
	collector->resolver = NULL;
	ctd_kubelet_free(collector->kubelet);
	collector->kubelet = NULL;
}

void ctd_collector_ask_names(struct ctd_collector *collector, uint64_t cgroup_id)
{
	const struct ctd_identity *identity = ctd_identities_get(collector->identities, cgroup_id);

	if (!identity || identity->names_settled)
		return;
	/* Who cannot be asked for, is not waited for. */
	if (!collector->resolver || ctd_resolver_ask(collector->resolver, identity))
		ctd_identities_set_names(collector->identities, cgroup_id, NULL, CTD_QOS_UNKNOWN,
					 true);
}

int ctd_collector_record_facts(struct ctd_collector *collector, const struct ctd_identity *identity)
{
	auto_ctd_strbuf struct ctd_strbuf pairs = {0};
	struct ctd_record_facts facts = {.cgroup_id = identity->cgroup_id};

	if (!collector->writer)
		return 0;
	ctd_names_to_pairs(&identity->names, &pairs);
	if (pairs.failed)
		return -ENOMEM;
	/* Labels beyond all measure are not worth a recording. */
	if (!pairs.bytes || pairs.bytes > CTD_RECORD_FACTS_BYTES_MAX)
		return 0;
	facts.pairs = pairs.text;
	facts.bytes = pairs.bytes;
	return ctd_record_write_facts(collector->writer, &facts);
}

/* The writer remembers what failed, and the next snapshot says so. */
static void take_names(const struct ctd_identity *identity, void *context)
{
	ctd_collector_record_facts(context, identity);
}

void ctd_collector_take_names(struct ctd_collector *collector)
{
	if (collector->resolver)
		ctd_resolver_apply(collector->resolver, collector->identities, take_names,
				   collector);
}
