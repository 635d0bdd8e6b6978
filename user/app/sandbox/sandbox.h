/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sandbox.h - what a command may still do once it is set up: files it may read, system calls. */
#ifndef SANDBOX_SANDBOX_H
#define SANDBOX_SANDBOX_H

#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>

#include "app/options/options.h"
#include "app/privileges.h"

struct ctd_sandbox {
	struct sock_filter *filter; /* owned; NULL: none */
	size_t filter_count;
	int ruleset_fd; /* owned; -1: none */
	int landlock; /* its version; 0: none */
};

/* Prepares it for what the command of @p options needs from there on; with --no-sandbox there is
 * nothing in it. Logs. */
void ctd_sandbox_make(const struct ctd_options *options, enum ctd_privileges needed,
		      struct ctd_sandbox *ret_sandbox);
/*
 * This thread, and those that it starts from here on, are held to it for good. Privileges are given
 * up before: PR_SET_NO_NEW_PRIVS is needed. What the kernel does not have is left out; logs.
 */
void ctd_sandbox_enter(const struct ctd_sandbox *sandbox);
void ctd_sandbox_free(struct ctd_sandbox *sandbox);
/* Of this thread: gives up all other privileges, and enters the sandbox for what is needed. */
void ctd_sandbox_confine(const struct ctd_options *options, enum ctd_privileges needed);

/* The kernel's version of Landlock; 0: it has none, or we may not use it. */
int ctd_landlock_version(void);

/* What may be done to files below a place. */
#define CTD_TREE_READ 1u /* files and directories */
#define CTD_TREE_REMOVE 2u /* remove a file or directory */
#define CTD_TREE_SOCKET 4u /* make a socket, and give it another name */
#define CTD_TREE_WRITE 8u /* make, write, rename and remove files */
#define CTD_TREE_NEW 16u /* make files, and write these */
#define CTD_TREE_LIST 32u /* read directories, and no file */

/* The places that @p options need, as the table in trees.c has them: calls @p allow for each. */
typedef void ctd_allow_tree(const char *path, unsigned int access, void *context);
void ctd_trees_each(const struct ctd_options *options, ctd_allow_tree *allow, void *context);
/* Does a place lie beyond another process, where Landlock lets nobody look? */
bool ctd_trees_are_elsewhere(const struct ctd_options *options);

/* Does this kernel filter system calls? Emulators of others do not. */
bool ctd_filter_is_there(void);
/* The filter of the system calls that are needed, as the tables in filter.c have them. @return 0 or
 * negative errno. */
int ctd_filter_make(const struct ctd_options *options, enum ctd_privileges needed,
		    struct sock_filter **ret_filter, size_t *ret_count);

#endif
