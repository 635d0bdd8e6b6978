/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* info.c - what there is to say in words, as labels of samples that are 1. */
#include "export/families.h"

#include <stdio.h>
#include <string.h>

#include "base/label.h"

#define PREFIX "label_"

static bool is_name_character(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* "app.kubernetes.io/name" is label_app_kubernetes_io_name. */
static void add_sanitised(struct ctd_strbuf *names, const char *name)
{
	size_t begin = names->bytes;

	ctd_strbuf_add(names, PREFIX);
	ctd_strbuf_add(names, name);
	for (size_t i = begin; !names->failed && i < names->bytes; i++) {
		if (!is_name_character(names->text[i]))
			names->text[i] = '_';
	}
}

/* Is @p name among the names before it, each with its NUL? */
static bool is_taken(const char *names, const char *name)
{
	for (const char *other = names; other < name; other += strlen(other) + 1) {
		if (strcmp(other, name) == 0)
			return true;
	}
	return false;
}

/* Adds a name that no label before has: what came out the same gets a number, as with
 * kube-state-metrics. */
static void add_unique(struct ctd_strbuf *names, const char *name)
{
	size_t begin = names->bytes, plain;

	add_sanitised(names, name);
	plain = names->bytes;
	for (int conflict = 1; !names->failed && is_taken(names->text, names->text + begin);
	     conflict++) {
		names->bytes = plain;
		ctd_strbuf_addf(names, "_conflict%d", conflict);
	}
	ctd_strbuf_add_bytes(names, "", 1);
}

static void add_pod_labels(const struct ctd_account_who *who, struct ctd_strbuf *labels)
{
	auto_ctd_strbuf struct ctd_strbuf names = {0};

	for (size_t i = 0; i < who->labels_count; i++) {
		size_t begin = names.bytes;

		add_unique(&names, who->labels[i].name);
		if (names.failed)
			break;
		ctd_label_add(labels, names.text + begin, who->labels[i].value);
	}
	labels->failed |= names.failed;
}

static void write_info(struct exposition *exposition, const struct ctd_strbuf *labels)
{
	exposition->text->failed |= labels->failed;
	if (!labels->failed)
		ctd_sample_count(exposition, labels->text, 1);
}

/* The labels of its key that are of all kinds of cores: it is a container once, wherever it runs. */
static void begin_container(struct ctd_strbuf *labels, const struct ctd_account_who *who)
{
	labels->bytes = 0;
	ctd_strbuf_add_bytes(labels, who->key_text, who->key_shared_bytes);
}

static bool is_same(const struct ctd_account_who *who, const struct ctd_account_who *other)
{
	return who->key_shared_bytes == other->key_shared_bytes &&
	       memcmp(who->key_text, other->key_text, who->key_shared_bytes) == 0;
}

static bool is_newer(const struct ctd_account *account, const struct ctd_account *than)
{
	if (account->ended != than->ended)
		return than->ended;
	return account->who->started_ns > than->who->started_ns;
}

/* The accounts of one container on several kinds of cores follow each other, as the core comes last
 * in their keys. @return the newest of them from @p *at on; @p *at moves to what follows. */
static const struct ctd_account_who *next_who(const struct ctd_ledger_view *view, size_t *at)
{
	const struct ctd_account *newest = &view->accounts[*at];

	for (++*at; *at < view->accounts_count; ++*at) {
		const struct ctd_account *other = &view->accounts[*at];

		if (!is_same(newest->who, other->who))
			break;
		if (is_newer(other, newest))
			newest = other;
	}
	return newest->who;
}

void ctd_samples_start_time(struct exposition *exposition)
{
	auto_ctd_strbuf struct ctd_strbuf labels = {0};
	size_t at = 0;

	while (at < exposition->view->accounts_count) {
		const struct ctd_account_who *who = next_who(exposition->view, &at);

		if (!who->started_ns)
			continue;
		begin_container(&labels, who);
		exposition->text->failed |= labels.failed;
		if (!labels.failed)
			ctd_sample_ns(exposition, labels.text, who->started_ns);
	}
}

void ctd_samples_containers(struct exposition *exposition)
{
	auto_ctd_strbuf struct ctd_strbuf labels = {0};
	size_t at = 0;

	while (at < exposition->view->accounts_count) {
		const struct ctd_account_who *who = next_who(exposition->view, &at);

		if (who->kind != CTD_ACCOUNT_CONTAINER && who->kind != CTD_ACCOUNT_SANDBOX)
			continue;
		begin_container(&labels, who);
		ctd_label_add(&labels, "container_id", who->container_id);
		ctd_label_add(&labels, "pod_uid", who->pod_uid);
		ctd_label_add(&labels, "runtime", who->runtime);
		ctd_label_add(&labels, "image", who->image);
		ctd_label_add(&labels, "qos", who->qos);
		ctd_label_add(&labels, "owner_kind", who->owner_kind);
		ctd_label_add(&labels, "owner", who->owner_name);
		ctd_label_add(&labels, "cgroup", who->path);
		add_pod_labels(who, &labels);
		write_info(exposition, &labels);
	}
}

static void write_source(struct exposition *exposition, const struct ctd_ledger_core *core)
{
	const struct ctd_ledger_view *view = exposition->view;
	auto_ctd_strbuf struct ctd_strbuf labels = {0};
	bool alone = view->cores_count == 1;
	char level[12];

	snprintf(level, sizeof(level), "%d", alone ? view->level : core->level);
	ctd_core_label(core, &labels);
	ctd_label_add(&labels, "source", alone ? view->source : core->source);
	ctd_label_add(&labels, "method", alone ? view->method : core->source);
	ctd_label_add(&labels, "scope", alone ? view->scope : core->scope);
	ctd_label_add(&labels, "level", level);
	ctd_label_add(&labels, "model", core->model ? core->model->name : "");
	ctd_label_add(&labels, "simulated", view->simulated ? "true" : "false");
	ctd_label_add(&labels, "hierarchy", view->hierarchy);
	write_info(exposition, &labels);
}

void ctd_samples_source(struct exposition *exposition)
{
	for (int i = 0; i < exposition->view->cores_count; i++)
		write_source(exposition, &exposition->view->cores[i]);
}

void ctd_samples_build(struct exposition *exposition)
{
	auto_ctd_strbuf struct ctd_strbuf labels = {0};

	ctd_label_add(&labels, "version", exposition->self->version);
	write_info(exposition, &labels);
}

static void write_states(struct exposition *exposition, const struct ctd_ledger_core *core)
{
	for (int i = 0; i < CTD_PMU_STATES; i++) {
		auto_ctd_strbuf struct ctd_strbuf labels = {0};

		ctd_core_label(core, &labels);
		ctd_label_add(&labels, "state", ctd_pmu_state_name((enum ctd_pmu_state)i));
		exposition->text->failed |= labels.failed;
		if (!labels.failed)
			ctd_sample_count(exposition, labels.text,
					 core->state == (enum ctd_pmu_state)i);
	}
}

void ctd_samples_state(struct exposition *exposition)
{
	for (int i = 0; i < exposition->view->cores_count; i++)
		write_states(exposition, &exposition->view->cores[i]);
}

void ctd_samples_simulated(struct exposition *exposition)
{
	if (exposition->view->simulated)
		ctd_sample_count(exposition, "", 1);
}
