// Tests of parsing a domain that a user typed.

import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import "../../../verify/test/support/random-seed.ts";
import { type DomainMistake, readDomain } from "./domain-name.ts";

function read(input: string, ...allowed: string[]) {
  return readDomain(input, { allowedSpecialNames: allowed });
}

function accepted(input: string, ...allowed: string[]): string {
  const result = read(input, ...allowed);
  return result.ok ? result.domain : `refused: ${result.mistake}`;
}

function mistakeIn(input: string, ...allowed: string[]): DomainMistake | "none" {
  const result = read(input, ...allowed);
  return result.ok ? "none" : result.mistake;
}

/** `about` of a refused input; undefined for an accepted domain. */
function aboutOf(input: string): string | undefined {
  const result = read(input);
  return result.ok ? undefined : result.about;
}

const row = (letter: string, length: number) => letter.repeat(length);
/** A name of the given length. */
const domainOfOctets = (octets: number) =>
  `${`${row("a", 60)}.`.repeat(3)}${row("b", octets - 186)}.de`;

describe("a domain is read however it was written", () => {
  test.each([
    ["alice.com"],
    ["  alice.com\t\n"],
    ["ALICE.com"],
    ["alice.com."],
    ["alice.com/"],
    ["@alice.com"],
    ["http://alice.com"],
    ["https://alice.com"],
    ["HTTPS://Alice.Com/"],
    [" https://alice.com./ "],
    ["alice。com"],
    ["alice．com"],
    ["alice｡com｡"],
    ["ａｌｉｃｅ.com"],
  ])("%j is alice.com", (input) => {
    expect(accepted(input)).toBe("alice.com");
  });

  test.each([
    ["shop.alice.com", "shop.alice.com"],
    // One person of a team, as in docs/sp-record.md.
    ["ann.company.com", "ann.company.com"],
    ["a.b.c.d.alice.co.uk", "a.b.c.d.alice.co.uk"],
    ["3com.com", "3com.com"],
    ["127.com", "127.com"],
    ["a-b.com", "a-b.com"],
  ])("%s stays what it is", (input, domain) => {
    expect(accepted(input)).toBe(domain);
  });
});

describe("a domain in other scripts becomes A-labels (UTS #46, strict, non-transitional)", () => {
  test.each([
    ["münchen.example", "xn--mnchen-3ya.example"],
    ["MÜNCHEN.example", "xn--mnchen-3ya.example"],
    ["mu\u0308nchen.example", "xn--mnchen-3ya.example"],
    ["xn--mnchen-3ya.example", "xn--mnchen-3ya.example"],
    ["XN--MNCHEN-3YA.example", "xn--mnchen-3ya.example"],
    ["straße.example", "xn--strae-oqa.example"],
    ["кц.рф", "xn--j1ay.xn--p1ai"],
    // Cyrillic а: not the same name as apple.example.
    ["аpple.example", "xn--pple-43d.example"],
  ])("%s is %s", (input, domain) => {
    expect(accepted(input, "example")).toBe(domain);
  });
});

describe("what is not a domain is refused, each mistake with its own name", () => {
  test.each<[string, DomainMistake]>([
    ["", "empty"],
    [" \t ", "empty"],
    ["@", "empty"],
    ["https://", "empty"],
    ["me@alice.com", "email_address"],
    ["@me@alice.com", "email_address"],
    ["mailto:me@alice.com", "email_address"],
    ["alice.com/path", "url_with_path"],
    ["https://alice.com/path", "url_with_path"],
    ["https://alice.com:443", "url_with_path"],
    ["https://alice.com?q", "url_with_path"],
    ["https://alice.com#top", "url_with_path"],
    ["alice.com//", "url_with_path"],
    ["ftp://alice.com", "url_with_path"],
    ["com", "single_label"],
    ["alice", "single_label"],
    ["192.0.2.1", "ip_address"],
    ["http://192.0.2.1/", "ip_address"],
    ["１９２.0.2.1", "ip_address"],
    ["2001:db8::1", "ip_address"],
    ["[2001:db8::1]", "ip_address"],
    ["alice.123", "numeric_tld"],
    ["0x7f.1", "numeric_tld"],
    ["127.1", "numeric_tld"],
    [domainOfOctets(229), "too_long"],
    [`${row("a", 64)}.com`, "too_long"],
    [`${row("ü", 63)}.com`, "too_long"],
    ["co.uk", "public_suffix"],
    ["github.io", "public_suffix"],
    ["kawasaki.jp", "public_suffix"],
    ["foo.ck", "public_suffix"],
    ["localhost", "special_use"],
    ["%61.com", "bad_characters"],
    ["xn--example-.org", "bad_characters"],
    ["xn--.com", "bad_characters"],
    ["xn--a.com", "bad_characters"],
    ["a_b.com", "bad_characters"],
    ["_domain-signin.alice.com", "bad_characters"],
    ["-a.com", "bad_characters"],
    ["a-.com", "bad_characters"],
    ["ab--cd.com", "bad_characters"],
    ["a..com", "bad_characters"],
    [".alice.com", "bad_characters"],
    ["alice.com..", "bad_characters"],
    ["*.alice.com", "bad_characters"],
    ["alice com", "bad_characters"],
    ["ali\tce.com", "bad_characters"],
    ["alice.com\0", "bad_characters"],
    ["a\u200db.com", "bad_characters"],
    ["a\u05d0.com", "bad_characters"],
    ["alice.com:443", "bad_characters"],
  ])("%j: %s", (input, mistake) => {
    expect(mistakeIn(input)).toBe(mistake);
  });

  it("an IPv6 address from the address bar is an IP address, as an IPv4 address is", () => {
    expect(mistakeIn("http://[2001:db8::1]/")).toBe("ip_address");
  });

  it("the name below a public suffix is a domain like any other", () => {
    expect(accepted("alice.co.uk")).toBe("alice.co.uk");
    expect(accepted("alice.github.io")).toBe("alice.github.io");
    expect(accepted("www.ck")).toBe("www.ck");
  });

  it("228 octets fit, so that the name of a challenge does", () => {
    expect(accepted(domainOfOctets(228))).toBe(domainOfOctets(228));
    expect(accepted(`${row("a", 63)}.com`)).toBe(`${row("a", 63)}.com`);
  });
});

