/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_config.c - options from a file: good and bad ones, what is shown, what has changed. */
#include "app/options/config.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/auto.h"
#include "unit/pmu/capture.h"

/* A file that can be written anew, as an administrator does. */
struct file {
	int fd;
	char path[32];
};

static void write_file(struct file *file, const char *text)
{
	if (file->fd < 0) {
		file->fd = memfd_create("config", MFD_CLOEXEC);
		snprintf(file->path, sizeof(file->path), "/proc/self/fd/%d", file->fd);
	}
	assert_int_equal(ftruncate(file->fd, 0), 0);
	assert_int_equal(pwrite(file->fd, text, strlen(text), 0), strlen(text));
}

/* `serve --config FILE` and further arguments. What is said goes to *ret_said. */
static int parse(struct file *file, const char *const *further, struct ctd_options *ret_options,
		 struct capture *capture, const char **ret_said)
{
	static char *argv[16];
	int argc = 0, error;

	argv[argc++] = "cgtopdown";
	argv[argc++] = "serve";
	argv[argc++] = "--config";
	argv[argc++] = file->path;
	while (further && *further)
		argv[argc++] = (char *)*further++;
	argv[argc] = NULL;
	capture_begin(capture);
	error = ctd_options_parse(argc, argv, ret_options);
	*ret_said = capture_end(capture);
	return error;
}

static struct ctd_options parse_good(struct file *file, const char *const *further)
{
	struct capture capture;
	struct ctd_options options;
	const char *said;

	if (parse(file, further, &options, &capture, &said))
		fail_msg("refused: %s", said);
	assert_string_equal(said, "");
	return options;
}

static void a_file_sets_options_and_the_command_line_overrides_it(void **state)
{
	static const char *const further[] = {"--level", "1", "--pod-label", "b", NULL};
	struct file file = {.fd = -1};
	struct ctd_options options;

	(void)state;
	write_file(&file, "interval: 0.5\nlevel: 2\nsource: sim:FILE\nno-pin: true\n"
			  "listen: \"[::]:1\"\npod-label: [a, c]\notlp-header:\n- A=b c\n"
			  "kubelet-insecure: false\nread: each\nmax-slice: 20ms\nverbose: 2\n");
	options = parse_good(&file, further);
	assert_int_equal(options.interval_ns, 500000000);
	assert_int_equal(options.level, 1);
	assert_string_equal(options.source, "sim");
	assert_string_equal(options.profile_file, "FILE");
	assert_true(options.no_pin && options.read_each && !options.serve.kubelet_insecure);
	assert_string_equal(options.serve.listen, "[::]:1");
	assert_int_equal(options.serve.pod_labels.count, 1);
	assert_string_equal(options.serve.pod_labels.text[0], "b");
	assert_int_equal(options.serve.otlp_headers.count, 1);
	assert_string_equal(options.serve.otlp_headers.text[0], "A=b c");
	assert_int_equal(options.max_slice_ns, 20000000);
	assert_int_equal(options.verbose, 2);
	/* What neither says is as ever. */
	assert_int_equal(options.serve.accounts_max, 2000);
	ctd_options_free(&options);
	close(file.fd);
}

