// What the English catalogue says when an external service provider has not signed the person in.

import type { Explanation } from "./en-domain.ts";

/** `sp` is the host of the service that the record names. */
export const external = {
  heading: (domain: string) => `Not signed in as ${domain}`,
  lead: (domain: string, sp: string) => `You sign in as ${domain} at ${sp}: its record says so.`,
  again: "Try again",
  detail: "In words for whoever runs that service:",
  problems: {
    unreachable: (sp: string): Explanation =>
      say(`${sp} does not answer.`, "Wait a minute, then try again."),
    not_public: (sp: string): Explanation =>
      say(
        `${sp} is not at a public address.`,
        "So we do not ask it. If the domain is yours, check the sp in its record.",
      ),
    bad_metadata: (sp: string): Explanation =>
      say(
        `${sp} does not describe itself as a service that signs people in.`,
        "If the domain is yours, check the sp in its record. Else whoever runs that service can repair this.",
      ),
    unmet_requirements: (sp: string): Explanation =>
      say(
        `${sp} lacks something that we need to be safe.`,
        "Whoever runs that service can add it. If the domain is yours, you can also name another service in its record.",
      ),
    no_client: (sp: string): Explanation =>
      say(
        `${sp} does not know us, and we could not introduce ourselves.`,
        "Try again. If it stays so, whoever runs this service has to register it there.",
      ),
    bad_answer: (sp: string): Explanation =>
      say(
        `What ${sp} answered is not in order.`,
        "So we did not believe it. Try again; if it happens again, tell whoever runs that service.",
      ),
    refused_by_sp: (sp: string): Explanation =>
      say(
        `${sp} sent you back without signing you in.`,
        "Perhaps you stopped there. You can try again.",
      ),
    other_account: (sp: string, domain: string): Explanation =>
      say(
        `At ${sp} you are signed in with another account than ${domain} names.`,
        "Sign out there, then try again with the right account. If the domain is yours, you can also name this account in its record.",
      ),
    other_domain: (sp: string, domain: string): Explanation =>
      say(
        `At ${sp} you signed in as another domain than ${domain}.`,
        `Sign in there as ${domain}, then try again.`,
      ),
    record_changed: (sp: string, domain: string): Explanation =>
      say(
        `While you were at ${sp}, the record of ${domain} changed.`,
        "We go by what it says now. Begin again.",
      ),
  },
};

function say(summary: string, ...details: string[]): Explanation {
  return { summary, details };
}
