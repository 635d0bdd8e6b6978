/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* files.h - a directory with small files of all vendors, of processors that there are not. */
#ifndef TESTS_VENDOR_FILES_H
#define TESTS_VENDOR_FILES_H

#include <cgtopdown/vendor.h>

#include "unit/identity/tree.h"

#define INTEL_ID "GenuineIntel-6-8F-4"
#define ARM_ID "0x00000000410fd4f1"

static inline void put(const struct tree *tree, const char *path, const char *text)
{
	char folder[64];

	snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(path, '/') - path), path);
	tree_directory(tree, folder);
	tree_file(tree, path, text);
}

static inline void put_perf(const struct tree *tree)
{
	put(tree, "/linux/x86/mapfile.csv",
	    "Family-model,Version,Filename,EventType\n"
	    "GenuineIntel-6-(8F|CF),v1.1,rapid,core\r\n"
	    "GenuineIntel-6-55-[56789ABCDEF],v1,lake,core\n"
	    "GenuineIntel-6-55-[01234],v1,otherlake,core\n"
	    "GenuineIntel-6-8F,v1,never,core\n");
	put(tree, "/linux/x86/rapid/counter.json",
	    "[{\"Unit\": \"core\", \"CountersNumFixed\": \"4\", \"CountersNumGeneric\": \"8\"},"
	    " {\"Unit\": \"CHA\", \"CountersNumFixed\": \"0\", \"CountersNumGeneric\": \"4\"}]");
	put(tree, "/linux/x86/rapid/metricgroups.json", "{\"Mem\": \"Grouping\"}");
	put(tree, "/linux/x86/rapid/events.json",
	    "[{\"EventName\": \"CPU_CLK_UNHALTED.THREAD\", \"Counter\": \"Fixed counter 1\"},\n"
	    " {\"EventName\": \"MEM.STALLS\", \"EventCode\": \"0xa3\", \"UMask\": \"0x14\","
	    "  \"CounterMask\": \"20\", \"Counter\": \"0,1,2,3\", \"TakenAlone\": \"1\"},\n"
	    " {\"EventName\": \"OCR.READ\", \"EventCode\": \"0x2A,0x2B\", \"UMask\": \"0x1\","
	    "  \"MSRIndex\": \"0x1a6,0x1a7\", \"MSRValue\": \"0x3F803C0001\"},\n"
	    " {\"EventName\": \"MEM.L3\", \"EventCode\": \"0xd1\", \"UMask\": \"0x4\","
	    "  \"PEBS\": \"1\", \"RetirementLatencyMean\": \"57.5\"},\n"
	    " {\"EventName\": \"UNC_CHA_CLOCKTICKS\", \"EventCode\": \"0x1\", \"Unit\": \"CHA\"}]");
	put(tree, "/linux/x86/rapid/metrics.json",
	    "[{\"MetricName\": \"tma_backend_bound\", \"MetricExpr\": \"MEM.STALLS / tma_clks\","
	    "  \"MetricGroup\": \"TopdownL1;tma_L1_group\", \"ScaleUnit\": \"100%\","
	    "  \"MetricThreshold\": \"tma_backend_bound > 0.2\","
	    "  \"MetricgroupNoGroup\": \"TopdownL1\", \"DefaultShowEvents\": \"1\"},\n"
	    " {\"MetricName\": \"tma_memory_bound\","
	    "  \"MetricExpr\": \"cpu@MEM.STALLS\\\\,cmask\\\\=0x10@ / tma_clks\","
	    "  \"MetricGroup\": \"Mem;TopdownL2;tma_L2_group;tma_backend_bound_group\","
	    "  \"MetricThreshold\": \"tma_memory_bound > 0.2 & tma_backend_bound > 0.2\","
	    "  \"PublicDescription\": \"Waits. Sample with: MEM.L3, MEM.STALLS. Related: x\"},\n"
	    " {\"MetricName\": \"tma_clks\", \"MetricExpr\": \"CPU_CLK_UNHALTED.THREAD\"},\n"
	    " {\"MetricName\": \"uncore\", \"MetricExpr\": \"UNC_CHA_CLOCKTICKS / 2\"}]");
}

