// DNS providers, recognized by the name servers of a zone, and what a person finds in each provider's panel.

import { labelsOf } from "domain-signin-verify/dns/name";
import { readPackageFile } from "../lib/package-file.ts";

/**
 * "splits_at_space": cuts a value without quotation marks at each space. "refuses_over_255": the person has to split a
 * longer value. "slow": the name servers get a change after ten minutes or later.
 */
export type PanelFlaw = "splits_at_space" | "refuses_over_255" | "slow";

/** The page on which a provider's customers edit their zones. */
export interface Panel {
  readonly name: string;
  /** A public page of the provider, which may ask the person to sign in. */
  readonly link: string;
  /** What the panel calls the field for the name of a record. */
  readonly hostField: string;
  /** Whether the panel appends the name of the zone to what the person enters. */
  readonly addsZone: boolean;
  /** Whether the person has to enter a TXT value in quotation marks. */
  readonly wantsQuotes: boolean;
  readonly flaws: readonly PanelFlaw[];
}

/** An entry of `data/dns-panels.json`, as `docs/dns-panels.md` describes it. In a suffix, `#` stands for digits. */
export interface PanelEntry extends Panel {
  readonly suffixes: readonly string[];
  /** Suffixes of name servers of others, which the provider uses beside its own. */
  readonly alsoUses?: readonly string[];
}

/** The panel of the provider to which all of a zone's name servers belong. The names are canonical. */
export type PanelOf = (nameServers: readonly string[]) => Panel | null;

/** Without `entries`, for those of the package, which are read when they are first needed. */
export function createPanelOf(entries?: readonly PanelEntry[]): PanelOf {
  const readEntries = () => (entries ?? readPanelEntries()).map(matcherOf);
  let matchers: ReturnType<typeof readEntries> | undefined;
  return (nameServers) => {
    matchers ??= readEntries();
    // If the name servers belong to two providers, the zone may be edited at either.
    const found = matchers.find(
      ({ isOwn, isOther }) =>
        nameServers.some(isOwn) && nameServers.every((name) => isOwn(name) || isOther(name)),
    );
    return found?.panel ?? null;
  };
}

export function readPanelEntries(): readonly PanelEntry[] {
  return JSON.parse(readPackageFile("data/dns-panels.json")) as readonly PanelEntry[];
}

function matcherOf({ suffixes, alsoUses = [], ...panel }: PanelEntry) {
  return { panel, isOwn: isBelowAny(suffixes), isOther: isBelowAny(alsoUses) };
}

function isBelowAny(suffixes: readonly string[]) {
  const patterns = suffixes.map((suffix) => labelsOf(suffix).map(patternOf));
  return (name: string) => {
    const labels = labelsOf(name);
    return patterns.some((pattern) => {
      const first = labels.length - pattern.length;
      return first > 0 && pattern.every((label, index) => label.test(labels[first + index] ?? ""));
    });
  };
}

const patternOf = (label: string) => new RegExp(`^${label.replaceAll("#", "\\d+")}$`);
