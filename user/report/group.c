/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* group.c - puts rows of an interval that belong together in one group. */
#include "report/group.h"

#include <errno.h>
#include <string.h>

#include "base/auto.h"
#include "base/hash.h"

/* A row of the interval and the key of its group. */
struct member {
	enum ctd_row_kind kind;
	const char *what; /* the group's kind, as in struct ctd_report_row */
	/* Container id or pod uid, and the container that holds it, which could call its cgroups
	 * like another's; namespace; or an owner's namespace, kind and name. "" where numbers
	 * decide. */
	const char *texts[3];
	uint64_t cgroup_id;
	uint32_t pid;
	uint64_t hash; /* of all of that */
	const struct ctd_interval_row *row;
	const struct ctd_identity *identity; /* of the group; may be NULL */
};

static int reserve(struct ctd_groups *groups, size_t capacity)
{
	struct ctd_group *items = reallocarray(groups->items, capacity, sizeof(groups->items[0]));

	if (!items)
		return -ENOMEM;
	groups->items = items;
	groups->capacity = capacity;
	return 0;
}

struct ctd_group *ctd_groups_add(struct ctd_groups *groups)
{
	if (groups->count == groups->capacity && reserve(groups, 2 * groups->count + 16))
		return NULL;
	struct ctd_group *group = &groups->items[groups->count];

	memset(group, 0, sizeof(*group));
	if (groups->keep_sums)
		group->sums = calloc(groups->cores_count ? (size_t)groups->cores_count : 1,
				     sizeof(*group->sums));
	if (groups->keep_sums && !group->sums)
		return NULL;
	groups->count++;
	group->row.parent = -1;
	group->row.dominant = -1;
	return group;
}

void ctd_group_clear(struct ctd_group *group)
{
	free(group->row.name);
	free(group->sums);
	free(group->rows);
	memset(group, 0, sizeof(*group));
}

void ctd_group_move(struct ctd_group *from, struct ctd_group *to)
{
	ctd_group_clear(to);
	*to = *from;
	memset(from, 0, sizeof(*from));
}

void ctd_groups_free(struct ctd_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		ctd_group_clear(&groups->items[i]);
	free(groups->items);
	memset(groups, 0, sizeof(*groups));
}

/* The container or pod of @p identity may hold cgroups of its own: the outermost is the one. */
static const struct ctd_identity *outermost(const struct ctd_identities *identities,
					    const struct ctd_identity *identity, bool pod)
{
	for (;;) {
		const struct ctd_identity *parent =
			ctd_identities_get(identities, identity->parent_id);

		if (!parent || strlen(parent->path) >= strlen(identity->path))
			return identity;
		if (pod ? strcmp(parent->pod_uid, identity->pod_uid) != 0
			: strcmp(parent->container_id, identity->container_id) != 0)
			return identity;
		identity = parent;
	}
}

/* What has no owner is together: pods that nobody made, and what is in no pod. */
static void set_owner(struct member *member)
{
	const struct ctd_names *names = member->identity ? &member->identity->names : NULL;

	member->what = "owner";
	if (!names || !names->owner_name || !names->owner_kind) {
		member->identity = NULL;
		return;
	}
	member->texts[0] = names->namespace_name ? names->namespace_name : "";
	member->texts[1] = names->owner_kind;
	member->texts[2] = names->owner_name;
}

static void set_key(struct member *member, const struct ctd_identities *identities,
		    enum ctd_group_by by)
{
	const struct ctd_interval_row *row = member->row;
	const struct ctd_identity *identity = member->identity;

	member->what = "cgroup";
	if (by == CTD_GROUP_NAMESPACE) {
		member->what = "namespace";
		if (identity && identity->names.namespace_name)
			member->texts[0] = identity->names.namespace_name;
		else
			member->identity = NULL;
	} else if (by == CTD_GROUP_OWNER) {
		set_owner(member);
	} else if (by == CTD_GROUP_CONTAINER && identity && identity->container_id[0]) {
		member->what = "container";
		member->texts[0] = identity->container_id;
		member->texts[1] = identity->outer_id;
		member->identity = outermost(identities, identity, false);
	} else if (by == CTD_GROUP_POD && identity && identity->pod_uid[0]) {
		member->what = "pod";
		member->texts[0] = identity->pod_uid;
		member->texts[1] = identity->pod_in_outer ? identity->outer_id : "";
		member->identity = outermost(identities, identity, true);
	} else {
		member->cgroup_id = row->cgroup_id;
		if ((by == CTD_GROUP_PROCESS || by == CTD_GROUP_TASK) && row->pid) {
			member->what = by == CTD_GROUP_PROCESS ? "process" : "task";
			member->pid = row->pid;
		}
	}
}

