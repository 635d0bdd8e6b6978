/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ask_kubelet.c - runs the kubelet's client, and does what lines on stdin say. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/num.h"
#include "identity/kubelet/kubelet.h"

/* usage: ask_kubelet URL [ca=FILE] [token=FILE] [insecure] [refresh=MS] [timeout=MS] [label=GLOB]
 *
 *	find CONTAINER POD	what is known of them, "-" for none
 *	list SECONDS		waits for a list that is newer than the last one that was waited for
 *	failure SECONDS [TEXT]	waits until it says that it fails, for a reason that has the text
 *	counts			requests, errors, and whether it is up
 *
 * What the client has to say comes in between. At the end of stdin the client is ended, and how
 *long that took is told. */

#define LABELS_MAX 8

/* What it said when it failed last; by the lock of stdout. */
static char last_failure[512];

static void say(bool up, const char *line, void *context)
{
	(void)context;
	flockfile(stdout);
	if (!up)
		snprintf(last_failure, sizeof(last_failure), "%s", line);
	printf("%s %s\n", up ? "up:" : "down:", line);
	fflush(stdout);
	funlockfile(stdout);
}

static const char *or_dash(const char *text)
{
	return text ? text : "-";
}

static void find(struct ctd_kubelet *kubelet, const char *container, const char *pod)
{
	struct ctd_names names = {0};
	enum ctd_qos qos = CTD_QOS_UNKNOWN;
	int found = ctd_kubelet_find(kubelet, strcmp(container, "-") == 0 ? "" : container,
				     strcmp(pod, "-") == 0 ? "" : pod, &names, &qos);

	if (found < 0)
		printf("%s\n", found == -ENOENT ? "unknown" : strerror(-found));
	else
		printf("%s/%s/%s %s %s/%s labels=%zu\n", or_dash(names.namespace_name),
		       or_dash(names.pod_name), or_dash(names.container_name),
		       or_dash(ctd_qos_name(qos)), or_dash(names.owner_kind),
		       or_dash(names.owner_name), names.labels_count);
	ctd_names_free(&names);
}

static void wait_for_list(struct ctd_kubelet *kubelet, const char *seconds, unsigned int *seen)
{
	uint64_t end_ns, limit_ns = 0;

	ctd_parse_duration_ns(seconds, 0, 600ull * 1000000000, &limit_ns);
	end_ns = ctd_monotonic_ns() + limit_ns;
	while (ctd_kubelet_generation(kubelet) == *seen && ctd_monotonic_ns() < end_ns)
		usleep(5000);
	printf("%s\n", ctd_kubelet_generation(kubelet) == *seen ? "no list" : "list");
	*seen = ctd_kubelet_generation(kubelet);
}

static void print_counts(struct ctd_kubelet *kubelet)
{
	struct ctd_kubelet_counts counts = ctd_kubelet_counts(kubelet);

	printf("requests=%" PRIu64 " errors=%" PRIu64 " up=%d\n", counts.requests, counts.errors,
	       counts.up);
}

static bool has_failed(const char *text)
{
	bool failed;

	flockfile(stdout);
	failed = *last_failure && strstr(last_failure, text);
	funlockfile(stdout);
	return failed;
}

static void wait_for_failure(const char *seconds, const char *text)
{
	uint64_t end_ns, limit_ns = 0;

	ctd_parse_duration_ns(seconds, 0, 600ull * 1000000000, &limit_ns);
	end_ns = ctd_monotonic_ns() + limit_ns;
	while (!has_failed(text) && ctd_monotonic_ns() < end_ns)
		usleep(5000);
}

static void obey(struct ctd_kubelet *kubelet)
{
	char line[512], first[128], second[128];
	unsigned int seen = 0;
	int words;

	while (fgets(line, sizeof(line), stdin)) {
		if (sscanf(line, "find %127s %127s", first, second) == 2)
			find(kubelet, first, second);
		else if (sscanf(line, "list %127s", first) == 1)
			wait_for_list(kubelet, first, &seen);
		else if ((words = sscanf(line, "failure %127s %127s", first, second)) >= 1)
			wait_for_failure(first, words > 1 ? second : "");
		else if (strcmp(line, "counts\n") == 0)
			print_counts(kubelet);
		else
			printf("what is '%s'?\n", line);
		fflush(stdout);
	}
}

/* @return the rest of an argument that begins with @p name, or NULL. */
static const char *value_of(const char *argument, const char *name)
{
	size_t bytes = strlen(name);

	return strncmp(argument, name, bytes) == 0 ? argument + bytes : NULL;
}

int main(int argc, char **argv)
{
	const char *labels[LABELS_MAX];
	struct ctd_kubelet_options options = {.labels = {labels, 0}, .say = say};
	struct ctd_kubelet *kubelet;
	uint64_t began_ns;
	int error;

	if (argc < 2)
		return 2;
	options.url = argv[1];
	for (int i = 2; i < argc; i++) {
		const char *value;

		if ((value = value_of(argv[i], "ca=")))
			options.ca_file = value;
		else if ((value = value_of(argv[i], "token=")))
			options.token_file = value;
		else if ((value = value_of(argv[i], "refresh=")))
			options.refresh_ms = (uint32_t)strtoul(value, NULL, 10);
		else if ((value = value_of(argv[i], "timeout=")))
			options.timeout_ms = (uint32_t)strtoul(value, NULL, 10);
		else if ((value = value_of(argv[i], "label=")) && options.labels.count < LABELS_MAX)
			labels[options.labels.count++] = value;
		else if (strcmp(argv[i], "insecure") == 0)
			options.insecure = true;
		else
			return 2;
	}
	error = ctd_kubelet_new(&options, &kubelet);
	if (error)
		return ctd_log_error(error, "start the client") ? 1 : 0;
	obey(kubelet);
	began_ns = ctd_monotonic_ns();
	ctd_kubelet_free(kubelet);
	printf("ended in %" PRIu64 " ms\n", (ctd_monotonic_ns() - began_ns) / 1000000);
	return 0;
}
