/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* who.c - what an account belongs to: one block of text, shared by all views that show it. */
#include "ledger/ledger.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/label.h"
#include "base/utf8.h"

/* Of any one name; a path is not longer either. An annotation may be. */
#define TEXT_BYTES_MAX CTD_PATH_BYTES_MAX

struct box {
	atomic_size_t references;
	struct ctd_account_who who;
	char *json; /* owned */
	struct ctd_label labels[];
	/* Then the texts. */
};

#define FIELD(name) offsetof(struct ctd_account_who, name)
static const size_t fields[] = {
	FIELD(namespace_name), FIELD(pod),	  FIELD(container), FIELD(cgroup), FIELD(core),
	FIELD(container_id),   FIELD(pod_uid),	  FIELD(runtime),   FIELD(image),  FIELD(qos),
	FIELD(owner_kind),     FIELD(owner_name), FIELD(path),
};
#define FIELDS (sizeof(fields) / sizeof(*fields))

static const char *text_of(const struct ctd_account_who *who, size_t field)
{
	return *(const char *const *)((const char *)who + fields[field]);
}

static void set_text(struct ctd_account_who *who, size_t field, const char *text)
{
	*(const char **)((char *)who + fields[field]) = text;
}

bool ctd_who_is(const struct ctd_account_who *who, const struct ctd_account_who *other)
{
	if (who->kind != other->kind || who->started_ns != other->started_ns ||
	    who->labels_count != other->labels_count)
		return false;
	for (size_t i = 0; i < FIELDS; i++) {
		if (strcmp(text_of(who, i), text_of(other, i)) != 0)
			return false;
	}
	for (size_t i = 0; i < who->labels_count; i++) {
		if (strcmp(who->labels[i].name, other->labels[i].name) != 0 ||
		    strcmp(who->labels[i].value, other->labels[i].value) != 0)
			return false;
	}
	return true;
}

static void add_text(struct ctd_strbuf *texts, const char *text)
{
	ctd_utf8_add(texts, text, TEXT_BYTES_MAX);
	ctd_strbuf_add_bytes(texts, "", 1);
}

/* All texts one after the other, in the order in which they are taken. */
static void gather(const struct ctd_account_who *from, struct ctd_strbuf *texts)
{
	for (size_t i = 0; i < FIELDS; i++)
		add_text(texts, text_of(from, i));
	for (size_t i = 0; i < from->labels_count; i++) {
		add_text(texts, from->labels[i].name);
		add_text(texts, from->labels[i].value);
	}
}

static void add_key(const struct ctd_account_who *who, struct ctd_strbuf *key)
{
	ctd_label_add(key, "kind", ctd_account_kind_name(who->kind));
	ctd_label_add(key, "namespace", who->namespace_name);
	ctd_label_add(key, "pod", who->pod);
	ctd_label_add(key, "container", who->container);
	ctd_label_add(key, "cgroup", who->cgroup);
}

static void add_missing(struct ctd_strbuf *text, const char *name, const char *value)
{
	if (!*value)
		ctd_strbuf_addf(text, ",%s=\"\"", name);
}

/* As labels_text; nothing is added where that is the key. */
static void add_labels(const struct ctd_account_who *who, const struct ctd_strbuf *key,
		       struct ctd_strbuf *text)
{
	size_t kind_bytes = strcspn(key->text, ",");

	if (*who->namespace_name && *who->pod && *who->container)
		return;
	ctd_strbuf_add_bytes(text, key->text, kind_bytes);
	add_missing(text, "namespace", who->namespace_name);
	add_missing(text, "pod", who->pod);
	add_missing(text, "container", who->container);
	ctd_strbuf_add(text, key->text + kind_bytes);
}

static char *next_text(char **at)
{
	char *text = *at;

	*at += strlen(text) + 1;
	return text;
}

/* @return what follows the texts of the fields. */
static char *set_texts(struct ctd_account_who *who, char *texts)
{
	for (size_t i = 0; i < FIELDS; i++)
		set_text(who, i, next_text(&texts));
	return texts;
}

static void set_labels(struct ctd_account_who *who, struct ctd_label *labels, char *texts)
{
	for (size_t i = 0; i < who->labels_count; i++) {
		labels[i].name = next_text(&texts);
		labels[i].value = next_text(&texts);
	}
	who->labels = labels;
}

const struct ctd_account_who *ctd_who_new(const struct ctd_account_who *from)
{
	auto_ctd_strbuf struct ctd_strbuf texts = {0}, key = {0}, labels = {0};
	size_t labels_bytes = from->labels_count * sizeof(struct ctd_label), shared_bytes;
	struct ctd_account_who who = *from;
	struct box *box;
	char *at;

	gather(from, &texts);
	if (texts.failed)
		return NULL;
	/* The key is of the texts as they are shown, so that two names that look alike are one. */
	set_texts(&who, texts.text);
	add_key(&who, &key);
	shared_bytes = key.bytes;
	ctd_label_add(&key, "core", who.core);
	if (key.failed)
		return NULL;
	add_labels(&who, &key, &labels);
	if (labels.failed)
		return NULL;
	box = malloc(sizeof(*box) + labels_bytes + texts.bytes + key.bytes + 1 + labels.bytes + 1);
	if (!box)
		return NULL;
	atomic_init(&box->references, 1);
	box->who = *from;
	at = (char *)box->labels + labels_bytes;
	memcpy(at, texts.text, texts.bytes);
	memcpy(at + texts.bytes, key.text, key.bytes + 1);
	set_labels(&box->who, box->labels, set_texts(&box->who, at));
	box->who.key_text = at + texts.bytes;
	box->who.key_shared_bytes = shared_bytes;
	box->who.labels_text = box->who.key_text;
	box->who.labels_bytes = key.bytes;
	if (labels.bytes) {
		at += texts.bytes + key.bytes + 1;
		box->who.labels_text = memcpy(at, labels.text, labels.bytes + 1);
		box->who.labels_bytes = labels.bytes;
	}
	box->json = ctd_who_json(&box->who, &box->who.json_bytes);
	if (!box->json) {
		free(box);
		return NULL;
	}
	box->who.json_text = box->json;
	return &box->who;
}

static struct box *box_of(const struct ctd_account_who *who)
{
	return (struct box *)((char *)who - offsetof(struct box, who));
}

const struct ctd_account_who *ctd_who_hold(const struct ctd_account_who *who)
{
	/* Relaxed is enough: the caller already holds a reference. */
	atomic_fetch_add_explicit(&box_of(who)->references, 1, memory_order_relaxed);
	return who;
}

void ctd_who_release(const struct ctd_account_who *who)
{
	if (!who ||
	    atomic_fetch_sub_explicit(&box_of(who)->references, 1, memory_order_acq_rel) != 1)
		return;
	free(box_of(who)->json);
	free(box_of(who));
}
