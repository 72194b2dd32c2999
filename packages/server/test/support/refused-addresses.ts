// Addresses to which no stranger may send the service, a few of each kind.

/** What stands in a record as `sp`, and leads there by itself: no such issuer is even looked up. */
export const REFUSED_ISSUERS: readonly string[] = [
  ...["https://127.0.0.1", "https://10.0.0.1", "https://169.254.169.254", "https://[::1]"],
  ...[
    "https://[fd00::1]",
    "https://[::ffff:127.0.0.1]",
    "https://2130706433",
    "https://0x7f000001",
  ],
  ...["https://0177.0.0.1", "https://127.1", "https://localhost", "https://localhost."],
  ...["http://127.0.0.1:8080", "http://[::1]:8080", "http://0.0.0.0:8080", "http://sp.alice.test"],
  ...[
    "http://localhost",
    "https://user@sp.alice.test",
    "https://sp.alice.test?a",
    "ftp://sp.alice.test",
  ],
  ...["https://sp", "https://metadata", "file:///etc/passwd", "gopher://sp.alice.test"],
];

/** What the DNS of an SP answers. The public ones among them must not be connected to either. */
export const REFUSED_ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.1"],
  "another loopback": ["127.8.9.10"],
  "loopback of IPv6": ["::1"],
  unspecified: ["0.0.0.0"],
  "unspecified of IPv6": ["::"],
  "private, 10/8": ["10.0.0.1"],
  "private, 172.16/12": ["172.16.0.1"],
  "private, 192.168/16": ["192.168.1.1"],
  "link-local": ["169.254.169.254"],
  "link-local of IPv6": ["fe80::1"],
  "site-local": ["fec0::1"],
  CGNAT: ["100.64.0.1"],
  ULA: ["fd00:ec2::254"],
  mapped: ["::ffff:127.0.0.1"],
  "mapped, of a public address": ["::ffff:8.8.8.8"],
  compatible: ["::7f00:1"],
  NAT64: ["64:ff9b::7f00:1"],
  "NAT64, of a network's own": ["64:ff9b:1::1"],
  "6to4": ["2002:7f00:1::1"],
  Teredo: ["2001:0:7f00:1::1"],
  documentation: ["192.0.2.1"],
  "documentation of IPv6": ["2001:db8::1"],
  benchmarking: ["198.18.0.1"],
  multicast: ["224.0.0.1"],
  "multicast of IPv6": ["ff02::1"],
  broadcast: ["255.255.255.255"],
  reserved: ["240.0.0.1"],
  "for protocols": ["192.0.0.1"],
  "not given out": ["4000::1"],
  "one public and one private": ["8.8.8.8", "10.0.0.1"],
  "one private and one public": ["10.0.0.1", "8.8.8.8"],
  "a public one, and a private one of IPv6": ["8.8.8.8", "fd00::1"],
  "a public one of IPv6, and a private one": ["2606:4700:4700::1111", "192.168.0.1"],
};
