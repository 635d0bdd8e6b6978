/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* describe.c - says a tag in the words of an event. */
#include "serve/events/describe.h"

#include <stdlib.h>
#include <string.h>

#include "base/known.h"
#include "format/format.h"
#include "format/tag_advice.h"

#define NOISY "NoisyNeighbour"
#define CONTENDED "NodeContended"
#define THROTTLED "CPUThrottled"
/* Of a name in a note: all of them, and what is said beside, have room in one. */
#define NAME_BYTES_MAX 80
#define POD_BYTES_MAX 120
/* A name that is cut within a character gets some bytes longer by what stands for that. */
#define NOTE_BYTES_MAX (CTD_K8S_EVENT_NOTE_BYTES - 64)

const char *ctd_k8s_event_reason(const struct ctd_neighbour_tag *tag)
{
	if (tag->blame == CTD_BLAME_NEIGHBOUR)
		return NOISY;
	if (tag->mechanism == CTD_MECHANISM_THROTTLING)
		return THROTTLED;
	return tag->blame == CTD_BLAME_MACHINE ? CONTENDED : NULL;
}

/* When a tag of the reason stands no more. */
static const char *reason_of_end(const char *reason)
{
	if (strcmp(reason, NOISY) == 0)
		return NOISY "Ended";
	return strcmp(reason, CONTENDED) == 0 ? CONTENDED "Ended" : THROTTLED "Ended";
}

static int compare(const void *a, const void *b)
{
	const struct ctd_account_who *one = a, *other = ((const struct ctd_account *)b)->who;

	return one->kind != other->kind ? (int)one->kind - (int)other->kind
					: strcmp(one->key_text, other->key_text);
}

/* Accounts are sorted by kind and key. */
static const struct ctd_account *find(const struct ctd_ledger_view *view,
				      enum ctd_account_kind kind, const char *key)
{
	const struct ctd_account_who wanted = {.kind = kind, .key_text = key};

	return bsearch(&wanted, view->accounts, view->accounts_count, sizeof(*view->accounts),
		       compare);
}

static struct ctd_k8s_pod pod_of(const struct ctd_account_who *who)
{
	return (struct ctd_k8s_pod){who->namespace_name, who->pod, who->pod_uid};
}

const struct ctd_account_who *ctd_k8s_event_pod(const struct ctd_ledger_view *view, const char *key)
{
	const struct ctd_account *account = find(view, CTD_ACCOUNT_CONTAINER, key);
	struct ctd_k8s_pod pod;

	if (!account || account->ended)
		return NULL;
	pod = pod_of(account->who);
	return ctd_k8s_pod_is_valid(&pod) ? account->who : NULL;
}

/* "Deployment analytics/batch (container worker of pod batch-7d9f, 83 %)": the workload is what
 * somebody can be asked about. */
static void add_antagonist(struct ctd_strbuf *note, const struct ctd_antagonist *antagonist,
			   const struct ctd_account_who *who)
{
	const struct ctd_neighbour_names *names = antagonist->names;
	const char *container = names->container ? names->container : names->container_id;

	if (who && ctd_known(who->owner_name))
		ctd_strbuf_addf(note, "%.*s %.*s/%.*s (container %.*s of pod %.*s, ",
				NAME_BYTES_MAX, who->owner_kind, NAME_BYTES_MAX,
				who->namespace_name, NAME_BYTES_MAX, who->owner_name,
				NAME_BYTES_MAX, who->container, POD_BYTES_MAX, who->pod);
	else if (names->pod)
		ctd_strbuf_addf(note, "pod %.*s/%.*s (container %.*s, ", NAME_BYTES_MAX,
				names->namespace_name ? names->namespace_name : "?", POD_BYTES_MAX,
				names->pod, NAME_BYTES_MAX, container ? container : "?");
	else if (container)
		ctd_strbuf_addf(note, "container %.*s (", NAME_BYTES_MAX, container);
	else
		ctd_strbuf_addf(note, "%.*s (", POD_BYTES_MAX,
				names->cgroup ? names->cgroup : names->key);
	ctd_strbuf_addf(note, "%.0f %%)", 100 * antagonist->share);
}

