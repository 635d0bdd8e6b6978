/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sim_profiles.c - reads the profiles that --source sim derives slots from. */
#include <cgtopdown/counters.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROFILES_MAX 4096
#define WHY_BYTES 128
#define PER_CENT (CTD_SIM_PARTS_WHOLE / 100) /* three decimals are exact */

/* Indices in the sim model's events: slots, then four of each level, a child 4 after its parent. */
enum { SLOTS = 0, LEVEL1 = 1, LEVEL2 = 5, COUNTERS = 9 };

static const char *const counter_names[COUNTERS] = {
	"slots",     "retiring",      "bad_spec",  "frontend",	"backend",
	"heavy_ops", "br_mispredict", "fetch_lat", "mem_bound",
};

/* One line, from `at` to `end`, without its newline. */
struct line {
	const char *at, *end;
	char *why; /* WHY_BYTES */
};

__attribute__((format(printf, 2, 3))) static int refuse(struct line *line, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line->why, WHY_BYTES, format, arguments);
	va_end(arguments);
	return -EINVAL;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(struct line *line)
{
	while (line->at < line->end && is_blank(*line->at))
		line->at++;
}

/* Only blanks, or a comment, are left. */
static bool at_end(struct line *line)
{
	skip_blanks(line);
	return line->at == line->end || *line->at == '#';
}

/* A word up to the next blank, or anything in double quotes. */
static int parse_comm(struct line *line, char *ret_comm)
{
	bool quoted = *line->at == '"';
	const char *first = line->at + quoted;
	const char *last = first;

	while (last < line->end && (quoted ? *last != '"' : !is_blank(*last))) {
		if ((unsigned char)*last < ' ' || *last == 0x7f)
			return refuse(line, "a command name has no control characters.");
		last++;
	}
	if (quoted && last == line->end)
		return refuse(line, "the closing quote of the command name is missing.");
	if (last == first || last - first >= CTD_COMM_BYTES)
		return refuse(line, "a command name has 1 to %d bytes.", CTD_COMM_BYTES - 1);
	memset(ret_comm, 0, CTD_COMM_BYTES);
	memcpy(ret_comm, first, (size_t)(last - first));
	line->at = last + quoted;
	if (quoted && line->at < line->end && !is_blank(*line->at))
		return refuse(line, "a blank must follow the quoted command name.");
	return 0;
}

static bool is_digit(const struct line *line)
{
	return line->at < line->end && *line->at >= '0' && *line->at <= '9';
}

/* A number of per cent, at most 100 and with at most three decimals, as parts. */
static int parse_parts(struct line *line, int counter, uint32_t *ret_parts)
{
	uint32_t parts = 0, unit = PER_CENT;

	if (at_end(line) || !is_digit(line))
		return refuse(line, "a number of per cent is expected for %s.",
			      counter_names[counter]);
	for (; is_digit(line); line->at++) {
		parts = parts * 10 + (uint32_t)(*line->at - '0') * PER_CENT;
		if (parts > CTD_SIM_PARTS_WHOLE)
			return refuse(line, "%s is more than 100 per cent.",
				      counter_names[counter]);
	}
	if (line->at < line->end && *line->at == '.') {
		line->at++;
		if (!is_digit(line))
			return refuse(line, "a digit must follow the point of %s.",
				      counter_names[counter]);
		for (; is_digit(line); line->at++) {
			unit /= 10;
			if (!unit)
				return refuse(line, "%s has more than three decimals.",
					      counter_names[counter]);
			parts += (uint32_t)(*line->at - '0') * unit;
		}
	}
	if (line->at < line->end && !is_blank(*line->at) && *line->at != '/' && *line->at != '#')
		return refuse(line, "%s is not a plain number of per cent.",
			      counter_names[counter]);
	*ret_parts = parts;
	return 0;
}

/* @p line is past the blanks before the command name. */
static int parse_line(struct line *line, struct ctd_sim_entry *ret_entry)
{
	struct ctd_sim_entry entry = {0};
	uint32_t *parts = entry.profile.parts;
	uint32_t sum = 0;
	int err = parse_comm(line, entry.comm);

	parts[SLOTS] = CTD_SIM_PARTS_WHOLE;
	for (int i = LEVEL1; i < LEVEL2 && !err; i++) {
		err = parse_parts(line, i, &parts[i]);
		sum += parts[i];
	}
	if (err)
		return err;
	if (sum != CTD_SIM_PARTS_WHOLE)
		return refuse(
			line,
			"retiring, bad_spec, frontend and backend add up to %u.%03u, not 100.",
			sum / PER_CENT, sum % PER_CENT);
	if (!at_end(line) && *line->at == '/') {
		line->at++;
		for (int i = LEVEL2; i < COUNTERS; i++) {
			err = parse_parts(line, i, &parts[i]);
			if (err)
				return err;
			if (parts[i] > parts[i - 4])
				return refuse(line, "%s is more than its parent %s.",
					      counter_names[i], counter_names[i - 4]);
		}
	}
	if (!at_end(line))
		return refuse(line, "there is more than the numbers of one profile.");
	*ret_entry = entry;
	return 0;
}

