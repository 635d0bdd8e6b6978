/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* unit_file.h - gives main() of a unit test file the name of the file. */
#ifndef TESTS_UNIT_FILE_H
#define TESTS_UNIT_FILE_H

#define main UNIT_FILE /* the build says test_<file> */

int main(void);

#endif