static void add_antagonists(struct ctd_strbuf *note, const struct ctd_neighbour_tag *tag,
			    const struct ctd_account_who *first)
{
	if (!tag->antagonists_count) {
		ctd_strbuf_add(note, "a neighbour");
		return;
	}
	add_antagonist(note, &tag->antagonists[0], first);
	if (tag->antagonists_count > 1)
		ctd_strbuf_addf(note, " and %zu more", tag->antagonists_count - 1);
}

static void add_to_what(struct ctd_strbuf *note, const struct ctd_neighbour_tag *tag,
			const struct ctd_account_who *first)
{
	if (tag->blame == CTD_BLAME_NEIGHBOUR)
		add_antagonists(note, tag, first);
	else if (tag->mechanism != CTD_MECHANISM_THROTTLING)
		ctd_strbuf_add(note, "many others on the node, none of which stands out");
	else if (tag->blame == CTD_BLAME_MACHINE)
		ctd_strbuf_add(note, "a limit above it that others use up, too");
	else
		ctd_strbuf_add(note, tag->limit_bytes
					     ? "the limit of a cgroup above it, as its pod's"
					     : "its own limit");
}

/* "2026-08-30T12:00:01Z". */
static void add_since(struct ctd_strbuf *note, uint64_t since_ns)
{
	char since[CTD_FIGURE_BYTES];

	ctd_format_time(since_ns, since);
	ctd_strbuf_addf(note, "since %.*sZ", (int)strcspn(since, "."), since);
}

/* Its lines as one. */
static void add_advice(struct ctd_strbuf *note, enum ctd_mechanism mechanism)
{
	for (const char *line = ctd_tag_advice(mechanism); *line;) {
		size_t bytes = strcspn(line, "\n");

		ctd_strbuf_add(note, " ");
		ctd_strbuf_add_bytes(note, line, bytes);
		line += bytes;
		line += strspn(line, "\n ");
	}
}

static const char *end_note(struct ctd_strbuf *note)
{
	if (note->failed)
		return "";
	if (note->bytes > NOTE_BYTES_MAX)
		note->text[NOTE_BYTES_MAX] = '\0';
	return note->text;
}

void ctd_k8s_event_stands(const struct ctd_neighbour_tag *tag, const struct ctd_account_who *victim,
			  const struct ctd_ledger_view *view, const char *node,
			  struct ctd_strbuf *note, struct ctd_k8s_event *ret_event)
{
	const char *key = tag->antagonists_count ? tag->antagonists[0].names->key : NULL;
	const struct ctd_account *first = key ? find(view, CTD_ACCOUNT_CONTAINER, key) : NULL;
	struct ctd_k8s_pod related = first ? pod_of(first->who) : (struct ctd_k8s_pod){0};

	ctd_strbuf_addf(note, "Container %.*s loses %.*f CPUs to ", NAME_BYTES_MAX,
			victim->container, tag->loss_cpus < 0.095 ? 3 : 2, tag->loss_cpus);
	add_to_what(note, tag, first ? first->who : NULL);
	ctd_strbuf_addf(note, ", by %s, ", ctd_mechanism_name(tag->mechanism));
	add_since(note, tag->since_ns);
	ctd_strbuf_add(note, ".");
	add_advice(note, tag->mechanism);
	ctd_strbuf_addf(note, " Evidence, on node %.*s: cgtopdown neighbours --explain %.*s",
			NAME_BYTES_MAX, node, POD_BYTES_MAX, victim->pod);
	*ret_event = (struct ctd_k8s_event){
		.warning = true,
		.reason = ctd_k8s_event_reason(tag),
		.action = ctd_mechanism_name(tag->mechanism),
		.regarding = pod_of(victim),
		.note = end_note(note),
	};
	if (first && ctd_k8s_pod_is_valid(&related))
		ret_event->related = related;
}

void ctd_k8s_event_ended(enum ctd_mechanism mechanism, uint64_t since_ns, const char *reason,
			 const struct ctd_account_who *victim, struct ctd_strbuf *note,
			 struct ctd_k8s_event *ret_event)
{
	ctd_strbuf_addf(note, "Container %.*s is not tagged any more: it was, by %s, ",
			NAME_BYTES_MAX, victim->container, ctd_mechanism_name(mechanism));
	add_since(note, since_ns);
	ctd_strbuf_add(note, ".");
	*ret_event = (struct ctd_k8s_event){
		.reason = reason_of_end(reason),
		.action = ctd_mechanism_name(mechanism),
		.regarding = pod_of(victim),
		.note = end_note(note),
	};
}
