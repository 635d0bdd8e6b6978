/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ledger.h - accounts, the cgroups that feed them, and their tables. Private to user/ledger/. */
#ifndef LEDGER_LEDGER_H
#define LEDGER_LEDGER_H

#include <cgtopdown/ledger.h>

#include "base/idmap.h"

/* From a row and its identity; nothing owned, not yet text. */
struct ctd_subject {
	struct ctd_account_who who; /* without key_text; labels are the identity's */
	char container[13]; /* where who.container is made from an id */
	char path[CTD_PATH_BYTES_MAX]; /* where who.cgroup is a part of a path */
	uint64_t version; /* of the identity; 0: there is none */
	bool settled;
};

struct ledger_member;

struct ledger_account {
	struct ctd_account account; /* account.who is owned: one reference */
	int core; /* the number of its kind of cores */
	struct ledger_account *next; /* of the same bucket, or the next held one */
	struct ledger_member *holder; /* of an account in no view yet: the one that feeds it */
	size_t members; /* cgroups that feed it now */
	bool shared; /* more than one ever did: what is whose cannot be told */
	bool open; /* of the fixed ones: had anything */
	/* Cgroup id of the newest: account.who is its. 0: it is gone, and another is to take over. */
	uint64_t describer;
	uint64_t touched; /* sequence of the last report that had anything for it */
	uint64_t begun_elapsed_ns, ended_elapsed_ns, ended_sequence;
	/* Of the newest report. */
	int rows;
	struct ctd_value recent[CTD_NODES_MAX]; /* mean of the rows' */
	double weight[CTD_NODES_MAX]; /* of `recent` */
};

/* A cgroup on one kind of cores, whose rows go to an account. */
struct ledger_member {
	uint64_t cgroup_id;
	int core;
	struct ledger_account *account; /* NULL: to `other`, for want of a place */
	struct ledger_member *next; /* of those that end */
	uint64_t seen; /* sequence of the last report that had a row of it */
	uint64_t version; /* of its identity, when it got its account or names; 0: unknown */
	bool folded; /* counted as over the limit */
	bool gone; /* removed: a report without it will be the end */
	bool ending;
};

struct ctd_ledger {
	struct ctd_ledger_options options;
	uint64_t elapsed_ns; /* sum of all windows: the wall clock may be set */
	uint64_t acknowledged;
	const struct ctd_cpu_model *model; /* of all reports: where cores differ, of all kinds */
	bool counted[CTD_CORES_MAX]; /* some reading succeeded, ever */
	struct ctd_idmap members[CTD_CORES_MAX]; /* by cgroup id; owned struct ledger_member */
	/* Owned; kernel, idle, other; made with the first report, which tells kinds of cores. */
	struct ledger_account *fixed[CTD_CORES_MAX][CTD_ACCOUNT_KINDS];
	struct ledger_account **sorted; /* owned, room for all there may be; as views have them */
	size_t sorted_count;
	struct ledger_account **buckets; /* owned; those in `sorted`, by their keys */
	size_t buckets_count; /* a power of two */
	struct ledger_account *held; /* owned; with names that are not settled */
	size_t places; /* taken by accounts that are not fixed, of options.accounts_max */
	struct ctd_view_pool *pool; /* one reference */
	/* Of the newest report. */
	struct ctd_ledger_view newest;
};

/* cores.c: the number of the kind of cores that a row is of. */
int ctd_row_core(const struct ctd_report *report, const struct ctd_report_row *row);
/* The row with values, coverage and dominant by the nodes and groups of the kind's own model.
 * @return @p row, where that is the report's, or @p buffer. */
const struct ctd_report_row *ctd_row_by_own_model(const struct ctd_report *report, int core,
						  const struct ctd_report_row *row,
						  struct ctd_report_row *buffer);
/* What a report says of its kinds of cores: how they are counted, and what that is good for. */
void ctd_cores_take(struct ctd_ledger *ledger, const struct ctd_report *report);
/* The books of each and of all. */
void ctd_cores_add_totals(struct ctd_ledger_view *newest, const struct ctd_report *report);

/* subject.c: who a row is of. @p name: of a cgroup without identity. @p core: "" for none. */
void ctd_subject_make(const char *kind, const char *name, const struct ctd_identity *identity,
		      const char *core, struct ctd_subject *ret_subject);