/* `what` and identity follow from the rest. */
static uint64_t hash_of(const struct member *member)
{
	uint64_t hash = ctd_hash(&member->cgroup_id, sizeof(member->cgroup_id)) + member->pid +
			((uint64_t)member->kind << 32);

	for (size_t i = 0; i < sizeof(member->texts) / sizeof(member->texts[0]); i++)
		hash = hash * 31 + ctd_hash(member->texts[i], strlen(member->texts[i]));
	return hash;
}

static struct member make_member(const struct ctd_interval_row *row,
				 const struct ctd_identity *identity,
				 const struct ctd_identities *identities, enum ctd_group_by by)
{
	static const char *const special[CTD_ROW_KINDS] = {
		[CTD_ROW_IDLE] = "idle",
		[CTD_ROW_KERNEL] = "kernel",
		[CTD_ROW_OTHER] = "other",
	};
	struct member member = {
		.kind = row->kind, .texts = {"", "", ""}, .row = row, .identity = identity};

	if (row->kind == CTD_ROW_CGROUP)
		set_key(&member, identities, by);
	else
		member.what = special[row->kind];
	member.hash = hash_of(&member);
	return member;
}

static int compare_keys(const struct member *a, const struct member *b)
{
	int order;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	order = strcmp(a->what, b->what);
	for (size_t i = 0; order == 0 && i < sizeof(a->texts) / sizeof(a->texts[0]); i++)
		order = strcmp(a->texts[i], b->texts[i]);
	if (order != 0)
		return order;
	if (a->cgroup_id != b->cgroup_id)
		return a->cgroup_id < b->cgroup_id ? -1 : 1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return 0;
}

/* Groups in an order of no meaning, by a comparison of numbers: texts of equal hashes are compared.
 */
static int compare_members(const void *first, const void *second)
{
	const struct member *a = first, *b = second;
	int order;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	order = compare_keys(a, b);
	/* Equal keys stay in the order of the interval: the same input, the same report. */
	if (order == 0)
		order = a->row < b->row ? -1 : a->row > b->row;
	return order;
}

static struct ctd_group *open_group(struct ctd_groups *groups, const struct member *member)
{
	struct ctd_group *group = ctd_groups_add(groups);

	if (!group)
		return NULL;
	group->kind = member->kind;
	group->row.kind = member->what;
	group->row.identity = member->identity;
	group->row.cgroup_id = member->cgroup_id;
	group->row.pid = member->pid;
	/* A container is known by its cgroup; a pod too, if what was found is the pod's own. */
	if (member->identity &&
	    ((strcmp(member->what, "container") == 0) ||
	     (strcmp(member->what, "pod") == 0 && !member->identity->container_id[0])))
		group->row.cgroup_id = member->identity->cgroup_id;
	return group;
}

/* Of members that have one key. */
static int add_group(const struct member *members, size_t members_count, size_t counts_count,
		     const struct ctd_report *report, struct ctd_groups *groups)
{
	struct ctd_group *group = open_group(groups, members);
	struct ctd_sum own[CTD_CORES_MAX], *sums = own;

	if (!group)
		return -ENOMEM;
	if (groups->keep_sums)
		sums = group->sums;
	else
		memset(own, 0, (size_t)report->cores_count * sizeof(own[0]));
	for (size_t i = 0; i < members_count; i++)
		ctd_sum_add_row(&sums[members[i].row->core_type], members[i].row, counts_count);
	return report->tree ? 0 : ctd_group_evaluate(group, sums, report);
}

/* How many from the first on have its key. */
static size_t count_alike(const struct member *members, size_t count)
{
	size_t alike = 1;

	while (alike < count && compare_keys(&members[0], &members[alike]) == 0)
		alike++;
	return alike;
}

int ctd_groups_make(const struct ctd_interval *interval, const struct ctd_identities *identities,
		    const struct ctd_report_options *options, const struct ctd_report *report,
		    struct ctd_groups *groups)
{
	autofree struct member *members =
		calloc(interval->rows_count ? interval->rows_count : 1, sizeof(members[0]));
	size_t counts_count = (size_t)interval->groups_count * interval->counters_count;
	size_t count = 0, alike;
	int r = 0;

	if (!members)
		return -ENOMEM;
	for (size_t i = 0; i < interval->rows_count; i++) {
		const struct ctd_interval_row *row = &interval->rows[i];
		const struct ctd_identity *identity =
			row->kind == CTD_ROW_CGROUP ? ctd_identities_get(identities, row->cgroup_id)
						    : NULL;

		if (ctd_report_shows(options, identities, row, identity))
			members[count++] = make_member(row, identity, identities, options->by);
		else
			groups->filtered = true;
	}
	qsort(members, count, sizeof(members[0]), compare_members);
	/* Most cgroups are a group each. */
	if (reserve(groups, count + 1))
		return -ENOMEM;
	for (size_t i = 0; r == 0 && i < count; i += alike) {
		alike = count_alike(&members[i], count - i);
		r = add_group(&members[i], alike, counts_count, report, groups);
	}
	return r;
}