static void all_that_is_wrong_with_a_file_is_told(void **state)
{
	static const struct {
		int line;
		const char *text, *wanted[4];
	} cases[] = {
		{__LINE__,
		 "intervall: 5\nlevel: 7\nlevel-2: 1\ninterval: [5]\n",
		 {":1: key 'intervall' is not known; did you mean 'interval'?\n",
		  ":2: key 'level' wants 1, 2, 3, 4, 5 or 6, not '7'\n",
		  ":3: key 'level-2' is not known",
		  ":4: key 'interval' takes one value, not a list\n"}},
		{__LINE__,
		 "no-pin: yes\nverbose: -1\nlisten: 9753\npod-label: ['']\n",
		 {":1: key 'no-pin' wants true or false, not 'yes'\n",
		  ":2: key 'verbose' wants a number between 0 and 9, not '-1'\n",
		  ":3: key 'listen' wants an address and a port",
		  ":4: key 'pod-label' wants the name of a label"}},
		{__LINE__,
		 "config: x\ncheck-config: true\nhelp: true\ntop: 5\n",
		 {":1: key 'config' is not known here: it is for the command line only\n",
		  ":2: key 'check-config' is not known here", ":3: key 'help' is not known\n",
		  ":4: key 'top' is not known\n"}},
		{__LINE__,
		 "interval:\nlevel: 1\nlevel: 2\n\tsource: sim\n",
		 {":4: a tab is in front of it; YAML takes blanks only\n"}},
		{__LINE__,
		 "interval:\nsource: ''\n",
		 {":1: key 'interval' wants seconds between 0.01 and 86400, not ''\n",
		  ":2: key 'source' wants auto"}},
		{__LINE__, "level: 1\nlevel: 2\n", {":2: key 'level' comes twice"}},
		{__LINE__, "tls-cert: x\n", {"--tls-cert and --tls-key go together"}},
		{__LINE__,
		 "pod-label: [a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a]\n",
		 {":1: key 'pod-label' takes 32 values at most\n"}},
	};
	struct file file = {.fd = -1};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_options options = {.source = "untouched"};
		struct capture capture;
		const char *said;
		int error;

		write_file(&file, cases[i].text);
		error = parse(&file, NULL, &options, &capture, &said);
		if (error != -EINVAL || strcmp(options.source, "untouched") != 0)
			fail_msg("line %d: %d", cases[i].line, error);
		for (size_t j = 0; j < 4 && cases[i].wanted[j]; j++)
			if (!strstr(said, cases[i].wanted[j]))
				fail_msg("line %d: no '%s' in\n%s", cases[i].line,
					 cases[i].wanted[j], said);
	}
	close(file.fd);
}

static void a_file_that_is_not_there_or_too_big_is_told(void **state)
{
	struct file missing = {.path = "/no/such/file"}, big = {.fd = -1};
	struct ctd_options options;
	struct capture capture;
	const char *said;

	(void)state;
	assert_int_equal(parse(&missing, NULL, &options, &capture, &said), -EINVAL);
	assert_non_null(strstr(said, "'/no/such/file': No such file or directory"));
	write_file(&big, "");
	assert_int_equal(ftruncate(big.fd, 300 << 10), 0);
	assert_int_equal(parse(&big, NULL, &options, &capture, &said), -EINVAL);
	assert_non_null(strstr(said, "more than 256 KB"));
	close(big.fd);
}

/* What `--check-config` prints, the caller's. */
static char *show(const struct ctd_options *options)
{
	struct capture capture;
	char *text;
	int status;

	capture_begin_on(&capture, stdout);
	status = ctd_config_show(options);
	text = capture_take(&capture);
	assert_true(*text);
	assert_int_equal(status, 0);
	return text;
}

static bool is_same(const struct ctd_options *a, const struct ctd_options *b)
{
	auto_ctd_strbuf struct ctd_strbuf changes = {0};

	ctd_config_add_changes(a, b, &changes);
	return !changes.bytes;
}

static void what_is_shown_is_a_file_that_says_the_same(void **state)
{
	static const char *const texts[] = {
		"",
		"interval: 0.0125\nlevel: 2\nsource: \"sim:a b\"\nread: each\nno-pin: true\n"
		"cpus: 0-3,8\nhierarchy: cpu\nmax-slice: 0\nrows: 7\nbudget: 0.125%\nlisten: \"off\"\n"
		"tls-cert: c\ntls-key: k\nbearer-token-file: \"a\\\"b\\\\c\\n\"\naccounts-max: 1\n"
		"linger: 1.5\nneighbours: true\nkubernetes-events: true\nsample-period: 2.5\nno-created: true\nwait-histogram: true\npairs-max: 3\notlp: http://x\notlp-interval: 2\notlp-ca: y\ncluster-name: z\n"
		"node-name: n\nkubelet: https://[::1]:1\nkubelet-ca: a\nkubelet-token-file: b\n"
		"kubelet-insecure: true\npod-label: [a, \"b: c\", \"*\"]\nhost-root: /host\n"
		"root: /\nverbose: 1\n",
		"budget: 1%\n",
		"budget: 0.0001%\n",
		"budget: 12.3450%\n",
		"max-slice: 1.5\nsource: none\npod-label: x\n",
	};
	struct file file = {.fd = -1};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		autofree char *shown = NULL;
		struct ctd_options first, second;

		write_file(&file, texts[i]);
		first = parse_good(&file, NULL);
		shown = show(&first);
		assert_non_null(strstr(shown, " is fine."));
		write_file(&file, shown);
		second = parse_good(&file, NULL);
		if (!is_same(&first, &second))
			fail_msg("not the same:\n%s", shown);
		ctd_options_free(&first);
		ctd_options_free(&second);
	}
	close(file.fd);
}

