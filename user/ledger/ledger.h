/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ledger.h - accounts, the cgroups that feed them, and their tables. Private to user/ledger/. */
#ifndef LEDGER_LEDGER_H
#define LEDGER_LEDGER_H

#include <cgtopdown/ledger.h>

#include "base/idmap.h"

/* Two ids with a slash between them. */
#define CTD_SUBJECT_ID_BYTES 132

/* Who gets a place first. */
enum ctd_rank {
	CTD_RANK_ANONYMOUS, /* containers without names, what lies in others, a user's own */
	CTD_RANK_CGROUP, /* the machine's units and cgroups */
	CTD_RANK_NAMED, /* containers and sandboxes with names */
	CTD_RANKS,
};

/* Whose an account is: they may have a part of all places. */
struct ctd_tenant {
	uint64_t id; /* 0: nobody's in particular */
	unsigned part; /* one of so many */
};

/* Tenants that the log has heard of. */
#define CTD_LEDGER_TOLD_MAX 64

/* What a row is of, from its identity; nothing owned, not yet text. */
struct ctd_row_subject {
	struct ctd_account_who who; /* without key_text; labels are the identity's */
	char container[CTD_SUBJECT_ID_BYTES]; /* where who.container is made from ids */
	char path[CTD_PATH_BYTES_MAX]; /* where who.cgroup is a part of a path */
	struct ctd_tenant tenant;
	enum ctd_rank rank;
	uint64_t version; /* of the identity; 0: there is none */
	bool settled;
};

struct ledger_member;

/* What an account, or several, have of vendors' metrics; arrays as in struct ctd_account_vendor. */
struct ctd_vendor_sums {
	uint64_t *count, *group_ns; /* totals */
	uint64_t *recent_count, *recent_ns; /* of the last rollup */
	struct ctd_vendor_value *values;
};

struct ledger_account {
	/* account.who is owned: one reference. Its arrays are those below. */
	struct ctd_account account;
	uint64_t node_slots[CTD_NODES_MAX];
	uint64_t cache_ns[CTD_CACHE_PARTS_MAX];
	struct ctd_value recent[CTD_NODES_MAX]; /* mean of the rows' */
	double weight[CTD_NODES_MAX]; /* of `recent` */
	uint32_t rows; /* of the last rollup that had any */
	uint64_t rows_sequence; /* of that rollup */
	struct ledger_account *next; /* of the same bucket, or the next held one */
	struct ledger_member *holder; /* of an account in no view yet: the one that feeds it */
	size_t members; /* cgroups that feed it now */
	bool shared; /* more than one ever did: what is whose cannot be told */
	bool open; /* of the fixed ones: had anything */
	/* Cgroup id of the newest: account.who is its. 0: it is gone, and another is to take over. */
	uint64_t describer;
	uint64_t touched; /* sequence of the last rollup that had anything for it */
	uint64_t touched_elapsed_ns;
	struct ctd_tenant tenant;
	enum ctd_rank rank;
	uint64_t begun_elapsed_ns, ended_elapsed_ns, ended_sequence;
	uint64_t ended_ns; /* since 1970: the end of the interval in which it ended */
	uint64_t ended_id; /* of the last of its cgroups, with which it ended */
	/* Of functions of accounts that this one took over: of "[other]" with the next time. */
	struct ctd_function_figures functions_rest;
	uint32_t functions_rest_known; /* categories */
	struct ctd_vendor_sums *vendor; /* owned; NULL: none are asked for */
};

/* A cgroup on one core type, whose rows go to an account. */
struct ledger_member {
	uint64_t cgroup_id;
	int core_type;
	struct ledger_account *account; /* NULL: to `other`, for want of a place */
	struct ledger_member *next; /* of those that end */
	uint64_t seen; /* sequence of the last rollup that had a row of it, also if not added */
	uint64_t version; /* of its identity, when it got its account or names; 0: unknown */
	bool folded; /* counted as over the limit */
	bool gone; /* removed: a rollup without it will be the end */
	bool ending;
};

