/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* unit_main.c - runs all unit test files of a folder, or the one that it is called by. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The build defines UNIT_FILES as X(test_one) X(test_two) ... */
#define X(name) int name(void);
UNIT_FILES
#undef X

static const struct {
	const char *name;
	int (*main)(void);
} files[] = {
#define X(name) {#name, name},
	UNIT_FILES
#undef X
};

#define FILES_COUNT (sizeof(files) / sizeof(files[0]))

/* Each in a process of its own, so that a crash ends one file only. */
static int run_file(size_t i)
{
	int status;
	pid_t child;

	printf("# file %s\n", files[i].name);
	fflush(stdout);
	child = fork();
	if (child == 0)
		exit(files[i].main());
	if (child < 0 || waitpid(child, &status, 0) != child) {
		perror("fork");
		return 1;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		puts("1..1\nok 1 - whole file # SKIP");
		return 0;
	}
	if (WIFSIGNALED(status))
		printf("not ok - killed by signal %d\n", WTERMSIG(status));
	return status != 0;
}

int main(int argc, char **argv)
{
	const char *name = strrchr(argv[0], '/');
	int failed = 0;

	(void)argc;
	name = name ? name + 1 : argv[0];
	for (size_t i = 0; i < FILES_COUNT; i++) {
		/* By a link of the file's name: without fork(), for a debugger. */
		if (!strcmp(files[i].name, name))
			return files[i].main();
	}
	if (strcmp(name, "all")) {
		fprintf(stderr, "no file %s here\n", name);
		return 2;
	}
	for (size_t i = 0; i < FILES_COUNT; i++)
		failed |= run_file(i);
	return failed;
}
