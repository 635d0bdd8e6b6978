/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tee.c - writes a recording of what a history takes. */
#include "top/tee.h"

#include <unistd.h>

#include "base/auto.h"
#include "identity/lookup/pairs.h"

static int write_identity(const struct ctd_identity *identity, void *context)
{
	struct ctd_record_writer *writer = context;
	struct ctd_record_name name = {.cgroup_id = identity->cgroup_id, .text = identity->path};
	auto_ctd_strbuf struct ctd_strbuf pairs = {0};
	int error = identity->removed ? 0 : ctd_record_write_name(writer, &name);

	ctd_names_to_pairs(&identity->names, &pairs);
	if (error || identity->removed || !pairs.bytes || pairs.failed)
		return error;
	return ctd_record_write_facts(writer,
				      &(struct ctd_record_facts){.cgroup_id = identity->cgroup_id,
								 .pairs = pairs.text,
								 .bytes = pairs.bytes});
}

static int write_task(uint32_t task, uint32_t process, void *context)
{
	return ctd_record_write_task(context, &(struct ctd_record_task){task, process});
}

/* Without it no report could tell what the plan's counts are of. */
static int write_vendor(const struct ctd_top_history *history, struct ctd_record_writer *writer)
{
	int error = 0;

	for (uint32_t type = 0; !error && type < CTD_CORE_TYPES_MAX; type++) {
		const struct ctd_record_vendor vendor = {
			.payload = history->vendor[type].text,
			.bytes = history->vendor[type].bytes,
			.of_core_type = history->header.core_types_count > 1,
			.core_type = type,
		};

		if (vendor.bytes)
			error = ctd_record_write_vendor(writer, &vendor);
	}
	return error;
}

int ctd_top_tee_begin(const struct ctd_top_history *history, int fd,
		      struct ctd_record_writer **ret_writer)
{
	struct ctd_record_writer *writer;
	struct ctd_record_name name = {0};
	uintptr_t comm;
	uint64_t pid;
	int error = ctd_record_begin(fd, &history->header, &writer);

	if (error) {
		close(fd);
		return error;
	}
	error = write_vendor(history, writer);
	if (!error)
		error = ctd_identities_each(history->identities, write_identity, writer);
	if (!error)
		error = ctd_identities_each_task(history->identities, write_task, writer);
	for (size_t cursor = 0; !error && ctd_idmap_next(&history->comms, &cursor, &pid, &comm);) {
		name.pid = (uint32_t)pid;
		name.text = (const char *)comm;
		error = ctd_record_write_name(writer, &name);
	}
	if (error) {
		ctd_record_close(writer);
		return error;
	}
	*ret_writer = writer;
	return 0;
}

int ctd_top_tee_write(struct ctd_record_writer *writer, const struct ctd_record_item *item)
{
	switch (item->kind) {
	case CTD_RECORD_PLAN:
		return ctd_record_write_plan(writer, &item->header);
	case CTD_RECORD_NAME:
		return ctd_record_write_name(writer, &item->name);
	case CTD_RECORD_TASK:
		return ctd_record_write_task(writer, &item->task);
	case CTD_RECORD_FACTS:
		return ctd_record_write_facts(writer, &item->facts);
	case CTD_RECORD_SNAPSHOT:
		return ctd_record_write_snapshot(writer, &item->snapshot);
	case CTD_RECORD_VENDOR:
		return ctd_record_write_vendor(writer, &item->vendor);
	case CTD_RECORD_PROFILE: /* of profile --input, like this: */
	case CTD_RECORD_LINES:
	case CTD_RECORD_INTERVAL: /* of a history */
	case CTD_RECORD_END:
		break;
	}
	return 0;
}