static inline void put_perfmon(const struct tree *tree)
{
	put(tree, "/perfmon/mapfile.csv",
	    "Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name\n"
	    "GenuineIntel-6-8F,V1,/RPD/events/rapid_core.json,core,,,\n"
	    "GenuineIntel-6-8F,V1,/RPD/events/rapid_uncore.json,uncore,,,\n"
	    "GenuineIntel-6-8F,V1,/RPD/metrics/rapid_metrics.json,metrics,,,\n"
	    "GenuineIntel-6-8F,V1,/RPD/metrics/latency.json,retire latency,,,\n"
	    "GenuineIntel-6-97,V1,/HYB/events/small_core.json,hybridcore,0x20,0x1,Atom\n"
	    "GenuineIntel-6-97,V1,/HYB/events/large_core.json,hybridcore,0x40,0x1,Core\n");
	put(tree, "/perfmon/HYB/events/small_core.json",
	    "[{\"EventName\": \"E\", \"EventCode\": \"0x1\"}]");
	put(tree, "/perfmon/HYB/events/large_core.json",
	    "[{\"EventName\": \"E\", \"EventCode\": \"0x2\"}]");
	put(tree, "/perfmon/RPD/events/rapid_core.json",
	    "{\"Header\": {\"Version\": \"1\"}, \"Events\": ["
	    " {\"EventName\": \"CPU_CLK_UNHALTED.THREAD\", \"EventCode\": \"0x00\","
	    "  \"UMask\": \"0x02\", \"Counter\": \"Fixed counter 1\"},"
	    " {\"EventName\": \"MEM.STALLS\", \"EventCode\": \"0xa3\", \"UMask\": \"0x14\","
	    "  \"CounterMask\": \"20\", \"MSRIndex\": \"0\", \"Errata\": \"null\","
	    "  \"Counter\": \"0,1,2,3\", \"TakenAlone\": \"1\"},"
	    " {\"EventName\": \"TOPDOWN.SLOTS\", \"EventCode\": \"0x00\", \"UMask\": \"0x04\","
	    "  \"Counter\": \"Fixed counter 3\"},"
	    " {\"EventName\": \"MEM.EXTENDED\", \"EventCode\": \"0x24\", \"UMask\": \"0x7\","
	    "  \"UMaskExt\": \"0x04\", \"EdgeDetect\": \"1\", \"Invert\": \"1\"},"
	    " {\"EventName\": \"FRONTEND.LATE\", \"EventCode\": \"0xC6\", \"UMask\": \"0x03\","
	    "  \"MSRIndex\": \"0x3F7\", \"MSRValue\": \"0x600406\"},"
	    " {\"EventName\": \"MEM.L3\", \"EventCode\": \"0xd1\", \"UMask\": \"0x4\"}]}");
	put(tree, "/perfmon/RPD/metrics/latency.json",
	    "{\"Platform\": {}, \"Data\": {\"MEM.L3\": {\"MIN\": 0, \"MAX\": 9, \"MEAN\": 5.5}}}");
	put(tree, "/perfmon/RPD/metrics/rapid_metrics.json",
	    "{\"Metrics\": [{\"MetricName\": \"Backend_Bound\","
	    "  \"LegacyName\": \"metric_TMA_Backend_Bound(%)\", \"Level\": 1,"
	    "  \"UnitOfMeasure\": \"percent\", \"MetricGroup\": \"TmaL1\", \"Category\": \"TMA\","
	    "  \"Events\": [{\"Name\": \"MEM.STALLS:c16\", \"Alias\": \"a\"},"
	    "               {\"Name\": \"TOPDOWN.SLOTS:perf_metrics\", \"Alias\": \"b\"}],"
	    "  \"Constants\": [{\"Name\": \"HYPERTHREADING_ON\", \"Alias\": \"smt_on\"}],"
	    "  \"Formula\": \"100 * ( a / b if smt_on else a )\","
	    "  \"Threshold\": {\"Formula\": \"a > 20\", \"ThresholdMetrics\":"
	    "   [{\"Alias\": \"a\", \"Value\": \"metric_TMA_Backend_Bound(%)\"}]}},"
	    " {\"MetricName\": \"4K_Part\", \"ParentCategory\": \"Backend_Bound\", \"Level\": 2,"
	    "  \"UnitOfMeasure\": \"percent\", \"LocateWith\": \" MEM.L3;MEM.STALLS\","
	    "  \"Events\": [{\"Name\": \"MEM.L3:retire_latency\", \"Alias\": \"a\"}],"
	    "  \"Constants\": [], \"Formula\": \"a * 2\","
	    "  \"Threshold\": {\"Formula\": \"metric_TMA_..4K_Part(%) > 0.05 &&"
	    " metric_TMA_Backend_Bound(%) > 0.2\"}}]}");
}

