/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* names.c - copies what is known of cgroups, and forgets it when no profile can have them. */
#include "serve/profile/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "identity/lookup/pairs.h"

void ctd_names_news_free(struct ctd_names_news *news)
{
	free(news->items);
	ctd_strbuf_free(&news->texts);
	*news = (struct ctd_names_news){};
}

static int add_item(struct ctd_names_news *news, const struct ctd_identity *identity)
{
	size_t first = news->texts.bytes;
	void *larger = reallocarray(news->items, news->count + 1, sizeof(*news->items));

	if (!larger)
		return -ENOMEM;
	news->items = larger;
	ctd_strbuf_add_bytes(&news->texts, identity->path, strlen(identity->path) + 1);
	ctd_names_to_pairs(&identity->names, &news->texts);
	news->items[news->count++] =
		(struct ctd_names_item){identity->cgroup_id, first, news->texts.bytes - first};
	return news->texts.failed ? -ENOMEM : 0;
}

int ctd_profile_names_gather(struct ctd_profile_names *names, const struct ctd_interval *interval,
			     const struct ctd_identities *identities,
			     struct ctd_names_news *ret_news)
{
	struct ctd_names_news news = {};
	int error = 0;

	for (size_t i = 0; !error && i < interval->rows_count; i++) {
		const struct ctd_identity *identity;
		uintptr_t version = 0;

		if (interval->rows[i].kind != CTD_ROW_CGROUP)
			continue;
		identity = ctd_identities_get(identities, interval->rows[i].cgroup_id);
		if (!identity || (ctd_idmap_get(&names->versions, identity->cgroup_id, &version) &&
				  version == identity->version))
			continue;
		error = add_item(&news, identity);
		if (!error)
			error = ctd_idmap_set(&names->versions, identity->cgroup_id,
					      (uintptr_t)identity->version);
	}
	if (!error) {
		*ret_news = news;
		return 0;
	}
	for (size_t i = 0; i < news.count; i++)
		ctd_idmap_remove(&names->versions, news.items[i].cgroup_id);
	ctd_names_news_free(&news);
	return error;
}

static int take_item(struct ctd_identities *identities, const struct ctd_names_news *news,
		     const struct ctd_names_item *item)
{
	const char *path = news->texts.text + item->first;
	size_t path_bytes = strlen(path) + 1;
	struct ctd_names found;
	int error = ctd_identities_add(identities, item->cgroup_id, path);

	if (!error)
		error = ctd_names_from_pairs(path + path_bytes, item->bytes - path_bytes, &found);
	if (!error)
		ctd_identities_set_names(identities, item->cgroup_id, &found, CTD_QOS_UNKNOWN,
					 true);
	return error == -ENOMEM ? error : 0;
}

int ctd_profile_names_take(struct ctd_profile_names *names, const struct ctd_interval *interval,
			   const struct ctd_names_news *news, uint64_t now_ns)
{
	int error = names->identities ? 0 : ctd_identities_new(&names->identities);

	for (size_t i = 0; !error && i < news->count; i++)
		error = take_item(names->identities, news, &news->items[i]);
	for (size_t i = 0; !error && i < interval->rows_count; i++)
		if (interval->rows[i].kind == CTD_ROW_CGROUP)
			error = ctd_idmap_set(&names->seen, interval->rows[i].cgroup_id,
					      (uintptr_t)now_ns);
	return error;
}

void ctd_profile_names_forget(struct ctd_profile_names *names, uint64_t since_ns)
{
	autofree uint64_t *ids = malloc((names->seen.count + 1) * sizeof(*ids));
	size_t count = 0, cursor = 0;
	uintptr_t seen_ns;
	uint64_t id;

	while (ids && ctd_idmap_next(&names->seen, &cursor, &id, &seen_ns))
		if (seen_ns < since_ns)
			ids[count++] = id;
	for (size_t i = 0; i < count; i++) {
		ctd_idmap_remove(&names->seen, ids[i]);
		ctd_idmap_remove(&names->versions, ids[i]);
		ctd_identities_remove(names->identities, ids[i]);
		ctd_identities_forget(names->identities, ids[i]);
	}
}

void ctd_profile_names_free(struct ctd_profile_names *names)
{
	ctd_idmap_free(&names->versions);
	ctd_idmap_free(&names->seen);
	ctd_identities_free(names->identities);
	*names = (struct ctd_profile_names){};
}
