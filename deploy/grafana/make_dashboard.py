#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# make_dashboard.py - writes the Grafana dashboard from the list of its panels.
#
# usage: deploy/grafana/make_dashboard.py > deploy/helm/cgtopdown/files/dashboard.json
#
# The file in the chart is what this prints; tests/check/deploy compares them. Expressions use the rate interval of
# Grafana, so that any scrape interval will do. Slots of different kinds of cores are never added up: `core` is kept.
import json

SOURCE = {"type": "prometheus", "uid": "${datasource}"}
COLOURS = {
    "retiring": "green", "bad_speculation": "orange", "frontend_bound": "blue", "backend_bound": "red",
    "smt_contention": "purple",
    "light_operations": "green", "heavy_operations": "semi-dark-green",
    "branch_mispredicts": "orange", "machine_clears": "dark-orange",
    "fetch_latency": "blue", "fetch_bandwidth": "light-blue",
    "memory_bound": "red", "core_bound": "light-red",
}
NODE = 'instance=~"$instance"'
POD = NODE + ',kind="container",namespace=~"$namespace",pod=~"$pod",container=~"$container"'


def share(family, labels, of, whole="cgtopdown_pipeline_slots_total"):
    """The part of each category in the slots of what `of` names."""
    of = ", ".join(filter(None, [of, "core"]))
    return (f"sum by ({of}, category) (rate({family}{{{labels}}}[$__rate_interval]))"
            f" / ignoring (category) group_left () sum by ({of}) (rate({whole}{{{labels}}}[$__rate_interval]))")


class Board:
    def __init__(self):
        self.panels, self.x, self.y, self.row_height = [], 0, 0, 0

    def row(self, title):
        self.y += self.row_height
        self.x = self.row_height = 0
        self.place({"type": "row", "title": title, "collapsed": False, "panels": []}, 24, 1)

    def place(self, panel, width, height):
        if self.x + width > 24:
            self.y += self.row_height
            self.x = self.row_height = 0
        panel["id"] = len(self.panels) + 1
        panel["gridPos"] = {"x": self.x, "y": self.y, "w": width, "h": height}
        self.x += width
        self.row_height = max(self.row_height, height)
        self.panels.append(panel)

    def add(self, kind, title, help_text, queries, width, height, unit="percentunit", **more):
        targets = [
            {"refId": chr(ord("A") + i), "datasource": SOURCE, "expr": query, "legendFormat": legend,
             **({"format": "table", "instant": True} if kind == "table" else {})}
            for i, (query, legend) in enumerate(queries)
        ]
        defaults = {"unit": unit, "custom": more.pop("custom", {})}
        defaults.update(more.pop("defaults", {}))
        self.place({
            "type": kind, "title": title, "description": help_text, "datasource": SOURCE, "targets": targets,
            "fieldConfig": {"defaults": defaults, "overrides": more.pop("overrides", [])},
            "options": more.pop("options", {}), **more,
        }, width, height)

    def series(self, title, help_text, queries, width=12, height=9, stacked=False, unit="percentunit", defaults=None):
        custom = {"lineWidth": 1, "fillOpacity": 70 if stacked else 10, "showPoints": "never"}
        if stacked:
            custom["stacking"] = {"mode": "normal", "group": "A"}
        self.add("timeseries", title, help_text, queries, width, height, unit, custom=custom,
                 defaults=defaults or {"min": 0},
                 overrides=[{"matcher": {"id": "byRegexp", "options": f"^{name}( .*)?$"},
                             "properties": [{"id": "color", "value": {"mode": "fixed", "fixedColor": colour}}]}
                            for name, colour in COLOURS.items()] if stacked else [],
                 options={"legend": {"displayMode": "table", "placement": "right", "calcs": ["mean", "lastNotNull"]},
                          "tooltip": {"mode": "multi", "sort": "desc"}})

    def stat(self, title, help_text, query, width=4, unit="short", thresholds=(("green", None),), legend="",
             mappings=()):
        self.add("stat", title, help_text, [(query, legend)], width, 4, unit,
                 defaults={"thresholds": {"mode": "absolute",
                                          "steps": [{"color": c, "value": v} for c, v in thresholds]},
                           "mappings": list(mappings)},
                 options={"reduceOptions": {"calcs": ["lastNotNull"]}, "colorMode": "value",
                          "textMode": "name" if legend else "auto"})


