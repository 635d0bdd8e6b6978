/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* faults.c - two functions that touch known numbers of new pages, each of which is a page fault.
 *
 * usage: faults ROUNDS PAGES PAUSE_US
 *
 * In each round touch_many() touches three times PAGES pages and touch_few() PAGES; between rounds
 * it sleeps. Prints how many each touched: "touch_many 3000".
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static long page_bytes;

static unsigned char *make_pages(long pages)
{
	unsigned char *area = mmap(NULL, (size_t)(pages * page_bytes), PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (area == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	/* Each page by itself. */
	madvise(area, (size_t)(pages * page_bytes), MADV_NOHUGEPAGE);
	return area;
}

/* In the function itself: its callers are what is sampled. */
static inline __attribute__((always_inline)) void touch(unsigned char *area, long pages, int value)
{
	for (long i = 0; i < pages; i++)
		((volatile unsigned char *)area)[i * page_bytes] = (unsigned char)value;
}

static __attribute__((noinline)) void touch_many(unsigned char *area, long pages)
{
	touch(area, pages, 1);
}

static __attribute__((noinline)) void touch_few(unsigned char *area, long pages)
{
	touch(area, pages, 2);
}

int main(int argc, char **argv)
{
	long rounds = argc == 4 ? atol(argv[1]) : 0, pages = argc == 4 ? atol(argv[2]) : 0;

	if (rounds <= 0 || pages <= 0) {
		fprintf(stderr, "usage: faults ROUNDS PAGES PAUSE_US\n");
		return 2;
	}
	page_bytes = sysconf(_SC_PAGESIZE);
	for (long i = 0; i < rounds; i++) {
		unsigned char *many = make_pages(3 * pages), *few = make_pages(pages);

		touch_many(many, 3 * pages);
		touch_few(few, pages);
		munmap(many, (size_t)(3 * pages * page_bytes));
		munmap(few, (size_t)(pages * page_bytes));
		usleep((useconds_t)atol(argv[3]));
	}
	printf("touch_many %ld\ntouch_few %ld\n", rounds * 3 * pages, rounds * pages);
	return 0;
}
