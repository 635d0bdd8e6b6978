/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* kubelets.c - lets one client of the kubelet take the place of another. */
#include "identity/kubelets.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

struct ctd_kubelets {
	struct ctd_name_source source;
	/* Of one thread alone. */
	struct ctd_kubelet *ending[CTD_KUBELETS_ENDING]; /* owned; NULL: none */
	bool asks;

	pthread_mutex_t lock; /* for what follows; held for moments */
	struct ctd_kubelet *newest; /* owned; NULL: there was none */
};

static int find(void *context, const char *container_id, const char *pod_uid,
		struct ctd_names *ret_names, enum ctd_qos *ret_qos)
{
	struct ctd_kubelets *kubelets = context;
	int found = -ENOENT;

	pthread_mutex_lock(&kubelets->lock);
	if (kubelets->newest)
		found = ctd_kubelet_find(kubelets->newest, container_id, pod_uid, ret_names,
					 ret_qos);
	pthread_mutex_unlock(&kubelets->lock);
	return found;
}

static unsigned generation(void *context)
{
	struct ctd_kubelets *kubelets = context;
	unsigned number;

	pthread_mutex_lock(&kubelets->lock);
	number = kubelets->newest ? ctd_kubelet_generation(kubelets->newest) : 0;
	pthread_mutex_unlock(&kubelets->lock);
	return number;
}

int ctd_kubelets_new(struct ctd_kubelets **ret_kubelets)
{
	struct ctd_kubelets *kubelets = calloc(1, sizeof(*kubelets));

	if (!kubelets)
		return -ENOMEM;
	kubelets->source = (struct ctd_name_source){
		.find = find, .generation = generation, .context = kubelets};
	pthread_mutex_init(&kubelets->lock, NULL);
	*ret_kubelets = kubelets;
	return 0;
}

void ctd_kubelets_free(struct ctd_kubelets *kubelets)
{
	if (!kubelets)
		return;
	if (kubelets->newest)
		ctd_kubelet_end(kubelets->newest);
	for (int i = 0; i < CTD_KUBELETS_ENDING; i++)
		ctd_kubelet_free(kubelets->ending[i]);
	ctd_kubelet_free(kubelets->newest);
	pthread_mutex_destroy(&kubelets->lock);
	free(kubelets);
}

/* @return where one more can be left to end; NULL: nowhere. */
static struct ctd_kubelet **find_room(struct ctd_kubelets *kubelets)
{
	struct ctd_kubelet **room = NULL;

	for (int i = 0; i < CTD_KUBELETS_ENDING; i++) {
		struct ctd_kubelet **place = &kubelets->ending[i];

		if (*place && ctd_kubelet_has_ended(*place)) {
			ctd_kubelet_free(*place);
			*place = NULL;
		}
		if (!*place)
			room = place;
	}
	return room;
}

/* The list changes hands where nobody looks into either. */
static int replace(struct ctd_kubelets *kubelets, const struct ctd_kubelet_options *options)
{
	struct ctd_kubelet_options next = *options;
	struct ctd_kubelet *newest;
	int error;

	pthread_mutex_lock(&kubelets->lock);
	next.before = kubelets->newest;
	error = ctd_kubelet_new(&next, &newest);
	if (!error)
		kubelets->newest = newest;
	pthread_mutex_unlock(&kubelets->lock);
	return error;
}

int ctd_kubelets_follow(struct ctd_kubelets *kubelets, const struct ctd_kubelet_options *options)
{
	struct ctd_kubelet *before = kubelets->newest, **room = find_room(kubelets);
	int error;

	if (!options->url) {
		/* It stays, as the one who knows the last list. */
		if (before)
			ctd_kubelet_end(before);
		kubelets->asks = false;
		return 0;
	}
	if (!room)
		return -EBUSY;
	error = replace(kubelets, options);
	if (error)
		return error;
	kubelets->asks = true;
	*room = before;
	if (before)
		ctd_kubelet_end(before);
	return 0;
}

const struct ctd_name_source *ctd_kubelets_source(const struct ctd_kubelets *kubelets)
{
	return &kubelets->source;
}

bool ctd_kubelets_counts(struct ctd_kubelets *kubelets, struct ctd_kubelet_counts *ret_counts)
{
	if (kubelets->asks)
		*ret_counts = ctd_kubelet_counts(kubelets->newest);
	return kubelets->asks;
}
