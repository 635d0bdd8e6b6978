/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* otlp.c - what a push of so many containers costs, before it is on its way. */
#include <stdlib.h>
#include <time.h>
#include <zlib.h>

#include "base/strbuf.h"
#include "otlp/view.h"
#include "serve/push/encode.h"

#define ROUNDS 21

static double cpu_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* The median of what rounds took. */
static double median(double *times)
{
	qsort(times, ROUNDS, sizeof(*times), compare);
	return times[ROUNDS / 2];
}

static size_t export_all(const struct ctd_ledger_view *view, const struct ctd_self *self,
			 const struct ctd_otlp_resource *place)
{
	struct ctd_strbuf message = {0};
	size_t bytes;

	ctd_export_otlp(view, self, place, 0, SIZE_MAX, &message);
	bytes = message.bytes;
	ctd_strbuf_free(&message);
	return bytes;
}

static size_t encode_all(const struct ctd_ledger_view *view, const struct ctd_self *self,
			 const struct ctd_otlp_resource *place, unsigned int *ret_requests)
{
	size_t first = 0, bytes = 0;

	for (*ret_requests = 0; first < view->accounts_count; ++*ret_requests) {
		struct ctd_push_request *request;

		if (ctd_push_encode(view, self, place, 1 << 20, &first, &request) < 0)
			exit(1);
		bytes += request->bytes;
		ctd_push_request_free(request);
	}
	return bytes;
}

int main(int count, char **arguments)
{
	const struct ctd_self self = {.version = CTD_VERSION};
	const struct ctd_otlp_resource place = {
		.host_name = "host-1", .node_name = "node-1", .cluster_name = "cluster-1"};
	size_t containers = count > 1 ? strtoul(arguments[1], NULL, 10) : 1000;
	struct made_view *made = make_node_view(86400, containers);
	double export_ms[ROUNDS], encode_ms[ROUNDS];
	size_t plain_bytes = 0, bytes = 0;
	unsigned int requests = 0;

	for (int i = 0; i < ROUNDS; i++) {
		double begin_ms = cpu_ms();

		plain_bytes = export_all(&made->view, &self, &place);
		export_ms[i] = cpu_ms() - begin_ms;
		begin_ms = cpu_ms();
		bytes = encode_all(&made->view, &self, &place, &requests);
		encode_ms[i] = cpu_ms() - begin_ms;
	}
	printf("containers %zu\nbytes %zu\ngzip_bytes %zu\nrequests %u\nexport_ms %.2f\n"
	       "export_and_gzip_ms %.2f\n",
	       containers, plain_bytes, bytes, requests, median(export_ms), median(encode_ms));
	free_view(made);
	return 0;
}
