// DNS messages on a stream: two octets of length go before each (RFC 1035 §4.2.2, RFC 7766 §8).

/** In one piece, so that it is sent in one segment. */
export function framed(message: Uint8Array): Buffer {
  return Buffer.concat([Uint8Array.of(message.length >> 8, message.length), message]);
}

/** Takes what is received, in whatever pieces, and passes on each whole message: at most 64 KiB wait. */
export function readFrames(onMessage: (message: Buffer) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let received = 0;
  let wanted = 2;
  return (chunk) => {
    chunks.push(chunk);
    received += chunk.length;
    while (received >= wanted) {
      // Only here: a message that comes octet by octet must not be copied for each octet.
      const [first] = chunks;
      const octets = first && chunks.length === 1 ? first : Buffer.concat(chunks);
      const end = 2 + octets.readUInt16BE(0);
      const isWhole = octets.length >= end;
      const rest = isWhole ? octets.subarray(end) : octets;
      chunks = [rest];
      received = rest.length;
      wanted = isWhole ? 2 : end;
      if (isWhole) onMessage(octets.subarray(2, end));
    }
  };
}
