/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* make_top_recording.c - writes a recording of made-up containers, always the same, to look at with
 * `cgtopdown top --input`. */
#include <cgtopdown/record.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "identity/lookup/pairs.h"

#define INTERVALS 90
#define CPUS 4
#define COUNTERS 9
#define SLOTS_PER_US 24000ull
#define BEGIN_NS 1772467440000000000ull /* 2026-03-02 16:04:00 UTC */

/* Per mille of slots: level 1, then the first part of each of its nodes. */
struct shares {
	unsigned int retiring, speculation, frontend, backend;
	unsigned int heavy, mispredicts, latency, memory;
};

static const struct shares web = {210, 60, 520, 210, 20, 50, 410, 120};
static const struct shares index_ = {190, 20, 60, 730, 30, 10, 40, 610};
static const struct shares batch = {280, 440, 170, 110, 30, 410, 120, 40};
static const struct shares video = {780, 20, 60, 140, 240, 10, 30, 60};
static const struct shares mixed = {350, 90, 260, 300, 60, 70, 160, 170};

/* CPU time rises from `least` to `most`, in per mille of a CPU, and falls again within `period`. */
struct member {
	const char *namespace_name, *pod, *container, *owner, *path;
	const struct shares *shares;
	unsigned int least, most, period;
};

#define POD(class, uid, id)                                                                    \
	"/kubepods.slice/kubepods-" class ".slice/kubepods-" class "-pod" uid                  \
								   ".slice/cri-containerd-" id \
								   ".scope"
#define ID(digits) digits digits digits digits digits digits digits digits

static const struct member members[] = {
	{"shop", "web-7d9c-x2v", "nginx", "web",
	 POD("burstable", "11111111_2222_3333_4444_555555555501", ID("a1b2c3d4")), &web, 300, 900,
	 24},
	{"shop", "web-7d9c-x2v", "sidecar", "web",
	 POD("burstable", "11111111_2222_3333_4444_555555555501", ID("a1b2c3d5")), &mixed, 10, 40,
	 9},
	{"shop", "web-7d9c-k8q", "nginx", "web",
	 POD("burstable", "11111111_2222_3333_4444_555555555502", ID("a1b2c3d6")), &web, 200, 700,
	 31},
	{"shop", "cart-0", "redis", "cart",
	 POD("burstable", "11111111_2222_3333_4444_555555555503", ID("b1b2c3d4")), &index_, 150,
	 420, 17},
	{"search", "index-1", "lucene", "index",
	 POD("burstable", "11111111_2222_3333_4444_555555555504", ID("c1b2c3d4")), &index_, 600,
	 620, 60},
	{"search", "index-0", "lucene", "index",
	 POD("burstable", "11111111_2222_3333_4444_555555555505", ID("c1b2c3d5")), &index_, 90, 610,
	 45},
	{"media", "transcode-4hx", "ffmpeg", "transcode",
	 POD("besteffort", "11111111_2222_3333_4444_555555555506", ID("d1b2c3d4")), &video, 0, 800,
	 50},
	{"media", "transcode-9zp", "日本語の名前", "transcode",
	 POD("besteffort", "11111111_2222_3333_4444_555555555507", ID("d1b2c3d5")), &video, 20, 90,
	 13},
	{"batch", "rank-\033[31m1", "שלום", "rank",
	 POD("besteffort", "11111111_2222_3333_4444_555555555508", ID("e1b2c3d4")), &batch, 120,
	 260, 22},
	{NULL, NULL, NULL, NULL, "/system.slice/sshd.service", &mixed, 1, 6, 7},
	{NULL, NULL, NULL, NULL, "/system.slice/containerd.service", &mixed, 12, 30, 19},
	{NULL, NULL, NULL, NULL, "/user.slice/user-1000.slice/session-3.scope", &mixed, 5, 60, 11},
};
#define MEMBERS (sizeof(members) / sizeof(members[0]))

struct recording {
	struct ctd_record_writer *writer;
	struct ctd_snapshot_row rows[MEMBERS + 2];
	struct ctd_snapshot_cpu cpus[CPUS];
};

static void check(int error, const char *what)
{
	if (!error)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(-error));
	exit(1);
}

static uint64_t id_of(size_t member)
{
	return 1000 + member;
}

/* @p pod: of its pod only. */
static void write_facts(struct recording *recording, const struct member *member, uint64_t id,
			bool pod)
{
	auto_ctd_strbuf struct ctd_strbuf pairs = {0};
	struct ctd_names names = {
		.namespace_name = (char *)member->namespace_name,
		.pod_name = (char *)member->pod,
		.container_name = pod ? NULL : (char *)member->container,
		.owner_kind = member->owner ? (char *)"Deployment" : NULL,
		.owner_name = (char *)member->owner,
		.image = member->owner && !pod ? (char *)"registry.example/app:1.4" : NULL,
	};

	ctd_names_to_pairs(&names, &pairs);
	if (pairs.bytes)
		check(ctd_record_write_facts(recording->writer,
					     &(struct ctd_record_facts){.cgroup_id = id,
									.pairs = pairs.text,
									.bytes = pairs.bytes}),
		      "facts");
}

/* Was it written with an earlier member? */
static bool is_known(const char *path, size_t members_count)
{
	size_t bytes = strlen(path);

	for (size_t i = 0; i < members_count; i++)
		if (strncmp(members[i].path, path, bytes) == 0 && members[i].path[bytes] == '/')
			return true;
	return false;
}

