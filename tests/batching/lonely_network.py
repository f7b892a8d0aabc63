"""Run a command in a network of its own, and print the addresses outside of loopback that it sends packets to.

Every address is routed to the loopback interface of the new network, so that nothing leaves it and all packets can be
seen there.  `python lonely_network.py COMMAND...` needs root.
"""

from __future__ import annotations

import ctypes
import ipaddress
import socket
import struct
import subprocess
import sys
import threading

_ALL_PROTOCOLS, _IPV4, _IPV6 = 0x0003, 0x0800, 0x86DD
_CLONE_NEWNET = 0x40000000
_LAST = "203.0.113.1"
"""The address of the packet that is sent after all others; it is for documentation (RFC 5737)."""


def find_destination(frame: bytes) -> str:
    """Find the address that a frame of Ethernet is for; nothing for other protocols."""
    (protocol,) = struct.unpack("!H", frame[12:14])
    if protocol == _IPV4:
        return socket.inet_ntop(socket.AF_INET, frame[30:34])
    return socket.inet_ntop(socket.AF_INET6, frame[38:54]) if protocol == _IPV6 else ""


def main() -> int:
    """Run the command, and return its exit code."""
    if ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "a network of its own needs root")
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    subprocess.run(["ip", "route", "add", "local", "default", "dev", "lo"], check=True)
    found: set[str] = set()
    all_seen = threading.Event()
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ALL_PROTOCOLS)) as packets:

        def look() -> None:
            while not all_seen.is_set():
                address = find_destination(packets.recv(65_535))
                if address == _LAST:
                    all_seen.set()
                elif address and not ipaddress.ip_address(address).is_loopback:
                    found.add(address)

        looking = threading.Thread(target=look)
        looking.start()
        done = subprocess.run(sys.argv[1:], check=False)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            while not all_seen.wait(0.1):  # a full buffer drops packets
                last.sendto(b"", (_LAST, 9))
        looking.join()
    print(*sorted(found))
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
