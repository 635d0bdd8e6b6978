/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* regions_abi.h - memory in which a program offers the totals of its regions: its layout. */
#ifndef CGTOPDOWN_REGIONS_ABI_H
#define CGTOPDOWN_REGIONS_ABI_H

/*
 * C11 or C++17. Programs write it by cgtopdown/regions.h, `cgtopdown stat --by region` reads it.
 *
 * It is a file by memfd_create(2) with the name CTD_REGIONS_FILE, sealed against shrinking, which
 * the program keeps open: a link in its /proc/PID/fd, in whatever namespaces it is. It holds a
 * header and then `records_max` records. All is in the byte order of the machine.
 *
 * A record is of one region as one thread measures it; those of one name are added up. Only that
 * thread writes it: first into the bank that is not the newest, then the number. So one bank is
 * always whole, also after a thread was killed.
 */
#include <stdint.h>

#define CTD_REGIONS_FILE "cgtopdown-regions"
#define CTD_REGIONS_MAGIC "CTDREGNS"
/* Another layout, or another meaning of a member, has another one. */
#define CTD_REGIONS_VERSION 1
#define CTD_REGIONS_MAX 1024
#define CTD_REGIONS_PARTS 8
#define CTD_REGIONS_NAME_BYTES 64
#define CTD_REGIONS_WHY_BYTES 304

struct ctd_regions_header {
	char magic[8]; /* CTD_REGIONS_MAGIC, without a NUL */
	uint32_t version;
	uint32_t header_bytes, record_bytes; /* sizes of these structs */
	uint32_t records_max; /* CTD_REGIONS_MAX at most; the file is so long */
	uint32_t records_count; /* that were given to threads so far; it only grows */
	/* Of the process that offers it, as getpid(2) tells in there: a child after fork() has the
	 * file, too, and offers nothing. */
	uint32_t pid;
	uint64_t offered_ns; /* by CLOCK_REALTIME: all totals are of after that */
	uint8_t unused[24]; /* 0 */
};

/* Since the program began: they only grow, but for parts. A pass is what is
 * between one begin and one end; it counts at its end. */
struct ctd_regions_totals {
	uint64_t measured; /* passes of which everything is known */
	uint64_t lost; /* passes of which no slots are known: there are none of them in here */
	uint64_t measured_ns, lost_ns; /* that went by in these, by CLOCK_MONOTONIC */
	uint64_t nodes_known; /* 0: no slots are known; 4: level 1; 12: level 2, too */
	uint64_t slots; /* of `measured` */
	int64_t whole_slots; /* what ratios are of: the sum of level 1, or all slots */
	uint64_t rounded_slots; /* a part is up to 1/255 of these off */
	/* In slots, in the order of enum ctd_rdpmc_node: retiring, bad_speculation, frontend_bound,
	 * backend_bound; and with level 2 heavy_operations, branch_mispredicts, fetch_latency,
	 * memory_bound, of which what remains of the part four before is the other half. A small
	 * one may be negative, by rounding. */
	int64_t part[CTD_REGIONS_PARTS];
};

struct ctd_regions_bank {
	struct ctd_regions_totals totals;
	char why_lost[CTD_REGIONS_WHY_BYTES]; /* of the last one lost, a sentence; ends with NUL */
};

enum ctd_regions_state {
	CTD_REGIONS_FREE, /* nothing is in it yet */
	CTD_REGIONS_TAKEN, /* a thread writes it */
	CTD_REGIONS_LEFT, /* its thread is done with it: totals stay, another one may go on */
};

struct ctd_regions_record {
	uint32_t state; /* enum ctd_regions_state; once it is not free the name is there for good */
	uint32_t unused; /* 0 */
	uint64_t number; /* bank[number % 2] is the newest */
	char name[CTD_REGIONS_NAME_BYTES]; /* UTF-8, ends with NUL */
	struct ctd_regions_bank bank[2];
	uint8_t unused_end[16]; /* 0; no two threads write to one cache line */
};

#ifdef __cplusplus
#define CTD_REGIONS_ASSERT static_assert
#else
#define CTD_REGIONS_ASSERT _Static_assert
#endif
CTD_REGIONS_ASSERT(sizeof(struct ctd_regions_header) == 64, "a cache line");
CTD_REGIONS_ASSERT(sizeof(struct ctd_regions_totals) == 128, "without holes");
CTD_REGIONS_ASSERT(sizeof(struct ctd_regions_bank) == 432, "without holes");
CTD_REGIONS_ASSERT(sizeof(struct ctd_regions_record) == 960, "whole cache lines");

#endif
