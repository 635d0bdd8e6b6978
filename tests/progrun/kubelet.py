# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# kubelet.py - stands in for a kubelet: answers /pods in the way that a file says.
#
# usage: kubelet.py DIRECTORY [tls]
#
# DIRECTORY has pods.json; way, which says how to answer; token, which is expected if it is there;
# rights, which the token has if it is there; and with tls, cert.pem and key.pem. The port goes to
# DIRECTORY/port, each request to DIRECTORY/requests.
#
# rights has a line "KUBERNETES_MINOR SUBRESOURCE..." of nodes that "get" is allowed on. By it the request is authorized
# as Kubernetes' documentation has it ("Kubelet authentication/authorization", KEP-2862): all that is neither stats,
# metrics nor logs is `proxy`; from 1.33 on some paths are asked for under names of their own first, and as `proxy` then.
import http.server
import json
import os
import socket
import socketserver
import ssl
import sys
import time

directory = sys.argv[1]


def read(name, default=b""):
    try:
        with open(os.path.join(directory, name), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return default


OWN_NAMES = {"stats": "stats", "metrics": "metrics", "logs": "log"}
FINE_GRAINED = {"pods": "pods", "runningpods": "pods", "healthz": "healthz", "configz": "configz"}


def subresources(path, minor):
    """Those of which one is enough for a path."""
    first = path.split("?")[0].strip("/").split("/")[0]
    if first in OWN_NAMES:
        return [OWN_NAMES[first]]
    return [FINE_GRAINED[first], "proxy"] if minor >= 33 and first in FINE_GRAINED else ["proxy"]


class Kubelet(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body, content_type="text/plain", **headers):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def chunked(self, body):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for start in range(0, len(body), 100):
            part = body[start:start + 100]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
        self.wfile.write(b"0\r\n\r\n")

    def endless(self):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        while True:
            self.wfile.write(b"100000\r\n%s\r\n" % (b" " * (1 << 20)))

    def cut(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:len(body) // 2])
        self.close_connection = True

    def forbidden(self):
        """The kubelet's own text if the rights do not suffice, or None."""
        minor, *granted = read("rights").decode().split() or ["0"]
        wanted = subresources(self.path, int(minor))
        if minor == "0" or set(wanted) & set(granted):
            return None
        named = f"subresource(s)=[{' '.join(wanted)}]" if int(minor) >= 33 else f"subresource={wanted[0]}"
        user = "system:serviceaccount:cgtopdown:cgtopdown"
        return f"Forbidden (user={user}, verb=get, resource=nodes, {named})\n".encode()

    def do_GET(self):
        way = read("way", b"200").decode().strip()
        pods = read("pods.json")
        token = read("token").decode().strip()
        with open(os.path.join(directory, "requests"), "a") as file:
            file.write(json.dumps({"path": self.path, "way": way, "time": time.time(),
                                   "authorization": self.headers.get("Authorization")}) + "\n")
        if token and self.headers.get("Authorization") != "Bearer " + token:
            self.answer(401, b"Unauthorized")
        elif self.forbidden():
            self.answer(403, self.forbidden())
        elif self.path != "/pods":
            self.answer(404, b"404 page not found\n")
        elif way == "200":
            self.answer(200, pods, "application/json")
        elif way == "403":
            self.answer(403, b"Forbidden (user=system:serviceaccount:kube-system:cgtopdown, verb=get, "
                             b"resource=nodes, subresource=proxy)\nmore")
        elif way == "redirect":
            self.answer(302, b"", Location="/elsewhere")
        elif way == "garbage":
            self.answer(200, b"\x00\xff<html>")
        elif way == "nothing":
            self.answer(200, b"")
        elif way == "close":
            self.close_connection = True
        elif way == "chunked":
            self.chunked(pods)
        elif way == "endless":
            self.endless()
        elif way == "cut":
            self.cut(pods)
        elif way == "slow":
            time.sleep(60)
        elif way == "500":
            self.answer(500, b"etcd \x1b[31mis away")


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


address = os.environ.get("KUBELET_ADDRESS", "127.0.0.1")
if ":" in address:
    Server.address_family = socket.AF_INET6
server = Server((address, 0), Kubelet)
if sys.argv[2:] == ["tls"]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(directory, "cert.pem"), os.path.join(directory, "key.pem"))
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
with open(os.path.join(directory, "port.new"), "w") as file:
    file.write(str(server.server_port))
os.rename(os.path.join(directory, "port.new"), os.path.join(directory, "port"))
server.serve_forever()