describe("a special-use name is refused unless the operator allows it", () => {
  test.each([
    ...["localhost", "test", "invalid", "example", "local", "onion", "internal", "alt"],
    ...["home.arpa", "example.com"],
  ])("%s", (special) => {
    expect(mistakeIn(`alice.${special}`)).toBe("special_use");
    expect(mistakeIn(`alice.${special.toUpperCase()}.`)).toBe("special_use");
    expect(accepted(`alice.${special}`, special)).toBe(`alice.${special}`);
  });

  it("all of arpa is special", () => {
    expect(mistakeIn("1.2.0.192.in-addr.arpa")).toBe("special_use");
  });

  it("allowing one allows no other, and not the bare name", () => {
    expect(accepted("alice.test", "test")).toBe("alice.test");
    expect(mistakeIn("alice.invalid", "test")).toBe("special_use");
    expect(mistakeIn("test", "test")).toBe("single_label");
  });

  it("a name that only ends in the same letters is not special", () => {
    expect(accepted("myexample.com")).toBe("myexample.com");
    expect(accepted("test.com")).toBe("test.com");
  });
});

describe("a public suffix of a private owner is refused unless the operator allows it", () => {
  const readAllowing = (domain: string, ...suffixes: string[]) => {
    const result = readDomain(domain, {
      allowedSpecialNames: [],
      allowedPrivateSuffixes: suffixes,
    });
    return result.ok ? result.domain : result.mistake;
  };

  test.each(["github.io", "blogspot.com", "us-east-1.elasticbeanstalk.com"])("%s", (suffix) => {
    expect(readAllowing(suffix)).toBe("public_suffix");
    expect(readAllowing(suffix, "other.example.com")).toBe("public_suffix");
    expect(readAllowing(suffix, suffix)).toBe(suffix);
    expect(readAllowing(` ${suffix.toUpperCase()}.`, suffix)).toBe(suffix);
  });

  it("and what is below it is a domain in any case", () => {
    expect(readAllowing("alice.github.io")).toBe("alice.github.io");
    expect(readAllowing("alice.github.io", "github.io")).toBe("alice.github.io");
  });

  test.each(["co.uk", "kawasaki.jp", "foo.ck"])(
    "but nobody owns %s, whatever is allowed",
    (suffix) => {
      expect(readAllowing(suffix, suffix, "uk", "jp", "ck")).toBe("public_suffix");
    },
  );

  it("which allows neither a bare label nor a special-use name", () => {
    expect(readAllowing("com", "com")).toBe("single_label");
    expect(readAllowing("alice.test", "alice.test", "test")).toBe("special_use");
  });
});

describe("the mistake names what the words should speak of", () => {
  test.each([
    ["me@alice.com", "alice.com"],
    ["https://me@alice.com/", "alice.com"],
    ["https://alice.com:8443/a?b#c", "alice.com"],
    ["alice.com/path", "alice.com"],
    ["https://bob@alice.com/path", "alice.com"],
    ["co.uk.", "co.uk"],
    ["ALICE.TEST", "alice.test"],
  ])("in %s: %s", (input, about) => {
    expect(aboutOf(input)).toBe(about);
  });

  test.each(["ftp://alice.com", "//alice.com/", "http:/alice.com"])(
    "in %s, which is an address of another kind, it is the domain too",
    (input) => {
      expect(aboutOf(input)).toBe("alice.com");
    },
  );

  it("is never longer than a page can bear", () => {
    expect(aboutOf(row("a.", 5000))?.length).toBeLessThanOrEqual(100);
  });

  test.each(["alice.com@", "@alice.com@", "//alice.com"])("is not left blank for %s", (input) => {
    expect(aboutOf(input)).not.toBe("");
  });
});

describe("whatever is typed", () => {
  const label = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" });
  const domainLike = fc
    .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), fc.constantFrom("com", "test", "рф"))
    .map(([labels, end]) => [...labels, end].join("."));
  const typed = fc.oneof(
    fc.string({ unit: "binary" }),
    domainLike,
    fc.domain(),
    fc.webUrl(),
    fc.emailAddress(),
    fc.ipV6(),
    fc.string({ unit: fc.constantFrom(..."aZ9.-_@:/%[]xn\u0308ü\u200d。 \0") }),
  );

  it("is answered without throwing", () => {
    fc.assert(
      fc.property(typed, (input) => {
        expect(typeof read(input, "test").ok).toBe("boolean");
      }),
      { numRuns: 2000 },
    );
  });

  it("an accepted domain is strict A-labels, and is accepted again unchanged", () => {
    let count = 0;
    fc.assert(
      fc.property(typed, (input) => {
        const first = read(input, "test");
        if (!first.ok) return;
        count += 1;
        expect(first.domain).toMatch(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{1,63}$/);
        expect(first.domain.length).toBeLessThanOrEqual(228);
        expect(read(first.domain, "test")).toEqual(first);
      }),
      { numRuns: 2000 },
    );
    expect(count).toBeGreaterThan(100);
  });
});
