// Tests of which addresses are public: each special range by its first and last address, and their neighbours.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../../verify/test/support/random-seed.ts";
import { isPublicUnicast } from "./public-address.ts";

describe("a public unicast address is let through:", () => {
  it.each([
    ...["1.1.1.1", "8.8.8.8", "1.0.0.0", "9.255.255.255", "11.0.0.0", "126.255.255.255"],
    ...["100.63.255.255", "100.128.0.0", "128.0.0.0", "169.253.255.255", "169.255.0.0"],
    ...["172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0", "192.88.98.255", "192.88.100.0"],
    ...["192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255"],
    ...["198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255"],
    ...["2606:4700:4700::1111", "2001:4860:4860::8888", "2001:200::1", "2001:db7:ffff::1"],
    ...["2001:db9::1", "2001:ffff::1", "2003::1", "2a00::1", "2606:4700:0:1:2:3:4:5"],
    ...["3ffe:ffff::1", "3fff:1000::1"],
  ])("%s", (address) => {
    expect(isPublicUnicast(address)).toBe(true);
  });
});

describe("every other address is refused:", () => {
  it.each<[string, ...string[]]>([
    ["unspecified and this network", "0.0.0.0", "0.1.2.3", "0.255.255.255", "::"],
    ["loopback", "127.0.0.0", "127.0.0.1", "127.255.255.255", "::1"],
    ["private", "10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255"],
    ["private", "192.168.0.0", "192.168.255.255"],
    ["link-local", "169.254.0.0", "169.254.169.254", "169.254.255.255", "fe80::1", "febf::1"],
    ["site-local", "fec0::1", "feff::1"],
    ["shared by carriers (CGNAT)", "100.64.0.0", "100.127.255.255"],
    ["unique local", "fc00::1", "fd00:ec2::254", "fdff:ffff::1"],
    ["multicast", "224.0.0.1", "239.255.255.255", "ff00::1", "ff02::fb", "ffff::1"],
    ["broadcast", "255.255.255.255"],
    ["reserved", "240.0.0.0", "255.255.255.254"],
    ["for protocols", "192.0.0.0", "192.0.0.255", "2001:1::1", "2001:1ff::1"],
    ["documentation", "192.0.2.1", "198.51.100.1", "203.0.113.255"],
    ["documentation", "2001:db8::1", "2001:db8:ffff::1", "3fff::1", "3fff:fff::1"],
    ["benchmarking", "198.18.0.0", "198.19.255.255", "2001:2::1"],
    ["6to4 and its relays", "192.88.99.0", "192.88.99.255", "2002::1", "2002:7f00:1::1"],
    ["Teredo", "2001::1", "2001:0:7f00:1::1"],
    ["ORCHID", "2001:10::1", "2001:2f:ffff::1"],
    ["IPv4 in IPv6", "::ffff:7f00:1", "::ffff:127.0.0.1", "::ffff:808:808", "::ffff:8.8.8.8"],
    ["IPv4 in IPv6", "::7f00:1", "::808:808", "::ffff:0:808:808"],
    ["NAT64", "64:ff9b::808:808", "64:ff9b::7f00:1", "64:ff9b:1::1", "64:ff9b:1:ffff::1"],
    ["discard-only", "100::1", "100:0:0:1::1"],
    ["segments of a route", "5f00::1"],
    ["not given out", "4000::1", "8000::1", "e000::1", "200::1", "1fff::1"],
  ])("%s", (_, ...addresses) => {
    expect(addresses.filter(isPublicUnicast)).toEqual([]);
  });
});

describe("what is not the plain text of an address is refused:", () => {
  it.each<[string, ...string[]]>([
    ["nothing", "", " ", "."],
    ["names", "localhost", "example.com", "8.8.8.8.example"],
    ["numbers", "134744072", "0x08080808", "8"],
    ["other bases and zeros", "010.8.8.8", "0x8.8.8.8", "8.8.8.08", "08.8.8.8"],
    ["fewer or more parts", "8.8", "8.8.8", "8.8.8.8.8", "8.8.8.8."],
    ["what stands around it", " 8.8.8.8", "8.8.8.8 ", "8.8.8.8\n", "8.8.8.8:53", "8.8.8.8/32"],
    ["zones", "2606:4700::1%eth0", "2606:4700::1%0", "fe80::1%eth0"],
    ["brackets", "[2606:4700::1]"],
    ["other spellings", "2606:4700:0:0:0:0:0:1", "2606:4700::0001", "2606:4700:0000::1"],
    ["other spellings", "2A00::1", "2606:4700::a:0:0:0:1", "2606:4700::8.8.8.8"],
    ["other digits", "８.8.8.8", "8。8。8。8", "②.2.2.2"],
    ["too large", "256.8.8.8", "2606:4700::12345", "1:2:3:4:5:6:7:8:9"],
  ])("%s", (_, ...texts) => {
    expect(texts.filter(isPublicUnicast)).toEqual([]);
  });

  it("whatever the text, it is an answer and no exception", () => {
    fc.assert(fc.property(fc.string(), (text) => typeof isPublicUnicast(text) === "boolean"));
    fc.assert(fc.property(fc.ipV6(), (text) => typeof isPublicUnicast(text) === "boolean"));
  });
});
