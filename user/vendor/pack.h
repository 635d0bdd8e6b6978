/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pack.h - metrics packed into as few groups of events as a core's counters allow. */
#ifndef VENDOR_PACK_H
#define VENDOR_PACK_H

#include <cgtopdown/abi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Counters are bits: general-purpose ones from bit 0 on, fixed ones from here. */
#define CTD_PACK_FIXED 32
/* As many values of off-core responses are counted at once (MSR_OFFCORE_RSP_0 and _1). */
#define CTD_PACK_OFFCORE 2

enum ctd_pack_register {
	CTD_PACK_NO_REGISTER,
	CTD_PACK_RESPONSES, /* one of the two registers of off-core responses */
	CTD_PACK_ALONE, /* a register of which there is one: what is to be counted alone */
};

/* What one event asks of a core. */
struct ctd_pack_event {
	uint64_t counters; /* which can count it; 0: it takes none, as parts of PERF_METRICS */
	bool pair; /* it takes two general-purpose ones, side by side */
	enum ctd_pack_register needs;
	uint64_t value; /* of the register: events with one value share it */
};

struct ctd_pack_core {
	uint64_t counters; /* those that are free */
	size_t room; /* the most events of a group, at most CTD_COUNTERS_MAX */
	uint32_t leader; /* the event that each group begins with */
};

/* The events whose counts a metric needs of one and the same time. */
struct ctd_pack_metric {
	const uint32_t *events; /* indices; each once */
	size_t events_count;
};

/* Why a metric fits in no group. */
enum ctd_pack_lack {
	CTD_PACK_FITS,
	CTD_PACK_LACKS_ROOM, /* more events than a group may have */
	CTD_PACK_LACKS_COUNTER, /* an event can be on none of the free counters */
	CTD_PACK_LACKS_COUNTERS, /* its events need more counters at once than are free */
	CTD_PACK_LACKS_RESPONSES, /* more than two values of off-core responses */
	CTD_PACK_LACKS_REGISTER, /* two events that are to be counted alone */
};

struct ctd_pack_group {
	uint32_t events[CTD_COUNTERS_MAX]; /* the leader first */
	size_t events_count;
	size_t metrics_count;
};

struct ctd_pack {
	struct ctd_pack_group *groups; /* owned */
	size_t groups_count;
	/* Owned, of each metric: its group, -1: none, and why. */
	int *group_of;
	enum ctd_pack_lack *lack_of;
};

/* @return 0 or -ENOMEM. Plain data: the same input, the same groups. */
int ctd_pack(const struct ctd_pack_core *core, const struct ctd_pack_event *events,
	     const struct ctd_pack_metric *metrics, size_t metrics_count,
	     struct ctd_pack *ret_pack);
void ctd_pack_free(struct ctd_pack *pack);

/* Can these events be counted at once? @return CTD_PACK_FITS, or what they lack. */
enum ctd_pack_lack ctd_pack_try(const struct ctd_pack_core *core,
				const struct ctd_pack_event *events, const uint32_t *which,
				size_t count);

#endif
