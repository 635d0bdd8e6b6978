/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* names.c - asks files of the host and a kubelet for the names of cgroups. */
#include "collect/names.h"

#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "base/root.h"

static void say(bool up, const char *line, void *context)
{
	(void)context;
	ctd_log(up ? CTD_LOG_INFO : CTD_LOG_WARNING, "%s", line);
}

static void start_kubelet(struct ctd_name_search *search, const struct ctd_name_options *from,
			  const struct ctd_podlist_labels *labels)
{
	const struct ctd_kubelet_options options = {
		.url = from->kubelet,
		.ca_file = from->kubelet_ca,
		.token_file = from->kubelet_token_file,
		.insecure = from->kubelet_insecure,
		.labels = *labels,
		.say = say,
		.begin = from->begin_thread,
		.begin_context = from->begin_context,
	};
	int error = options.url ? ctd_kubelet_new(&options, &search->kubelet) : 0;

	if (error)
		ctd_warn("kubelet '%s': %s; pods have no labels and no owners", options.url,
			 strerror(-error));
}

void ctd_name_search_start(struct ctd_name_search *search, const struct ctd_name_options *from)
{
	const struct ctd_podlist_labels labels = {from->pod_labels, from->pod_labels_count};
	struct ctd_resolver_options options = {
		.root = from->host_root ? from->host_root : ctd_root(),
		.labels = labels,
		.begin = from->begin_thread,
		.begin_context = from->begin_context,
	};
	int error;

	start_kubelet(search, from, &labels);
	if (search->kubelet)
		options.source = ctd_kubelet_source(search->kubelet);
	error = ctd_resolver_new(&options, &search->resolver);
	if (error)
		ctd_warn("'%s': %s; containers are shown by their ids: see --host-root",
			 *options.root ? options.root : "/", strerror(-error));
}

/* The resolver asks the kubelet: it ends first. */
void ctd_name_search_stop(struct ctd_name_search *search)
{
	ctd_resolver_free(search->resolver);
	search->resolver = NULL;
	ctd_kubelet_free(search->kubelet);
	search->kubelet = NULL;
}

void ctd_name_search_ask(struct ctd_name_search *search, struct ctd_identities *identities,
			 uint64_t cgroup_id)
{
	const struct ctd_identity *identity = ctd_identities_get(identities, cgroup_id);

	if (identity && identity->names.refused && search->resolver) {
		/* Another one has its id: files may say that it should have it. */
		struct ctd_identity claimed = *identity;

		ctd_identity_parse(claimed.path, &claimed);
		ctd_resolver_ask(search->resolver, &claimed);
	}
	if (!identity || identity->names_settled)
		return;
	/* What cannot be asked for is not waited for. */
	if (!search->resolver || ctd_resolver_ask(search->resolver, identity))
		ctd_identities_set_names(identities, cgroup_id, NULL, CTD_QOS_UNKNOWN, true);
}

void ctd_name_search_count(struct ctd_name_search *search, struct ctd_name_counts *ret_counts)
{
	struct ctd_resolver_counts counts = {0};
	struct ctd_kubelet_counts kubelet = {0};

	if (search->resolver)
		ctd_resolver_counts(search->resolver, &counts);
	if (search->kubelet)
		kubelet = ctd_kubelet_counts(search->kubelet);
	*ret_counts = (struct ctd_name_counts){
		.waiting = counts.waiting,
		.found = counts.found,
		.missing = counts.missing,
		.kubelet = search->kubelet,
		.kubelet_up = kubelet.up,
		.kubelet_requests = kubelet.requests,
		.kubelet_errors = kubelet.errors,
	};
}
