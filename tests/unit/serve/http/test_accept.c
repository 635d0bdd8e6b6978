/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_accept.c - clients that name OpenMetrics or gzip get it, others what all understand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "serve/http/accept.h"

#define OM true
#define TEXT false

static const struct {
	int line;
	const char *accept;
	bool wanted;
} texts[] = {
	{__LINE__, NULL, TEXT},
	{__LINE__, "", TEXT},
	{__LINE__, "*/*", TEXT},
	/* Prometheus 2.42. */
	{__LINE__,
	 "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
	 "text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
	 OM},
	/* 2.53 with native histograms, and 3.5. */
	{__LINE__,
	 "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;"
	 "q=0.5,application/openmetrics-text;version=1.0.0;q=0.4,"
	 "application/openmetrics-text;version=0.0.1;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1",
	 OM},
	{__LINE__,
	 "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
	 "application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;"
	 "escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
	 OM},
	/* VictoriaMetrics, curl, a browser. */
	{__LINE__, "text/plain;version=0.0.4;q=1,*/*;q=0.1", TEXT},
	{__LINE__, "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", TEXT},
	/* As it pleases, where allowed. */
	{__LINE__, "Application/OpenMetrics-Text", OM},
	{__LINE__, " application/openmetrics-text ; Version=\"1.0.0\" ; Q=0.5 ", OM},
	{__LINE__, "application/openmetrics-text, text/plain", OM},
	{__LINE__, "application/openmetrics-text;q=0.001", OM},
	{__LINE__, "text/plain;q=0.2,application/openmetrics-text;q=0.199", TEXT},
	/* The closest range decides what plain text is worth. */
	{__LINE__, "*/*,text/plain;q=0.1,application/openmetrics-text;q=0.5", OM},
	{__LINE__, "text/*;q=0.9,*/*;q=0.1,application/openmetrics-text;q=0.5", TEXT},
	{__LINE__, "text/plain;version=1.0.0,application/openmetrics-text;q=0.5", OM},
	/* Other versions, or not at all. */
	{__LINE__, "application/openmetrics-text;version=0.0.1", TEXT},
	{__LINE__, "application/openmetrics-text;version=2.0.0", TEXT},
	{__LINE__, "application/openmetrics-text;q=0", TEXT},
	{__LINE__, "application/openmetrics-text;q=0.000", TEXT},
	{__LINE__, "application/*", TEXT},
	/* Hostile ones. */
	{__LINE__, ",,;;==,;q=,", TEXT},
	{__LINE__, "application/openmetrics-text;q=2", TEXT},
	{__LINE__, "application/openmetrics-text;q=1.5", TEXT},
	{__LINE__, "application/openmetrics-text;q=0.1234", TEXT},
	{__LINE__, "application/openmetrics-text;q=-1", TEXT},
	{__LINE__, "application/openmetrics-text;q=1e3", TEXT},
	{__LINE__, "application/openmetrics-text;q=0.9 9", TEXT},
	{__LINE__, "application/openmetrics-text;q", TEXT},
	{__LINE__, "application/openmetrics-textual", TEXT},
	{__LINE__, "xapplication/openmetrics-text", TEXT},
	{__LINE__, "text/plain;x=\"application/openmetrics-text,\"", TEXT},
	{__LINE__, "text/plain;x=\",application/openmetrics-text", TEXT},
	{__LINE__, "text/plain;q=0.1;x=\"\\\",\",application/openmetrics-text", OM},
	{__LINE__, "\xff\xfe\x01,application/openmetrics-text", OM},
};

static void the_header_decides(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		if (ctd_accepts_openmetrics(texts[i].accept) != texts[i].wanted)
			fail_msg("line %d: %s", texts[i].line, texts[i].accept);
	}
}

static void gzip_is_for_clients_that_do_not_like_it_less(void **state)
{
	static const struct {
		int line;
		const char *header;
		int gzip;
	} cases[] = {
		{__LINE__, NULL, 0},
		{__LINE__, "", 0},
		{__LINE__, "gzip", 1},
		{__LINE__, "GZip", 1},
		{__LINE__, "x-gzip", 1},
		{__LINE__, "gzip, deflate, br, zstd", 1},
		{__LINE__, "deflate,gzip;q=1.0, *;q=0.5", 1},
		{__LINE__, "br ;q=1 , gzip ; q=0.5", 1},
		{__LINE__, "gzip;q=0", 0},
		{__LINE__, "gzip;q=0.000", 0},
		{__LINE__, "gzip; q=0.001", 1},
		{__LINE__, "*", 1},
		{__LINE__, "*;q=0", 0},
		{__LINE__, "gzip;q=0, *", 0},
		{__LINE__, "identity", 0},
		{__LINE__, "identity;q=1, gzip;q=0.5", 0},
		{__LINE__, "gzip;q=0.5, identity;q=0.25", 1},
		{__LINE__, "identity;q=0, *", 1},
		{__LINE__, "gzipped", 0},
		{__LINE__, "gz", 0},
		{__LINE__, " , ,gzip", 1},
		{__LINE__, ",,,", 0},
		{__LINE__, ";q=1", 0},
		{__LINE__, "gzip;q=", 0},
		{__LINE__, "gzip;q=0.9999999999", 0},
		{__LINE__, "gzip;q=0.0000000001", 0},
		{__LINE__, "\x80\xff;q=\x01", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (ctd_accepts_gzip(cases[i].header) != cases[i].gzip)
			fail_msg("line %d: not as wanted", cases[i].line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_header_decides),
		cmocka_unit_test(gzip_is_for_clients_that_do_not_like_it_less),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
