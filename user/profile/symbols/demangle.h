/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* demangle.h - names of C++ and Rust as people write them. */
#ifndef PROFILE_SYMBOLS_DEMANGLE_H
#define PROFILE_SYMBOLS_DEMANGLE_H

#include "base/strbuf.h"

/* A demangled name is no longer: a few bytes can stand for gigabytes. */
#define CTD_DEMANGLED_MAX 4096

/*
 * Adds a name: without parameters and return types, so that the functions of a template stay apart
 * and a flame graph can be read; as it is if it is not mangled, or too long. What is no text is
 * escaped.
 */
void ctd_demangle(struct ctd_strbuf *buffer, const char *name);

#endif