static inline void put_arm(const struct tree *tree)
{
	static const char form[] =
		"{\"$schema\": \"v1.0.schema.json\", \"product_configuration\":"
		" {\"implementer\": \"0x41\", \"part_num\": \"0xd4f\", \"major_revision\": \"0\","
		"  \"minor_revision\": \"%d\", \"num_slots\": %d},"
		" \"events\": {\"CPU_CYCLES\": {\"code\": \"0x0011\", \"description\": \"c\"},"
		"  \"STALL_SLOT\": {\"code\": \"0x003f\"}},"
		" \"metrics\": {\"bound\": {\"formula\": \"100 * STALL_SLOT / (CPU_CYCLES * 8)\","
		"  \"units\": \"percent of slots\", \"sample_events\": [\"STALL_SLOT\"]}},"
		" \"groups\": {\"function\": {\"A\": {\"events\": []}}, \"metrics\":"
		"  {\"Topdown_L1\": {\"metrics\": [\"bound\"]}}},"
		" \"methodologies\": {\"topdown_methodology\": {\"decision_tree\": {\"metrics\":"
		"  [{\"name\": \"bound\", \"next_items\": [\"MPKI\", \"Miss_Ratio\"]}]}}}}";
	char text[sizeof(form) + 32];

	for (int revision = 0; revision < 3; revision++) {
		char path[64];

		snprintf(path, sizeof(path), "/arm/data/core-r0p%d.json", revision);
		snprintf(text, sizeof(text), form, revision, 8 + revision);
		put(tree, path, text);
	}
	put(tree, "/linux/arm64/mapfile.csv",
	    "#Family-model,Version,Filename,EventType\n"
	    "0x00000000410fd4f0,v1,arm/core,core\n");
	put(tree, "/linux/arm64/common.json",
	    "[{\"EventName\": \"CPU_CYCLES\", \"EventCode\": \"0x11\"},"
	    " {\"EventName\": \"INST_RETIRED\", \"EventCode\": \"0x08\"}]");
	put(tree, "/linux/arm64/arm/core/all.json",
	    "[{\"ArchStdEvent\": \"CPU_CYCLES\", \"PublicDescription\": \"Cycles.\"},"
	    " {\"ArchStdEvent\": \"NO_SUCH\"},"
	    " {\"EventName\": \"OWN\", \"EventCode\": \"0x8123\"}]");
}

static inline struct ctd_vendor_cpu cpu_of(const char *id, const char *pmu)
{
	struct ctd_vendor_cpu cpu = {0};

	snprintf(cpu.id, sizeof(cpu.id), "%s", id);
	snprintf(cpu.pmu, sizeof(cpu.pmu), "%s", pmu);
	return cpu;
}

#endif