struct ctd_ledger {
	struct ctd_ledger_options options;
	uint64_t ids; /* that accounts have got: 1, 2, ... */
	uint64_t acknowledged;
	uint64_t functions_ns; /* since 1970: functions have come up to then */
	bool counted[CTD_LEDGER_CORE_TYPES_MAX]; /* some reading of its source succeeded, ever */
	/* By cgroup id; owned struct ledger_member. */
	struct ctd_idmap members[CTD_LEDGER_CORE_TYPES_MAX];
	/* Owned; kernel, idle, other; made with the first rollup that has the core type. */
	struct ledger_account *fixed[CTD_LEDGER_CORE_TYPES_MAX][CTD_ACCOUNT_KINDS];
	struct ledger_account **sorted; /* owned, room for all there may be; as views have them */
	size_t sorted_count;
	struct ledger_account **by_id; /* owned; those in `sorted`, by their ids */
	struct ledger_account **buckets; /* owned; those in `sorted`, by their keys */
	size_t buckets_count; /* a power of two */
	struct ledger_account *held; /* owned; with names that are not settled */
	size_t places; /* taken by accounts that are not fixed, of options.accounts_max */
	uint64_t full_tenant, full_sequence; /* the last that was refused one more, and when */
	uint64_t told[CTD_LEDGER_TOLD_MAX]; /* tenants that were */
	size_t told_count;
	uint64_t no_room[CTD_RANKS]; /* sequence in which no account gave way to such a one */
	struct ctd_view_pool *pool; /* one reference */
	struct ctd_pair_total *pair_totals; /* owned; by ids, room for options.pairs_max */
	size_t pair_totals_count;
	bool pairs_known; /* some rollup had waits, ever; if not, no sum means anything */
	struct ctd_pair other_pairs, ended_pairs; /* sums; of no ids */
	struct ctd_vendor_sums *vendor_fetched; /* owned; NULL: none are asked for, as */
	struct ctd_vendor_value *vendor_values; /* owned; scratch */
	/* Of the newest rollup; without what is the sum of core types, or of held accounts. */
	struct ctd_ledger_view newest;
};

/* Where core types and nodes of a plan are in the ledger. */
struct ctd_plan_map {
	int core_type[CTD_CORE_TYPES_MAX];
	int node[CTD_CORE_TYPES_MAX][CTD_NODES_MAX]; /* -1: there is no room for it */
};

/* core_types.c: finds the core types of a plan by their names, or places for them. Changes nothing.
 * @return 0, or -EINVAL: there is no room. */
int ctd_plan_map_types(const struct ctd_ledger_view *newest, const struct ctd_rollup_plan *plan,
		       struct ctd_plan_map *ret_map);
/* What a rollup says of its core types: their nodes, how they are counted, and what that is good
 * for. Completes the map. */
void ctd_core_types_take(struct ctd_ledger *ledger, const struct ctd_rollup *rollup,
			 struct ctd_plan_map *map);
/* The totals of each: the whole node's are their sums, made for views. */
void ctd_core_types_add_totals(struct ctd_ledger_view *newest, const struct ctd_rollup *rollup,
			       const struct ctd_plan_map *map);

/* subject.c: what a row is of. @p core_type: its name. */
void ctd_subject_make(const struct ctd_rollup_row *row, const char *core_type,
		      struct ctd_row_subject *ret_subject);
/* What its account is of in a view, of a rollup by container; one reference. NULL without memory. */
const struct ctd_account_who *ctd_who_of(const struct ctd_rollup_row *row, const char *core_type);
/* who.c: true if both say the same, though perhaps not in the same place. */
bool ctd_who_is(const struct ctd_account_who *who, const struct ctd_account_who *other);
/* A copy as text, the caller's. @return NULL without memory. */
const struct ctd_account_who *ctd_who_new(const struct ctd_account_who *from);
const struct ctd_account_who *ctd_who_hold(const struct ctd_account_who *who);
void ctd_who_release(const struct ctd_account_who *who);
/* who_json.c: as its json_text, the caller's. @return NULL without memory. */
char *ctd_who_json(const struct ctd_account_who *who, size_t *ret_bytes);

