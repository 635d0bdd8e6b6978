// SPDX-License-Identifier: GPL-2.0-only
/* main.c - loads the simulated PMU, with the personality that its parameter names. */
#include <linux/module.h>

#include "simpmu.h"

static char *personality = "sapphire_rapids";
module_param(personality, charp, 0444);
MODULE_PARM_DESC(personality, "which processor to be; a wrong name lists them");

const struct personality *simpmu_personality;

static void stop_all(void)
{
	simpmu_proc_stop();
	simpmu_pmu_unregister();
	simpmu_sampling_stop();
	simpmu_machine_stop();
	simpmu_truth_stop();
}

static int __init simpmu_init(void)
{
	int err;

	simpmu_personality = simpmu_personality_find(personality);
	if (!simpmu_personality)
		return -EINVAL;
	err = simpmu_truth_start();
	err = err ?: simpmu_machine_start();
	err = err ?: simpmu_sampling_start();
	err = err ?: simpmu_pmu_register();
	err = err ?: simpmu_proc_start();
	if (err)
		stop_all();
	return err;
}

static void __exit simpmu_exit(void)
{
	stop_all();
}

module_init(simpmu_init);
module_exit(simpmu_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("a simulated core PMU with topdown counters, for tests");