static void secrets_are_not_shown(void **state)
{
	struct file file = {.fd = -1};
	struct ctd_options options;
	autofree char *shown = NULL;

	(void)state;
	write_file(&file, "otlp-header: [\"Authorization=Bearer hush\"]\n");
	options = parse_good(&file, NULL);
	shown = show(&options);
	assert_null(strstr(shown, "hush"));
	assert_non_null(strstr(shown, "otlp-header:\n- \"Authorization=\" # and its value\n"));
	ctd_options_free(&options);
	close(file.fd);
}

static void what_has_changed_in_the_file_takes_a_restart(void **state)
{
	static const char *const further[] = {"--linger", "7", NULL};
	struct file file = {.fd = -1};
	struct ctd_options options;
	struct capture capture;
	const char *said;

	(void)state;
	write_file(&file, "interval: 2\notlp: http://a\notlp-header: [A=secret]\n");
	options = parse_good(&file, further);
	capture_begin(&capture);
	assert_int_equal(ctd_config_look(&options), 0);
	assert_string_equal(capture_end(&capture), "");
	/* What the command line says is as it was. */
	write_file(&file, "interval: 3\notlp: http://a\nlinger: 9\notlp-header: [A=hush]\n");
	capture_begin(&capture);
	assert_int_equal(ctd_config_look(&options), 0);
	said = capture_end(&capture);
	assert_non_null(
		strstr(said, "has changed, which takes a restart: interval, otlp-header\n"));
	assert_null(strstr(said, "hush"));
	assert_int_equal(options.interval_ns, 2000000000);

	write_file(&file, "otlp: nowhere\n");
	capture_begin(&capture);
	assert_int_equal(ctd_config_look(&options), -EINVAL);
	said = capture_end(&capture);
	assert_non_null(strstr(said, ":1: key 'otlp' wants"));
	assert_non_null(strstr(said, "what was read at the start stays in use\n"));
	ctd_options_free(&options);
	close(file.fd);
}

/* As --config <(...) of a shell, or /dev/stdin. */
static void a_pipe_is_read_at_the_start_only(void **state)
{
	static const char text[] = "interval: 2\n";
	struct file file = {.fd = -1};
	struct ctd_options options;
	struct capture capture;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	snprintf(file.path, sizeof(file.path), "/dev/fd/%d", ends[0]);
	assert_int_equal(write(ends[1], text, strlen(text)), strlen(text));
	close(ends[1]);
	options = parse_good(&file, NULL);
	assert_int_equal(options.interval_ns, 2000000000);
	capture_begin(&capture);
	assert_int_equal(ctd_config_look(&options), 0);
	assert_string_equal(capture_end(&capture), "");
	ctd_options_free(&options);
	close(ends[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_sets_options_and_the_command_line_overrides_it),
		cmocka_unit_test(all_that_is_wrong_with_a_file_is_told),
		cmocka_unit_test(a_file_that_is_not_there_or_too_big_is_told),
		cmocka_unit_test(what_is_shown_is_a_file_that_says_the_same),
		cmocka_unit_test(secrets_are_not_shown),
		cmocka_unit_test(what_has_changed_in_the_file_takes_a_restart),
		cmocka_unit_test(a_pipe_is_read_at_the_start_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
