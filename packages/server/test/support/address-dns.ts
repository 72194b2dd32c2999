// A DNS server on loopback that gives hosts any addresses, and passes all else on to a zone of the demo.

import { createSocket } from "node:dgram";
import { connect } from "node:net";
import { openDnsPort } from "domain-signin-demo/zones/name-server";
import { decodeMessage, encodeMessage, rcode } from "domain-signin-verify/dns/message";
import { classIn, recordType } from "domain-signin-verify/dns/records";
import ipaddr from "ipaddr.js";

export interface AddressDns {
  /** "127.0.0.1:port" */
  readonly address: string;
  /** Names whose addresses were asked for, each once. */
  readonly looks: ReadonlySet<string>;
  close(): void;
}

/** Of a name that `addressesOf` does not know, it passes the question on to `upstream`. */
export async function startAddressDns(
  upstream: string,
  addressesOf: (name: string) => readonly string[] | undefined,
): Promise<AddressDns> {
  const [host = "", port = ""] = upstream.split(":");
  const looks = new Set<string>();
  const open = new Set<{ destroy(): void }>();
  const { tcp, udp, port: ownPort } = await openDnsPort();
  tcp.on("connection", (socket) => {
    const onward = connect(Number(port), host);
    for (const one of [socket, onward]) {
      open.add(one);
      one.on("error", () => {}).on("close", () => open.delete(one));
    }
    socket.pipe(onward).pipe(socket);
  });
  udp.on("message", (octets, sender) => {
    const own = answer(octets);
    if (own) {
      udp.send(own, sender.port, sender.address);
      return;
    }
    const onward = createSocket("udp4");
    const end = { destroy: () => onward.close() };
    open.add(end);
    onward.once("message", (reply) => {
      udp.send(reply, sender.port, sender.address);
      open.delete(end);
      onward.close();
    });
    onward.send(octets, Number(port), host);
  });

  function answer(octets: Buffer): Uint8Array | null {
    const query = decodeMessage(octets);
    const [question] = query.questions;
    const isForAddress = question?.type === recordType.A || question?.type === recordType.AAAA;
    const addresses = isForAddress ? addressesOf(question.name) : undefined;
    if (question === undefined || addresses === undefined) return null;
    const { name, type } = question;
    looks.add(name);
    const size = type === recordType.A ? 4 : 16;
    const rdatas = addresses
      .map((address) => Uint8Array.from(ipaddr.parse(address).toByteArray()))
      .filter(({ length }) => length === size);
    return encodeMessage({
      ...{ ...query, isResponse: true, recursionAvailable: true, rcode: rcode.noError },
      answers: rdatas.map((rdata) => ({ name, type, class: classIn, ttl: 0, rdata })),
      ...{ authorities: [], additionals: [] },
    });
  }

  return {
    address: `127.0.0.1:${ownPort}`,
    looks,
    close() {
      for (const one of [...open]) one.destroy();
      udp.close();
      tcp.close();
    },
  };
}