/* accounts.c: the table of accounts. A new one has no place yet. @return NULL without memory. */
struct ledger_account *ctd_account_new(const struct ctd_ledger *ledger,
				       const struct ctd_account_who *who, int core_type);
/* Those of kernel, idle and other. @return 0 or -ENOMEM: some are there, and nothing is lost. */
int ctd_accounts_make_fixed(struct ctd_ledger *ledger, const struct ctd_rollup_plan *plan,
			    const struct ctd_plan_map *map);
void ctd_account_free(struct ledger_account *account);
struct ledger_account *ctd_accounts_find(const struct ctd_ledger *ledger, const char *key_text);
/* NULL: views have none of this id. */
const struct ctd_account *ctd_accounts_get(const struct ctd_ledger *ledger, uint64_t id);
void ctd_accounts_insert(struct ctd_ledger *ledger, struct ledger_account *account);
void ctd_accounts_remove(struct ctd_ledger *ledger, struct ledger_account *account);
void ctd_accounts_hold(struct ctd_ledger *ledger, struct ledger_account *account);
void ctd_accounts_unhold(struct ctd_ledger *ledger, struct ledger_account *account);

/* The member's account has a cgroup less. */
void ctd_account_leave(struct ctd_ledger *ledger, struct ledger_member *member);
/* That of kernel, idle or other on a core type, which is there from its first figures on. */
struct ledger_account *ctd_account_fixed(struct ctd_ledger *ledger, int core_type,
					 enum ctd_account_kind kind);

/* Gives its place back; nothing feeds it any more. */
void ctd_account_drop(struct ctd_ledger *ledger, struct ledger_account *account);
/* And all that it has goes to `other`. */
void ctd_account_fold(struct ctd_ledger *ledger, struct ledger_account *account);
/* Whether it has ended, and its last figures have reached all consumers; those of its
 * functions may be to come. */
bool ctd_account_is_fetched(const struct ctd_ledger *ledger, const struct ledger_account *account);
/* Drops what was fetched, folds what was not. */
void ctd_account_let_go(struct ctd_ledger *ledger, struct ledger_account *account);

/* figures.c: adds what a row did on one core type, or all of one account to another. @p nodes: of
 * the ledger, of each node of the model. */
void ctd_account_add_part(struct ledger_account *account, const struct ctd_rollup_part *part,
			  const struct ctd_cpu_model *model, const int *nodes);
void ctd_account_add_throttling(struct ledger_account *account,
				const struct ctd_throttling *throttling);
void ctd_account_merge(const struct ctd_ledger *ledger, struct ledger_account *to,
		       const struct ledger_account *from);
/* Adds all of an account to what was fetched. */
void ctd_account_add_fetched(const struct ledger_account *account, struct ctd_core_totals *totals);
/* Forgets the figures of the last interval, of so many nodes. */
void ctd_account_begin(struct ledger_account *account, int nodes_count);
/* After the rows of a rollup. */
void ctd_account_finish(struct ledger_account *account, const struct ctd_core_type *type,
			const int *nodes);

/* What a row or identity comes to: made where memory may run out, carried out where it cannot. */
struct ctd_placement {
	struct ledger_member *member;
	const struct ctd_account_who *who; /* owned; NULL: as the account has it */
	struct ledger_account *spare; /* owned; in case that it gets an account of its own */
	bool opens; /* it does, as things stood when this was made */
	struct ctd_tenant tenant;
	enum ctd_rank rank;
	uint64_t version; /* of the identity; 0: there is none */
	bool settled;
};
/* place.c: true if the member's account is that of @p identity as it is now. */
bool ctd_member_is_of(const struct ledger_member *member, const struct ctd_identity *identity);
/* @return 0 or -ENOMEM. */
int ctd_placement_make(struct ctd_ledger *ledger, struct ledger_member *member,
		       const struct ctd_row_subject *subject, struct ctd_placement *ret_placement);
void ctd_placement_free(struct ctd_placement *placement);
/* The account that has the new names already, or NULL. */
struct ledger_account *ctd_placement_account(const struct ctd_ledger *ledger,
					     const struct ctd_placement *placement);
