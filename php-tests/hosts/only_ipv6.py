"""only_ipv6.py COMMAND...: leaves this network namespace nothing but ::1, answers at [::1]:8080, and runs the command."""

import fcntl
import http.server
import socket
import struct
import subprocess
import sys
import threading

SIOCSIFFLAGS, SIOCSIFADDR, IFF_UP = 0x8914, 0x8916, 1


class Server(http.server.ThreadingHTTPServer):
    address_family = socket.AF_INET6


class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = f"from {self.client_address[0]}".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
    fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))
    # An address of zeros removes the one that the interface has.
    fcntl.ioctl(any_socket, SIOCSIFADDR, struct.pack("16sHH4s8x", b"lo", socket.AF_INET, 0, bytes(4)))
server = Server(("::1", 8080), Answer)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.exit(subprocess.run(sys.argv[1:]).returncode)
