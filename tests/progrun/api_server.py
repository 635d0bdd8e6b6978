#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# api_server.py - stands in for an API server of Kubernetes: takes events as strictly as it does, and answers as it was told.
#
# usage: [CERTIFICATE=FILE] api_server.py LOG ANSWER...
#
# With a certificate and its key in FILE it is TLS. Prints its port. The first request gets the first answer, the next one
# the next; the last answer is for all further ones. Of each request a line of JSON is appended to LOG: time, path, headers,
# event, answer, and status, that was answered. ANSWER is one of
#   ok (201, or 422 where the event is not as events.k8s.io/v1 has it, or 409 where there is one of its name), STATUS (with
#   what Kubernetes says), STATUS:RETRY-AFTER, token:TOKEN (ok with that one, else 401), lost (as ok, but it closes the
#   connection), cut (before anything is done), garbage (no HTTP), noise (403 and a body that is no JSON), hang, drip (as ok,
#   and a body without end)
import http.server, json, os, re, socket, ssl, sys, threading, time

log_path, answers = sys.argv[1], sys.argv[2:]
lock = threading.Lock()
taken = 0
names = set()

TEXTS = {"apiVersion": 0, "kind": 0, "eventTime": 0, "type": 0, "reason": 128, "action": 128, "reportingController": 63,
         "reportingInstance": 128, "note": 1024}
POD = {"apiVersion", "kind", "namespace", "name", "uid"}
SUBDOMAIN = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
MESSAGES = {401: "Unauthorized",
            403: 'events.events.k8s.io is forbidden: User "system:serviceaccount:monitoring:cgtopdown" cannot create '
                 'resource "events" in API group "events.k8s.io" in the namespace "shop"',
            404: "the server could not find the requested resource",
            429: "Too many requests, please try again later.",
            500: "etcd \x1b[31mis away"}


def wrong(event, path):
    """What validation finds (pkg/apis/core/validation/events.go), or None. Unknown members are a refusal here."""
    if not isinstance(event, dict) or set(event) - set(TEXTS) - {"metadata", "regarding", "related"}:
        return "unknown members"
    for name, longest in TEXTS.items():
        if not isinstance(event.get(name), str) or not event[name] or (longest and len(event[name].encode()) > longest):
            return name
    if (event["apiVersion"], event["kind"]) != ("events.k8s.io/v1", "Event") or event["type"] not in ("Normal", "Warning"):
        return "kind or type"
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", event["eventTime"]):
        return "eventTime"
    metadata = event.get("metadata", {})
    if set(metadata) != {"name", "namespace"} or len(metadata["name"]) > 253 or not re.fullmatch(SUBDOMAIN, metadata["name"]):
        return "metadata"
    if path != "/apis/events.k8s.io/v1/namespaces/%s/events" % metadata["namespace"]:
        return "path"
    for reference in ("regarding", "related"):
        pod = event.get(reference)
        if pod is None and reference == "related":
            continue
        if set(pod) != POD or pod["kind"] != "Pod" or pod["apiVersion"] != "v1" or not all(pod.values()):
            return reference
    return None if event["regarding"]["namespace"] == metadata["namespace"] else "namespace"


class ApiServer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body, **headers):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, status, message, **headers):
        body = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message, "code": status}
        self.answer(status, json.dumps(body).encode(), **headers)

    def judge(self, answer, event):
        """The status of what was done, or 0 for nothing."""
        if answer.startswith("token:"):
            return 401 if self.headers["Authorization"] != "Bearer " + answer[6:] else self.judge("ok", event)
        if answer not in ("ok", "lost", "drip"):
            return int(answer.split(":")[0]) if answer[0].isdigit() else 0
        if wrong(event, self.path):
            return 422
        name = (event["metadata"]["namespace"], event["metadata"]["name"])
        if name in names:
            return 409
        names.add(name)
        return 201

    def do_POST(self):
        global taken
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with lock:
            answer = answers[min(taken, len(answers) - 1)]
            taken += 1
            try:
                event = json.loads(body)
            except ValueError:
                event = None
            status = self.judge(answer, event)
            with open(log_path, "a") as log:
                log.write(json.dumps({"time": time.time(), "path": self.path, "headers": dict(self.headers.items()),
                                      "event": event, "answer": answer, "status": status,
                                      "wrong": wrong(event, self.path)}) + "\n")
        if answer in ("cut", "lost"):
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
        elif answer == "garbage":
            self.wfile.write(b"\0\1\2 this is no HTTP\r\n\r\n")
            self.close_connection = True
        elif answer == "noise":
            self.answer(403, b"RBAC: \x1b[2J \xff denied\n")
        elif answer == "drip":
            self.send_response(201)
            self.end_headers()
            while True:
                self.wfile.write(b"x" * 1000)
                time.sleep(0.01)
        elif answer == "hang":
            time.sleep(3600)
        elif status == 201:
            self.answer(status, body)
        else:
            headers = {"Retry_After": answer.split(":")[1]} if answer[0].isdigit() and ":" in answer else {}
            self.refuse(status, MESSAGES.get(status, "no"), **headers)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


server = Server(("127.0.0.1", 0), ApiServer)
if "CERTIFICATE" in os.environ:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(os.environ["CERTIFICATE"])
    server.socket = tls.wrap_socket(server.socket, server_side=True)
print(server.server_port, flush=True)
server.serve_forever()
