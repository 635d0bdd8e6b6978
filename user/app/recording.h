/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* recording.h - a recording that is read, with the names that it told up to there. */
#ifndef APP_RECORDING_H
#define APP_RECORDING_H

#include <cgtopdown/identity.h>
#include <cgtopdown/record.h>
#include <stdbool.h>

#include "base/idmap.h"

struct ctd_recording {
	const char *name; /* as messages have it */
	/* Cgroups that were removed stay known: their ids do not come again. */
	bool keeps_removed;
	int fd; /* owned; -1: none, or the reader's */
	struct ctd_record_header header; /* with the newest plan */
	struct ctd_record_reader *reader; /* owned */
	struct ctd_identities *identities; /* owned */
	struct ctd_idmap comms; /* owned; pid -> char *, owned */
};

#define CTD_RECORDING_NONE \
	{                  \
		.fd = -1   \
	}

/* A warning about a recording of that name. */
#define CTD_RECORDING_LACKS_PROCESSES \
	"'%s' does not say which process a task is of: tasks are shown as processes"

/* @p file "-": standard input. Reads nothing yet. Logs. @return 0 or negative errno. */
int ctd_recording_open(const char *file, struct ctd_recording *ret_recording);
/* Reads its beginning. Logs. @return 0 or negative errno. */
int ctd_recording_begin(struct ctd_recording *recording);
/* The next item that is no name: those are taken in. Logs. @return 0; -EBADMSG: what came before is
 * whole; or other negative errno. */
int ctd_recording_next(struct ctd_recording *recording, struct ctd_record_item *ret_item);
/* A ctd_comm_lookup; the context is the recording. */
const char *ctd_recording_comm(uint32_t pid, void *context);
/* Of any, also CTD_RECORDING_NONE. */
void ctd_recording_close(struct ctd_recording *recording);

#endif