/* Gives the member its account, if there is a place. */
void ctd_placement_do(struct ctd_ledger *ledger, struct ctd_placement *placement);
/* Accounts that have waited for names long enough get what they have. */
void ctd_held_show(struct ctd_ledger *ledger);

/* quota.c: may its tenant have one more account? If not, the log is told once. */
bool ctd_quota_allows(struct ctd_ledger *ledger, const struct ctd_placement *placement);
/* Has an account give way to one of this rank. @return true if there is a place. */
bool ctd_room_make(struct ctd_ledger *ledger, enum ctd_rank rank);

/* functions.c */
const struct ctd_account_functions *
ctd_account_functions_hold(const struct ctd_account_functions *functions);
void ctd_account_functions_release(const struct ctd_account_functions *functions);
/* Adds what functions of a row of the account had in a time that began @p begun_ns since 1970.
 * @return 0, or -ENOMEM: nothing was added. */
int ctd_account_add_functions(const struct ctd_ledger *ledger, struct ledger_account *account,
			      const struct ctd_function_row *row, uint64_t begun_ns);
/* What functions of one account have goes to all others of another one. */
void ctd_account_functions_merge(struct ledger_account *to, const struct ledger_account *from);

/* vendor.c: memory for vendors' metrics, all 0. @return NULL without memory. */
struct ctd_vendor_sums *ctd_vendor_sums_new(const struct ctd_vendor_counting *vendor);
/* Forgets the last interval. Both may be NULL. */
void ctd_vendor_sums_begin(const struct ctd_vendor_counting *vendor, struct ctd_vendor_sums *sums);
/* Adds what a part has of groups that are not the tree's. */
void ctd_vendor_sums_add(const struct ctd_vendor_counting *vendor,
			 const struct ctd_rollup_part *part, struct ctd_vendor_sums *to);
/* Adds totals to others. Both may be NULL. */
void ctd_vendor_sums_merge(const struct ctd_vendor_counting *vendor, struct ctd_vendor_sums *to,
			   const struct ctd_vendor_sums *from);
/* Of a row of the rollup on one of its core types what those groups counted; NULL: nothing. */
const struct ctd_rollup_part *ctd_vendor_part(const struct ctd_rollup *rollup, size_t row,
					      int core_type);
/* Memory of the ledger's own. @return 0 or -ENOMEM. */
int ctd_ledger_vendor_prepare(struct ctd_ledger *ledger);
/* What a view has of an account takes so many bytes, which @p memory has. */
size_t ctd_vendor_view_bytes(const struct ctd_vendor_counting *vendor);
struct ctd_account_vendor ctd_vendor_sums_copy(const struct ctd_vendor_counting *vendor,
					       const struct ctd_vendor_sums *sums, void *memory);
/* Of all accounts that have a row in the newest rollup, the values of their metrics. */
void ctd_vendor_evaluate_accounts(struct ctd_ledger *ledger);

/* end.c: drops what was fetched, folds what nobody fetches. */
void ctd_ended_drop(struct ctd_ledger *ledger);
/* Ends what is gone and was not in the newest rollup. */
void ctd_members_end(struct ctd_ledger *ledger);

/* pair_totals.c: adds the newest pairs, and the sum of those that the kernel side had no room for.
 */
void ctd_pair_totals_add(struct ctd_ledger *ledger, const struct ctd_pair *evicted);
/* Says whose each one is; NULL: of no account that views have. */
void ctd_pair_totals_name(const struct ctd_ledger *ledger, struct ctd_pair_total *totals,
			  size_t count);
/* As views have them, with both sums; none if they are not asked for or not known. */
size_t ctd_pair_totals_count(const struct ctd_ledger *ledger);
void ctd_pair_totals_copy(const struct ctd_ledger *ledger, struct ctd_pair_total *to);

/* view.c: memory for views, that is freed with the last of them. @return NULL without memory. */
struct ctd_view_pool *ctd_view_pool_new(void);
void ctd_view_pool_release(struct ctd_view_pool *pool);

/* state.c: sets what the counters of each core type of the plan were good for in this rollup. */
void ctd_pmu_judge(struct ctd_ledger *ledger, const struct ctd_rollup *rollup,
		   const struct ctd_plan_map *map);

#endif
