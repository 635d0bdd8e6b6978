/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sandbox.c - holds threads to the files and system calls that their command needs. */
#include "app/sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/log.h"

/* landlock: Support file truncation (b9f5ce27c8f8, 6.2); landlock: Add IOCTL access right for
 * character and block devices (b25f7415eb41, 6.10). Not in older headers. */
#define ACCESS_TRUNCATE (1ull << 14)
#define ACCESS_IOCTL_DEV (1ull << 15)

#define READ_ACCESS (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
/* Files that are there are opened for reading only: the filter sees to that. */
#define NEW_ACCESS (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG)
#define REMOVE_ACCESS (LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR)

int ctd_landlock_version(void)
{
	long version =
		syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

	return version < 0 ? 0 : (int)version;
}

/* All that this version can refuse. */
static uint64_t handled(int version)
{
	/* LANDLOCK_ACCESS_FS_MAKE_SYM is the last one of the first version. */
	uint64_t access = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;

	if (version >= 2)
		access |= LANDLOCK_ACCESS_FS_REFER;
	if (version >= 3)
		access |= ACCESS_TRUNCATE;
	if (version >= 5)
		access |= ACCESS_IOCTL_DEV;
	return access;
}

static int add_rule(const struct ctd_sandbox *sandbox, int fd, uint64_t access)
{
	const struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = fd};

	return syscall(SYS_landlock_add_rule, sandbox->ruleset_fd, LANDLOCK_RULE_PATH_BENEATH,
		       &rule, 0)
		       ? -errno
		       : 0;
}

static uint64_t write_access(const struct ctd_sandbox *sandbox)
{
	uint64_t access = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG |
			  LANDLOCK_ACCESS_FS_REMOVE_FILE | ACCESS_TRUNCATE;

	return access & handled(sandbox->landlock);
}

/* A place that is not there is none. It is not looked at: its filesystem may not answer. */
static void allow(const char *path, unsigned int access, void *context)
{
	const struct ctd_sandbox *sandbox = context;
	autoclose int fd = open(path, O_PATH | O_CLOEXEC);
	int error;

	if (fd < 0)
		return;
	error = add_rule(sandbox, fd,
			 (access & CTD_TREE_READ ? READ_ACCESS : 0) |
				 (access & CTD_TREE_REMOVE ? REMOVE_ACCESS : 0) |
				 (access & CTD_TREE_SOCKET ? LANDLOCK_ACCESS_FS_MAKE_SOCK : 0) |
				 (access & CTD_TREE_WRITE ? write_access(sandbox) : 0) |
				 (access & CTD_TREE_NEW ? NEW_ACCESS : 0) |
				 (access & CTD_TREE_LIST ? LANDLOCK_ACCESS_FS_READ_DIR : 0));
	/* A file cannot have what is for directories. */
	if (error == -EINVAL)
		error = add_rule(sandbox, fd, LANDLOCK_ACCESS_FS_READ_FILE);
	if (error)
		ctd_warn("sandbox: '%s': %s", path, strerror(-error));
}

static void make_ruleset(const struct ctd_options *options, enum ctd_privileges needed,
			 struct ctd_sandbox *sandbox)
{
	int version = ctd_landlock_version();
	const struct landlock_ruleset_attr attributes = {.handled_access_fs = handled(version)};

	if (!version) {
		ctd_debug("sandbox: this kernel has no Landlock");
		return;
	}
	if (needed == CTD_PRIVILEGES_TO_PROFILE || needed == CTD_PRIVILEGES_TO_LOOK ||
	    ctd_trees_are_elsewhere(options)) {
		ctd_debug("sandbox: without Landlock, which lets nobody look into /proc/PID/root");
		return;
	}
	sandbox->ruleset_fd = (int)syscall(SYS_landlock_create_ruleset, &attributes,
					   sizeof(attributes.handled_access_fs), 0);
	if (sandbox->ruleset_fd < 0) {
		ctd_warn("sandbox: Landlock: %s", strerror(errno));
		return;
	}
	sandbox->landlock = version;
	/* A terminal, a recording and the place of a socket are open, or need not be. */
	if (needed < CTD_PRIVILEGES_TO_ASK)
		ctd_trees_each(options, allow, sandbox);
	if (needed == CTD_PRIVILEGES_TO_WATCH)
		allow(".", CTD_TREE_NEW, sandbox);
}

void ctd_sandbox_make(const struct ctd_options *options, enum ctd_privileges needed,
		      struct ctd_sandbox *ret_sandbox)
{
	int error;

	*ret_sandbox = (struct ctd_sandbox){.ruleset_fd = -1};
	if (options->no_sandbox)
		return;
	make_ruleset(options, needed, ret_sandbox);
	if (!ctd_filter_is_there()) {
		ctd_debug("sandbox: this kernel filters no system calls");
		return;
	}
	error = ctd_filter_make(options, needed, &ret_sandbox->filter, &ret_sandbox->filter_count);
	if (error)
		ctd_warn("sandbox: make a filter of system calls: %s", strerror(-error));
}

void ctd_sandbox_enter(const struct ctd_sandbox *sandbox)
{
	struct sock_fprog program = {.len = (unsigned short)sandbox->filter_count,
				     .filter = sandbox->filter};
	const char *filtered = "no";

	if (sandbox->ruleset_fd >= 0 && syscall(SYS_landlock_restrict_self, sandbox->ruleset_fd, 0))
		ctd_warn("sandbox: Landlock: %s", strerror(errno));
	/* No code of others runs here: mitigations that would slow us down are not needed. */
	if (sandbox->filter &&
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program))
		ctd_warn("sandbox: filter system calls: %s", strerror(errno));
	else if (sandbox->filter)
		filtered = "a";
	ctd_debug("sandbox: %s filter of system calls, Landlock version %d", filtered,
		  sandbox->landlock);
}

void ctd_sandbox_free(struct ctd_sandbox *sandbox)
{
	free(sandbox->filter);
	if (sandbox->ruleset_fd >= 0)
		close(sandbox->ruleset_fd);
	*sandbox = (struct ctd_sandbox){.ruleset_fd = -1};
}

void ctd_sandbox_confine(const struct ctd_options *options, enum ctd_privileges needed)
{
	struct ctd_sandbox sandbox;

	ctd_sandbox_make(options, needed, &sandbox);
	ctd_privileges_drop(needed);
	ctd_sandbox_enter(&sandbox);
	ctd_sandbox_free(&sandbox);
}