/* who.c: true if both say the same, though perhaps not in the same place. */
bool ctd_who_is(const struct ctd_account_who *who, const struct ctd_account_who *other);
/* A copy as text, the caller's. @return NULL without memory. */
const struct ctd_account_who *ctd_who_new(const struct ctd_account_who *from);
const struct ctd_account_who *ctd_who_hold(const struct ctd_account_who *who);
void ctd_who_release(const struct ctd_account_who *who);

/* accounts.c: the table of accounts. A new one has no place yet. @return NULL without memory. */
struct ledger_account *ctd_account_new(const struct ctd_account_who *who, int core);
/* Those of kernel, idle and other. @return 0 or -ENOMEM: some are there, and nothing is lost. */
int ctd_accounts_make_fixed(struct ctd_ledger *ledger, const struct ctd_report *report);
void ctd_account_free(struct ledger_account *account);
struct ledger_account *ctd_accounts_find(const struct ctd_ledger *ledger, const char *key_text);
void ctd_accounts_insert(struct ctd_ledger *ledger, struct ledger_account *account);
void ctd_accounts_remove(struct ctd_ledger *ledger, struct ledger_account *account);
void ctd_accounts_hold(struct ctd_ledger *ledger, struct ledger_account *account);
void ctd_accounts_unhold(struct ctd_ledger *ledger, struct ledger_account *account);

/* figures.c: adds a row's figures; and all of one account to another. */
void ctd_account_add_row(struct ledger_account *account, const struct ctd_report *report,
			 const struct ctd_report_row *row);
void ctd_account_merge(struct ledger_account *to, const struct ledger_account *from);
/* Before and after the rows of a report: the figures of this interval alone. */
void ctd_account_begin(struct ledger_account *account);
void ctd_account_finish(struct ledger_account *account, const struct ctd_report *report);

/* slots.c: slots by the model's nodes. @return in ret_known those that are known of this row. */
void ctd_slots_split(const struct ctd_cpu_model *model, const struct ctd_report_row *row,
		     bool ret_known[CTD_NODES_MAX], uint64_t ret_slots[CTD_NODES_MAX]);

/* What a row or identity comes to: made where memory may run out, carried out where it cannot. */
struct ctd_placement {
	struct ledger_member *member;
	const struct ctd_account_who *who; /* owned; NULL: as the account has it */
	struct ledger_account *spare; /* owned; in case that it gets an account */
	uint64_t version; /* of the identity; 0: there is none */
	bool settled;
};
/* place.c: true if the member's account is that of @p identity as it is now. */
bool ctd_member_is_of(const struct ledger_member *member, const struct ctd_identity *identity);
/* @return 0 or -ENOMEM. */
int ctd_placement_make(struct ctd_ledger *ledger, struct ledger_member *member,
		       const struct ctd_subject *subject, struct ctd_placement *ret_placement);
void ctd_placement_free(struct ctd_placement *placement);
/* The account that has the new names already, or NULL. */
struct ledger_account *ctd_placement_account(const struct ctd_ledger *ledger,
					     const struct ctd_placement *placement);
/* Gives the member its account, if there is a place. */
void ctd_placement_do(struct ctd_ledger *ledger, struct ctd_placement *placement);
/* Accounts that have waited for names long enough get what they have. */
void ctd_held_show(struct ctd_ledger *ledger);

/* order.c: the rows of a report, the one with most CPU time first. *ret_order: free(3). @return 0
 * or -ENOMEM. */
int ctd_rows_by_cpu(const struct ctd_report *report, size_t **ret_order);

/* end.c: the member's account has a cgroup less. */
void ctd_account_leave(struct ctd_ledger *ledger, struct ledger_member *member);
/* That of kernel, idle or other on a kind of cores, which is there from its first figures on. */
struct ledger_account *ctd_account_fixed(struct ctd_ledger *ledger, int core,
					 enum ctd_account_kind kind);
/* Drops what was fetched, folds what nobody fetches. */
void ctd_ended_drop(struct ctd_ledger *ledger);
/* Ends what is gone and was not in the newest report. */
void ctd_members_end(struct ctd_ledger *ledger);

/* view.c: memory for views, that is freed with the last of them. @return NULL without memory. */
struct ctd_view_pool *ctd_view_pool_new(void);
void ctd_view_pool_release(struct ctd_view_pool *pool);

/* state.c: what the counters of a kind of cores were good for in this report. @p counted: ever
 * before or in it. */
bool ctd_pmu_counted(const struct ctd_report *report, int core);
enum ctd_pmu_state ctd_pmu_judge(const struct ctd_report *report, int core, bool counted);

#endif