def fill(board):
    board.row("Nodes")
    board.stat("State of the counters", "Anything but live: figures are missing, scaled up or not to be relied on.",
               f'max by (state) (cgtopdown_pmu_state{{{NODE}}}) == 1', legend="{{state}}", width=4)
    board.stat("Source", "Where the counts come from. sim: they are made up.",
               f'count by (source) (cgtopdown_source_info{{{NODE}}})', legend="{{source}}", width=4)
    board.stat("Cost in the kernel", "Part of all CPU time that accounting takes, by the program's own sampling.",
               f'sum(rate(cgtopdown_bpf_run_seconds_total{{{NODE}}}[$__rate_interval])) / sum(cgtopdown_cpus_online{{{NODE}}})',
               unit="percentunit", thresholds=(("green", None), ("orange", 0.01), ("red", 0.02)))
    board.stat("Unattributed", "Part of all slots that belong to nobody, because a reading failed meanwhile.",
               f'sum(rate(cgtopdown_unattributed_slots_total{{{NODE}}}[$__rate_interval]))'
               f' / sum(rate(cgtopdown_pipeline_slots_total{{{NODE}}}[$__rate_interval]))',
               unit="percentunit", thresholds=(("green", None), ("orange", 0.01), ("red", 0.05)))
    board.stat("Residual", "Slots by which the books do not balance: 0, or there is a defect.",
               f'sum(abs(cgtopdown_residual_slots{{{NODE}}}))',
               thresholds=(("green", None), ("red", 1)))
    board.stat("Simulated nodes", "Nodes whose figures are made up (source sim).",
               f'sum(cgtopdown_simulated{{{NODE}}})', thresholds=(("green", None), ("red", 1)))
    busy = NODE + ',kind!="idle"'
    board.series("Where slots go: everything but idle",
                 "Shares of the pipeline's slots. Retiring did work that counts; the others are lost.",
                 [(share("cgtopdown_slots_total", busy, ""), "{{category}} {{core}}")], stacked=True,
                 defaults={"min": 0, "max": 1})
    board.series("CPUs used, by kind", "CPU seconds per second.",
                 [(f'sum by (kind) (rate(cgtopdown_cpu_seconds_total{{{busy}}}[$__rate_interval]))', "{{kind}}")],
                 stacked=True, unit="short")

    board.row("Who loses most")
    for category, title, help_text in (
            ("backend_bound", "Back-end bound", "Slots lost because the core could take no more: memory, or busy units."),
            ("frontend_bound", "Front-end bound", "Slots that stayed empty because no instruction arrived."),
            ("bad_speculation", "Bad speculation", "Slots that went into work on wrong paths."),
            ("retiring", "Retiring", "Slots that did work that counts.")):
        board.series(f"{title}: the ten containers with most slots", help_text + " Slots per second.",
                     [(f'topk(10, sum by (namespace, pod, container, core) '
                       f'(rate(cgtopdown_slots_total{{{POD},category="{category}"}}[$__rate_interval])))',
                       "{{namespace}}/{{pod}}/{{container}} {{core}}")], unit="short")
    of = "namespace, pod, container"
    columns = ["retiring", "bad_speculation", "frontend_bound", "backend_bound"]
    queries = [(f'topk(50, sum by ({of}, core) (rate(cgtopdown_cpu_seconds_total{{{POD}}}[$__rate_interval])))', "")]
    queries += [(f'sum by ({of}, core) (rate(cgtopdown_slots_total{{{POD},category="{name}"}}[$__rate_interval]))'
                 f' / sum by ({of}, core) (rate(cgtopdown_pipeline_slots_total{{{POD}}}[$__rate_interval]))', "")
                for name in columns]
    board.add(
        "table", "Containers by CPU", "The fifty that use most CPU, with the shares of their slots.", queries, 24, 12,
        transformations=[
            {"id": "merge", "options": {}},
            {"id": "organize", "options": {"excludeByName": {"Time": True}, "renameByName": {
                "Value #A": "CPUs", "Value #B": "Retiring", "Value #C": "Bad speculation", "Value #D": "Front-end bound",
                "Value #E": "Back-end bound"}}},
            {"id": "filterByValue", "options": {"type": "include", "match": "all", "filters": [
                {"fieldName": "CPUs", "config": {"id": "isNotNull", "options": {}}}]}}],
        overrides=[{"matcher": {"id": "byName", "options": "CPUs"},
                    "properties": [{"id": "unit", "value": "short"}, {"id": "decimals", "value": 2}]}] +
        [{"matcher": {"id": "byName", "options": title},
          "properties": [{"id": "custom.cellOptions", "value": {"type": "gauge", "mode": "basic"}},
                         {"id": "min", "value": 0}, {"id": "max", "value": 1},
                         {"id": "color", "value": {"mode": "fixed", "fixedColor": COLOURS[name]}}]}
         for name, title in zip(columns, ("Retiring", "Bad speculation", "Front-end bound", "Back-end bound"))],
        options={"sortBy": [{"displayName": "CPUs", "desc": True}]})

    board.row("$namespace / $pod / $container")
    board.series("Level 1", "Shares of the slots of all chosen containers together.",
                 [(share("cgtopdown_slots_total", POD, ""), "{{category}} {{core}}")], stacked=True,
                 defaults={"min": 0, "max": 1})
    board.series("Level 2", "Each part of level 1 divided once more, where the processor can tell.",
                 [(share("cgtopdown_l2_slots_total", POD, ""), "{{category}} {{core}}")], stacked=True,
                 defaults={"min": 0, "max": 1})
    board.series("CPUs used", "CPU seconds per second.",
                 [(f'sum by ({of}, core) (rate(cgtopdown_cpu_seconds_total{{{POD}}}[$__rate_interval]))',
                   "{{pod}}/{{container}} {{core}}")], unit="short")
    board.series("Counted", "Part of the CPU time in which counters counted: below 1, slots are of that part alone.",
                 [(f'sum by ({of}, core) (rate(cgtopdown_pmu_running_seconds_total{{{POD}}}[$__rate_interval]))'
                   f' / sum by ({of}, core) (rate(cgtopdown_pmu_enabled_seconds_total{{{POD}}}[$__rate_interval]))',
                   "{{pod}}/{{container}} {{core}}")], defaults={"min": 0, "max": 1})

    board.row("The collector itself")
    board.series("CPU", "Of the process; accounting in the kernel is beside it.",
                 [(f'rate(process_cpu_seconds_total{{{NODE},job=~".*cgtopdown.*"}}[$__rate_interval])', "process {{instance}}"),
                  (f'rate(cgtopdown_bpf_run_seconds_total{{{NODE}}}[$__rate_interval])', "kernel {{instance}}")],
                 width=8, unit="short")
    board.series("Memory", "Resident, of the process.",
                 [(f'process_resident_memory_bytes{{{NODE},job=~".*cgtopdown.*"}}', "{{instance}}")], width=8, unit="bytes")
    board.series("Accounts", "Containers and cgroups that have series, and those that were over the limit.",
                 [(f'sum by (instance) (cgtopdown_accounts{{{NODE}}})', "{{instance}}"),
                  (f'sum by (instance) (rate(cgtopdown_accounts_folded_total{{{NODE}}}[$__rate_interval]))', "folded/s {{instance}}")],
                 width=8, unit="short")


