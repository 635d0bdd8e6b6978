/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* regions.h - a program that measures itself offers its regions to `cgtopdown stat --by region`. */
#ifndef CGTOPDOWN_REGIONS_H
#define CGTOPDOWN_REGIONS_H

/*
 * C11 or C++17 on Linux, by this file, rdpmc.h and regions_abi.h, which has the layout. The manual
 * is cgtopdown-regions(3), a whole program docs/examples/offer_regions.c.
 *
 *	struct ctd_regions regions;                     // of the process
 *	ctd_regions_offer(&regions);
 *
 *	struct ctd_rdpmc_group group;                   // of each thread, as in rdpmc.h
 *	struct ctd_regions_entry parse;
 *	ctd_rdpmc_open(&group, 0);
 *	ctd_regions_join(&regions, "parse", &parse);
 *	ctd_regions_begin(&group, &parse);
 *	...
 *	ctd_regions_end(&group, &parse);
 *
 * What fails is told, and can be ignored: then less is known, or nothing is offered, and the
 * program goes on. A pass costs two readings of the clock and some thirty stores more than one of
 * rdpmc.h; no system call, no lock.
 */
#include <cgtopdown/rdpmc.h>
#include <cgtopdown/regions_abi.h>
#include <fcntl.h>
#include <time.h>

#if !defined(__cplusplus) && !defined(_POSIX_C_SOURCE) /* -std=c11 hides them */
int clock_gettime(int clock, struct timespec *ret);
int ftruncate(int fd, off_t bytes);
#endif

/* Constants that -std=c11 hides, too, or that are younger than some C libraries. */
#define CTD_REGIONS_WALL_CLOCK 0 /* CLOCK_REALTIME */
#define CTD_REGIONS_CLOCK 1 /* CLOCK_MONOTONIC */
#define CTD_REGIONS_CLOEXEC 1u /* MFD_CLOEXEC */
#define CTD_REGIONS_SEALING 2u /* MFD_ALLOW_SEALING */
#define CTD_REGIONS_NOEXEC 8u /* MFD_NOEXEC_SEAL (6.3): some hosts refuse files without it */
#define CTD_REGIONS_ADD_SEALS 1033 /* F_ADD_SEALS */
#define CTD_REGIONS_SEALS 7 /* F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW */
#define CTD_REGIONS_WIPE 18 /* MADV_WIPEONFORK (4.14) */

/* What a process offers. Its members are its own. */
struct ctd_regions {
	int fd;
	struct ctd_regions_header *header; /* and the records; NULL: nothing is offered */
	/* 1; in a child after fork() 0, by the kernel: two would write one record. NULL with the
	 * header. */
	volatile uint32_t *here;
};

/* A region of one thread. `region` is to be read. */
struct ctd_regions_entry {
	struct ctd_rdpmc_region region;
	uint64_t measured_ns, lost_ns; /* as in struct ctd_regions_totals */
	uint64_t begun_ns;
	struct ctd_regions_record *record; /* NULL: it is not offered */
	const volatile uint32_t *here;
	uint64_t lost_before; /* by who had the record before: of these the texts are there */
	int why_lost[2]; /* that the text of each bank tells; -1: none */
};

/* The size of what is offered. Memory is used for what was written only: a page for four records. */
static inline size_t ctd_regions_bytes(void)
{
	return sizeof(struct ctd_regions_header) +
	       CTD_REGIONS_MAX * sizeof(struct ctd_regions_record);
}

/* @return a file in memory, or negative errno. */
static inline int ctd_regions_file(void)
{
	unsigned int flags = CTD_REGIONS_CLOEXEC | CTD_REGIONS_SEALING;
	int fd = (int)syscall(__NR_memfd_create, CTD_REGIONS_FILE, flags | CTD_REGIONS_NOEXEC);

	if (fd < 0 && errno == EINVAL)
		fd = (int)syscall(__NR_memfd_create, CTD_REGIONS_FILE, flags);
	if (fd < 0)
		return -errno;
	if (!ftruncate(fd, (off_t)ctd_regions_bytes()) &&
	    !fcntl(fd, CTD_REGIONS_ADD_SEALS, CTD_REGIONS_SEALS))
		return fd;
	flags = (unsigned int)errno;
	close(fd);
	return -(int)flags;
}