static void write_name(struct recording *recording, uint64_t id, const char *path)
{
	check(ctd_record_write_name(recording->writer,
				    &(struct ctd_record_name){.cgroup_id = id, .text = path}),
	      "name");
}

/* What is above a cgroup is there without a row, as on a machine. */
static void write_names(struct recording *recording)
{
	uint64_t id = 1;

	for (size_t i = 0; i < MEMBERS; i++) {
		char path[512];

		snprintf(path, sizeof(path), "%s", members[i].path);
		for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
			*slash = '\0';
			if (!is_known(path, i)) {
				write_name(recording, ++id, path);
				if (strstr(path, "-pod"))
					write_facts(recording, &members[i], id, true);
			}
			*slash = '/';
		}
		write_name(recording, id_of(i), members[i].path);
		write_facts(recording, &members[i], id_of(i), false);
	}
}

static void add_counts(struct recording *recording, size_t at, uint64_t cpu_us,
		       const struct shares *shares)
{
	struct ctd_snapshot_row *row = &recording->rows[at];
	struct ctd_snapshot_cpu *cpu = &recording->cpus[at % CPUS];
	uint64_t slots = cpu_us * SLOTS_PER_US;
	const uint64_t counts[COUNTERS] = {slots,
					   slots / 1000 * shares->retiring,
					   slots / 1000 * shares->speculation,
					   slots / 1000 * shares->frontend,
					   slots / 1000 * shares->backend,
					   slots / 1000 * shares->heavy,
					   slots / 1000 * shares->mispredicts,
					   slots / 1000 * shares->latency,
					   slots / 1000 * shares->memory};

	row->oncpu_ns += cpu_us * 1000;
	row->running_ns += cpu_us * 1000;
	row->slices += cpu_us / 900 + 1;
	row->switches += cpu_us / 800 + 1;
	cpu->health[CTD_HEALTH_SWITCHES] += cpu_us / 800 + 1;
	cpu->health[CTD_HEALTH_COST_NS] += 260;
	cpu->health[CTD_HEALTH_COST_SAMPLES]++;
	for (int i = 0; i < COUNTERS; i++) {
		row->count[i] += counts[i];
		cpu->total[i] += counts[i];
		cpu->attributed[i] += counts[i];
	}
}

/* A triangle, with a tooth so that it does not look like one. */
static uint64_t cpu_us_of(const struct member *member, unsigned int second)
{
	unsigned int phase = second % member->period, half = member->period / 2 + 1;
	unsigned int height = phase < half ? phase : member->period - phase;
	unsigned int tooth = (second * 7 + member->period) % 5;

	return 1000ull * (member->least + (member->most - member->least) * height / half) +
	       20ull * tooth * member->least;
}

static void pass(struct recording *recording, unsigned int second)
{
	static const struct shares idle = {200, 50, 450, 300, 10, 30, 300, 150};
	uint64_t busy_us = 0;

	for (size_t i = 0; i < MEMBERS; i++) {
		uint64_t cpu_us = cpu_us_of(&members[i], second);

		busy_us += cpu_us;
		add_counts(recording, i, cpu_us, members[i].shares);
	}
	add_counts(recording, MEMBERS + 1, 35000, &mixed);
	busy_us += 35000;
	add_counts(recording, MEMBERS, CPUS * 1000000ull - busy_us, &idle);
}

static void write_snapshot(struct recording *recording, unsigned int second)
{
	struct ctd_snapshot snapshot = {
		.sequence = second + 1,
		.realtime_ns = BEGIN_NS + second * 1000000000ull,
		.monotonic_ns = (second + 1) * 1000000000ull,
		.counters_count = COUNTERS,
		.groups_count = 1,
		.rows = recording->rows,
		.rows_count = MEMBERS + 2,
		.cpus = recording->cpus,
		.cpus_count = CPUS,
	};

	check(ctd_record_write_snapshot(recording->writer, &snapshot), "snapshot");
}

int main(int argc, char **argv)
{
	static const struct ctd_record_header header = {
		.host = "node-1",
		.version = "test",
		.hierarchy = "v2",
		.source = "sim",
		.model = "sim",
		.simulated = 1,
		.counters_count = COUNTERS,
		.groups_count = 1,
		.read = CTD_READ_SIM,
	};
	static struct recording recording;

	if (argc != 2) {
		fprintf(stderr, "usage: %s FILE\n", argv[0]);
		return 2;
	}
	check(ctd_record_create(argv[1], &header, &recording.writer), argv[1]);
	for (size_t i = 0; i < MEMBERS; i++)
		recording.rows[i] =
			(struct ctd_snapshot_row){.cgroup_id = id_of(i), .kind = CTD_ROW_CGROUP};
	recording.rows[MEMBERS].kind = CTD_ROW_IDLE;
	recording.rows[MEMBERS + 1].kind = CTD_ROW_KERNEL;
	for (unsigned int i = 0; i < CPUS; i++)
		recording.cpus[i] = (struct ctd_snapshot_cpu){.cpu = i, .online = 1, .flushed = 1};
	write_names(&recording);
	write_snapshot(&recording, 0);
	for (unsigned int second = 1; second <= INTERVALS; second++) {
		pass(&recording, second);
		write_snapshot(&recording, second);
	}
	check(ctd_record_close(recording.writer), "close");
	return 0;
}