def variable(name, label, query):
    return {"name": name, "label": label, "type": "query", "datasource": SOURCE, "refresh": 2, "sort": 1,
            "query": {"query": query, "refId": "v"}, "definition": query, "multi": True, "includeAll": True,
            "allValue": ".*", "current": {"text": "All", "value": "$__all"}}


def main():
    board = Board()
    fill(board)
    counted = 'cgtopdown_cpu_seconds_total{instance=~"$instance",kind="container"'
    print(json.dumps({
        "title": "cgtopdown: where pipeline slots go", "uid": "cgtopdown", "tags": ["cgtopdown", "performance"],
        "schemaVersion": 39, "version": 1, "editable": True, "timezone": "browser", "refresh": "30s",
        "time": {"from": "now-1h", "to": "now"},
        "templating": {"list": [
            {"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus",
             "current": {}, "refresh": 1},
            variable("instance", "Node", "label_values(cgtopdown_source_info, instance)"),
            variable("namespace", "Namespace", f"label_values({counted}}}, namespace)"),
            variable("pod", "Pod", f'label_values({counted},namespace=~"$namespace"}}, pod)'),
            variable("container", "Container", f'label_values({counted},namespace=~"$namespace",pod=~"$pod"}}, container)'),
        ]},
        "annotations": {"list": []},
        "panels": board.panels,
    }, indent=1))


main()