static int add(struct line *line, struct ctd_sim_profiles *profiles,
	       const struct ctd_sim_entry *entry)
{
	for (size_t i = 0; i < profiles->count; i++) {
		if (strcmp(profiles->entries[i].comm, entry->comm) == 0)
			return refuse(line, "there is a profile for '%s' already.", entry->comm);
	}
	if (profiles->count == PROFILES_MAX)
		return refuse(line, "there are more than %d profiles.", PROFILES_MAX);
	/* Full at every power of two: then the room doubles. */
	if ((profiles->count & (profiles->count - 1)) == 0) {
		size_t capacity = profiles->count ? 2 * profiles->count : 1;
		struct ctd_sim_entry *grown =
			realloc(profiles->entries, capacity * sizeof(*profiles->entries));

		if (!grown) {
			refuse(line, "out of memory.");
			return -ENOMEM;
		}
		profiles->entries = grown;
	}
	profiles->entries[profiles->count++] = *entry;
	return 0;
}

int ctd_sim_profiles_parse(const char *text, size_t bytes, struct ctd_sim_profiles *ret_profiles,
			   int *ret_line, char ret_why[128])
{
	struct ctd_sim_profiles profiles = {0};
	const char *end = text + bytes;
	int number = 1;

	for (const char *at = text; at < end; number++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		struct line line = {at, newline ? newline : end, ret_why};

		at = newline ? newline + 1 : end;
		if (!at_end(&line)) {
			struct ctd_sim_entry entry;
			int err = parse_line(&line, &entry);

			if (!err)
				err = add(&line, &profiles, &entry);
			if (err) {
				*ret_line = number;
				ctd_sim_profiles_free(&profiles);
				return err;
			}
		}
	}
	*ret_profiles = profiles;
	return 0;
}

void ctd_sim_profiles_free(struct ctd_sim_profiles *profiles)
{
	if (!profiles)
		return;
	free(profiles->entries);
	*profiles = (struct ctd_sim_profiles){0};
}

/* Invented figures of a plausible kind: that programs differ is the point, not by how much. */
const char *ctd_sim_default_text(void)
{
	return "#comm             retiring bad_spec frontend backend / heavy_ops br_mispredict fetch_lat mem_bound\n"
	       "<idle>            20    5    45    30   /  6    3    30   18\n"
	       "<other>           30    8    27    35   /  5    7    17   20\n"
	       "\n"
	       "demo-memory        8    1     3    88   /  0.5  0.5   2   80\n"
	       "demo-branch       28   45    17    10   /  2   43    12    3\n"
	       "demo-frontend     25    5    60    10   /  3    4    48    3\n"
	       "demo-compute      80    2     6    12   / 10    1     3    2\n"
	       "\n"
	       "stress-ng         35    6    25    34   /  4    5    15   18\n"
	       "stress-ng-cpu     62    5    10    23   /  8    4     6    5\n"
	       "stress-ng-vm      22    2     5    71   /  3    1     3   60\n"
	       "stress-ng-memcp   12    1     2    85   /  4    0.5   1   78\n"
	       "stress-ng-strea    9    0.5   1.5  89   /  1    0.3   1   84\n"
	       "stress-ng-cache   11    2     4    83   /  1    1.5   2   75\n"
	       "stress-ng-matri   45    1     4    50   /  3    0.6   2   38\n"
	       "stress-ng-branc   20   38    32    10   /  1   36    26    3\n"
	       "stress-ng-icach   10    4    76    10   /  1    3    70    4\n"
	       "stress-ng-qsort   30   34    16    20   /  2   33    11   10\n"
	       "stress-ng-switc   20    6    44    30   /  6    5    32   16\n"
	       "stress-ng-pipe    24    5    38    33   /  7    4    27   17\n"
	       "sysbench          52    6    17    25   /  5    5    11   12\n"
	       "\n"
	       "redis-server      28    7    38    27   /  4    6    27   15\n"
	       "nginx             26    6    42    26   /  5    5    31   14\n"
	       "memcached         22    5    36    37   /  4    4    26   25\n"
	       "postgres          27    7    37    29   /  4    6    26   19\n"
	       "mysqld            24    7    40    29   /  4    6    29   19\n"
	       "java              32    9    30    29   /  4    8    20   18\n"
	       "node              31   10    34    25   /  4    9    23   14\n"
	       "python3           38   12    28    22   /  4   11    18   11\n"
	       "perl              36   13    29    22   /  4   12    19   11\n"
	       "bash              25    9    45    21   /  4    8    33   11\n"
	       "sh                24    8    47    21   /  4    7    35   11\n"
	       "gcc               24   12    38    26   /  3   11    26   14\n"
	       "cc1               26   13    36    25   /  3   12    25   14\n"
	       "cc1plus           25   12    39    24   /  3   11    28   14\n"
	       "clang             25   10    43    22   /  3    9    32   13\n"
	       "as                29   11    35    25   /  3   10    24   15\n"
	       "ld                22    8    28    42   /  3    7    19   31\n"
	       "make              24    9    44    23   /  4    8    33   12\n"
	       "git               34   12    21    33   /  3   11    13   23\n"
	       "tar               36    6    22    36   /  6    5    14   26\n"
	       "gzip              48   18    10    24   /  3   17     6   10\n"
	       "xz                30   17     8    45   /  2   16     5   34\n"
	       "zstd              50   13    11    26   /  3   12     6   15\n"
	       "openssl           82    1     4    13   /  9    0.5   2    2\n"
	       "dd                18    2    16    64   /  9    1.5  11   52\n"
	       "perf              33    8    30    29   /  5    7    20   16\n"
	       "cgtopdown         33    8    31    28   /  5    7    21   15\n"
	       "sshd              40    5    32    23   /  6    4    22   11\n"
	       "systemd           27    8    42    23   /  4    7    31   13\n"
	       "containerd        27    7    40    26   /  4    6    29   15\n"
	       "kubelet           28    7    39    26   /  4    6    28   15\n";
}