static inline uint64_t ctd_regions_clock_ns(int clock)
{
	struct timespec now = {0, 0};

	(void)clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Writes what a reader looks for, the magic last. */
static inline void ctd_regions_fill(struct ctd_regions_header *header)
{
	header->version = CTD_REGIONS_VERSION;
	header->header_bytes = (uint32_t)sizeof(struct ctd_regions_header);
	header->record_bytes = (uint32_t)sizeof(struct ctd_regions_record);
	header->records_max = CTD_REGIONS_MAX;
	header->pid = (uint32_t)getpid();
	header->offered_ns = ctd_regions_clock_ns(CTD_REGIONS_WALL_CLOCK);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	memcpy(header->magic, CTD_REGIONS_MAGIC, sizeof(header->magic));
}

/* The memory of a process that ends, or of which a part could not be had. */
static inline void ctd_regions_withdraw(struct ctd_regions *regions)
{
	if (regions->header)
		munmap(regions->header, ctd_regions_bytes());
	if (regions->here)
		munmap((void *)(uintptr_t)regions->here, (size_t)sysconf(_SC_PAGESIZE));
	if (regions->fd >= 0)
		close(regions->fd);
	regions->header = NULL;
	regions->here = NULL;
	regions->fd = -1;
}

/* Offers regions of this process from here on: once, before its threads join. The descriptor has to
 * stay open: beware of closefrom(). @return 0, or negative errno: nothing is offered. */
static inline int ctd_regions_offer(struct ctd_regions *regions)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *header = MAP_FAILED, *here;
	int error = 0;

	regions->header = NULL;
	regions->here = NULL;
	regions->fd = ctd_regions_file();
	if (regions->fd < 0)
		return regions->fd;
	here = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | 0x20 /* MAP_ANONYMOUS */, -1,
		    0);
	if (here != MAP_FAILED) {
		regions->here = (volatile uint32_t *)here;
		if (!syscall(__NR_madvise, here, page, CTD_REGIONS_WIPE))
			header = mmap(NULL, ctd_regions_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED,
				      regions->fd, 0);
	}
	if (header == MAP_FAILED) {
		error = -errno;
		ctd_regions_withdraw(regions);
		return error;
	}
	*regions->here = 1;
	regions->header = (struct ctd_regions_header *)header;
	ctd_regions_fill(regions->header);
	return 0;
}

static inline struct ctd_regions_record *ctd_regions_records(const struct ctd_regions *regions)
{
	return (struct ctd_regions_record *)(void *)(regions->header + 1);
}

/* One that a thread has left goes on with its totals: a pool that makes threads again and again
 * needs no more records than it has threads at a time. @return NULL: there is none. */
