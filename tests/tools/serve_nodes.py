#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# serve_nodes.py - stands in for the collectors of some nodes, as they are reached on loopback or through an API server.
#
# usage: serve_nodes.py DIRECTORY ADDRESS; ADDRESS is tcp, whose port it prints, or the path of a Unix socket
#
# /podN/api/v1/view, and .../pods/http:podN:PORT/proxy/api/v1/view, are views of node N, and /api/v1/view is that of node 1
# for those who show the token "s3cret". A node uses N tenths of a CPU in each of the namespaces shop and data, of which three
# quarters go to the back end, and a hundredth in a unit. DIRECTORY/podN.mode, where it is there, is what it answers instead:
# silent (nothing, ever), garbage, html, restarted (at that moment, each time), other (counted by another design), gone, forbidden
# (what an API server says of it), token (401). Of one that is gone an API server's proxy writes a line to standard error.
# DIRECTORY/asked has a line for each request. Times go on while nobody asks, as those of serve do.
import copy, datetime, http.server, json, os, re, socketserver, sys, threading, time

here = os.path.dirname(os.path.abspath(__file__))
directory, address = sys.argv[1:]
template = json.load(open(os.path.join(here, "../golden/view.json")))
begin_ns = time.time_ns()


def total(cpu_ns, slots_per_ns):
    slots = slots_per_ns * cpu_ns
    parts = {"retiring": slots // 4, "bad_speculation": 0, "frontend_bound": 0, "backend_bound": slots - slots // 4,
             "memory_bound": slots // 2, "core_bound": slots // 4}
    return {"since": "2026-01-01T00:00:00.000Z", "cpu_ns": cpu_ns, "counted_ns": cpu_ns, "slices": cpu_ns // 1000000,
            "switches": cpu_ns // 1000000, "slots": slots, "node_slots": parts}


def view(number, mode):
    ns = time.time_ns()
    ran_ns = 1000000000 + (ns - begin_ns)
    of = copy.deepcopy({key: value for key, value in template.items() if key not in ("rows", "held_rows", "total")})
    of.update(node="node%d" % number, time_ns=ns, elapsed_ns=ran_ns, sequence=ns // 1000000, interval_ns=10**10, look_ns=10**8, held_rows=[], rows=[],
              total={"unattributed_ns": 0, "bpf_ns": ran_ns // 1000, "switches": ran_ns // 1000000})
    if mode == "restarted":
        of["start"] = datetime.datetime.fromtimestamp(ns / 1e9, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    if mode == "other":
        of["core_types"][0]["model"]["name"] = "other"
    for namespace in ("shop", "data"):
        container = "%064x" % (number * 256 + ord(namespace[0]))
        of["rows"].append({
            "key": namespace, "kind": "container", "namespace": namespace, "pod": "web-%d" % number, "container": "nginx",
            "container_id": container, "cgroup": "/kubepods.slice/cri-containerd-%s.scope" % container, "runtime": "containerd",
            "owner_kind": "Deployment", "owner": "web", "total": total(ran_ns * number // 10, 4)})
    of["rows"].append({"key": "unit", "kind": "cgroup", "cgroup": "/system.slice/ssh.service", "total": total(ran_ns // 100, 4)})
    return json.dumps(of).encode()


def status(code, message):
    return code, json.dumps({"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": message, "code": code}).encode()


def answer(path, token):
    with open(os.path.join(directory, "asked"), "a") as asked:
        asked.write(path + "\n")
    found = re.search(r"/(?:https?:)?pod(\d+)(?::\d+/proxy)?/api/v1/view(?:\?|$)", path)
    if re.match(r"/api/v1/view(\?|$)", path):
        return (200, view(1, "")) if token == "Bearer s3cret" else (401, b"Unauthorized\n")
    if not found:
        return 404, b"/api/v1/view\n"
    number = int(found.group(1))
    try:
        mode = open(os.path.join(directory, "pod%d.mode" % number)).read().strip()
    except OSError:
        mode = ""
    if mode == "silent":
        threading.Event().wait()
    if mode == "garbage":
        return 200, os.urandom(100000)
    if mode == "html":
        return 200, b"<html>"
    if mode == "gone" and address != "tcp":
        print("E1123 12:00:00.000000 1 proxy_server.go:147] Error while proxying request: EOF", file=sys.stderr, flush=True)
    if mode == "gone":
        return status(503, "error trying to reach service: dial tcp 10.1.2.3:9753: connect: connection refused")
    if mode == "forbidden":
        return status(403, 'pods "http:pod%d:9753" is forbidden: User "eve" cannot get resource "pods/proxy"' % number)
    if mode == "token":
        return 401, b"Unauthorized\n"
    return 200, view(number, mode)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        code, body = answer(self.path, self.headers.get("Authorization"))
        self.send_response(code)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def address_string(self):
        return "client"

    def log_message(self, *arguments):
        pass


class Tcp(socketserver.ThreadingTCPServer):
    daemon_threads = allow_reuse_address = True


class Unix(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True


server = Tcp(("127.0.0.1", 0), Handler) if address == "tcp" else Unix(address, Handler)
if address == "tcp":
    print(server.server_address[1], flush=True)
server.serve_forever()