static inline struct ctd_regions_record *ctd_regions_left(const struct ctd_regions *regions,
							  const char *name)
{
	struct ctd_regions_record *record = ctd_regions_records(regions);
	uint32_t count = __atomic_load_n(&regions->header->records_count, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < count; i++, record++) {
		uint32_t left = CTD_REGIONS_LEFT;

		if (__atomic_load_n(&record->state, __ATOMIC_ACQUIRE) == left &&
		    strcmp(record->name, name) == 0 &&
		    __atomic_compare_exchange_n(&record->state, &left, CTD_REGIONS_TAKEN, 0,
						__ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			return record;
	}
	return NULL;
}

/* @return NULL: all were given. */
static inline struct ctd_regions_record *ctd_regions_new(const struct ctd_regions *regions,
							 const char *name)
{
	uint32_t *count = &regions->header->records_count;
	uint32_t index = __atomic_load_n(count, __ATOMIC_RELAXED);
	struct ctd_regions_record *record;

	do {
		if (index >= CTD_REGIONS_MAX)
			return NULL;
	} while (!__atomic_compare_exchange_n(count, &index, index + 1, 0, __ATOMIC_ACQ_REL,
					      __ATOMIC_RELAXED));
	record = ctd_regions_records(regions) + index;
	memcpy(record->name, name, strlen(name) + 1);
	__atomic_store_n(&record->state, CTD_REGIONS_TAKEN, __ATOMIC_RELEASE);
	return record;
}

/* The totals that are in a record already. */
static inline void ctd_regions_go_on(struct ctd_regions_entry *entry)
{
	struct ctd_regions_bank *newest = &entry->record->bank[entry->record->number % 2];
	struct ctd_regions_bank *other = &entry->record->bank[(entry->record->number + 1) % 2];
	const struct ctd_regions_totals *totals = &newest->totals;

	memcpy(other->why_lost, newest->why_lost, sizeof(other->why_lost));
	entry->lost_before = totals->lost;
	entry->measured_ns = totals->measured_ns;
	entry->lost_ns = totals->lost_ns;
	entry->region.measured = totals->measured;
	entry->region.lost = totals->lost;
	entry->region.nodes_known = (int)totals->nodes_known;
	entry->region.slots = totals->slots;
	entry->region.whole_slots = totals->whole_slots;
	entry->region.rounded_slots = totals->rounded_slots;
	memcpy(entry->region.part, totals->part, sizeof(totals->part));
}

/*
 * A region of the calling thread, which alone may use it from here on. Other threads may join with
 * the same name: their figures are added up. @p name: of 1 to 63 bytes; borrowed.
 * @return 0, or a negative errno: the region is measured and not offered. -EINVAL: no such name;
 * -ENOSPC: 1024 were given; -ENOENT: nothing is offered by this process.
 */
static inline int ctd_regions_join(const struct ctd_regions *regions, const char *name,
				   struct ctd_regions_entry *ret_entry)
{
	memset(ret_entry, 0, sizeof(*ret_entry));
	ret_entry->region.name = name;
	ret_entry->why_lost[0] = ret_entry->why_lost[1] = -1;
	if (!*name || strlen(name) >= CTD_REGIONS_NAME_BYTES)
		return -EINVAL;
	if (!regions->header || !*regions->here)
		return -ENOENT;
	ret_entry->here = regions->here;
	ret_entry->record = ctd_regions_left(regions, name);
	if (ret_entry->record)
		ctd_regions_go_on(ret_entry);
	else
		ret_entry->record = ctd_regions_new(regions, name);
	return ret_entry->record ? 0 : -ENOSPC;
}

static inline uint64_t ctd_regions_now_ns(void)
{
	return ctd_regions_clock_ns(CTD_REGIONS_CLOCK);
}

/* Tells readers of the region's totals. A reader that sees `number` unchanged around its copy of a
 * bank has a whole one: the fence keeps what is written here behind the number before it. */
static inline void ctd_regions_publish(struct ctd_regions_entry *entry)
{
	const struct ctd_rdpmc_region *region = &entry->region;
	struct ctd_regions_bank *bank;
	uint64_t number;

	if (!entry->record || !*entry->here)
		return;
	number = entry->record->number + 1;
	bank = &entry->record->bank[number % 2];
	__atomic_thread_fence(__ATOMIC_RELEASE);
	bank->totals.measured = region->measured;
	bank->totals.lost = region->lost;
	bank->totals.measured_ns = entry->measured_ns;
	bank->totals.lost_ns = entry->lost_ns;
	bank->totals.nodes_known = (uint64_t)region->nodes_known;
	bank->totals.slots = region->slots;
	bank->totals.whole_slots = region->whole_slots;
	bank->totals.rounded_slots = region->rounded_slots;
	memcpy(bank->totals.part, region->part, sizeof(bank->totals.part));
	if (region->lost > entry->lost_before && entry->why_lost[number % 2] != region->why_lost) {
		snprintf(bank->why_lost, sizeof(bank->why_lost), "%s",
			 ctd_rdpmc_error_text(region->why_lost));
		entry->why_lost[number % 2] = region->why_lost;
	}
	__atomic_store_n(&entry->record->number, number, __ATOMIC_RELEASE);
}

/* A pass begins. One that is lost here is told to readers at its end. @return as ctd_rdpmc_begin().
 */
static inline int ctd_regions_begin(struct ctd_rdpmc_group *group, struct ctd_regions_entry *entry)
{
	if (!entry->region.begun)
		entry->begun_ns = ctd_regions_now_ns();
	return ctd_rdpmc_begin(group, &entry->region);
}

/* A pass ends, and readers see it. @return as ctd_rdpmc_end(). */
static inline int ctd_regions_end(struct ctd_rdpmc_group *group, struct ctd_regions_entry *entry)
{
	uint64_t measured = entry->region.measured;
	int error = ctd_rdpmc_end(group, &entry->region);

	/* Lost at its begin, it has no end in rdpmc.h; it took its time all the same. */
	if (!entry->begun_ns)
		return error;
	*(entry->region.measured > measured ? &entry->measured_ns : &entry->lost_ns) +=
		ctd_regions_now_ns() - entry->begun_ns;
	entry->begun_ns = 0;
	ctd_regions_publish(entry);
	return error;
}

/* The thread is done with the region: its totals stay, and another thread may go on with them. */
static inline void ctd_regions_leave(struct ctd_regions_entry *entry)
{
	if (entry->record && *entry->here)
		__atomic_store_n(&entry->record->state, CTD_REGIONS_LEFT, __ATOMIC_RELEASE);
	entry->record = NULL;
}

#endif
