// Where a value that was found differs from the wanted one, for a person who compares the two.

/** The texts of all pieces, one after another, are the value. */
export interface ValuePiece {
  readonly text: string;
  readonly isDifferent: boolean;
}

/** A tag, and where it begins in the value. */
interface PlacedTag {
  readonly text: string;
  readonly at: number;
}

/** What is different, from its first character to the first that is the same again. */
type Range = readonly [from: number, to: number];

/** White space and semicolons separate tags; how many there are makes no difference. */
const GAP = /((?:[ \t;]|\\;)+)/;

/**
 * The pieces of `found`. Each tag is compared with the tag of the same name in `wanted`: what is between their common
 * start and their common end is different. Where something is missing, its neighbours are. Takes linear time.
 */
export function differenceOf(found: string, wanted: string): readonly ValuePiece[] {
  const [tags, wantedTags] = [tagsOf(found), tagsOf(wanted)];
  const byName = new Map(wantedTags.map((tag) => [nameOf(tag), tag.text]));
  const ranges =
    textOf(tags) === textOf(wantedTags)
      ? differentGaps(tags, wantedTags)
      : tags.map((tag) => differentRange(tag, byName.get(nameOf(tag)) ?? ""));
  return piecesOf(found, ranges);
}

function tagsOf(value: string): PlacedTag[] {
  let at = 0;
  const parts = value.split(GAP).map((text) => {
    const part = { text, at };
    at += text.length;
    return part;
  });
  return parts.filter(({ text }, index) => index % 2 === 0 && text !== "");
}

const textOf = (tags: readonly PlacedTag[]) => tags.map(({ text }) => text).join("");

/** The tags of the value, one directly after another. */
export function withoutGaps(value: string): string {
  return textOf(tagsOf(value));
}

/** Quotation marks and upper case are mistakes, not another name. */
function nameOf({ text }: PlacedTag): string {
  const equals = text.indexOf("=");
  const name = equals < 0 ? text : text.slice(0, equals);
  return name.toLowerCase().replace(/[^a-z0-9-]/g, "");
}

function differentRange({ text, at }: PlacedTag, wanted: string): Range {
  const shorter = Math.min(text.length, wanted.length);
  let start = 0;
  while (start < shorter && text[start] === wanted[start]) start += 1;
  let end = 0;
  while (end < shorter - start && text.at(-1 - end) === wanted.at(-1 - end)) end += 1;
  const isMissing = start + end === text.length && text.length < wanted.length;
  const beside = isMissing ? 1 : 0;
  const from = Math.max(start - beside, 0);
  const to = Math.min(text.length - end + beside, text.length);
  return [at + from, at + to];
}

/** Each gap that only `found` has, and the neighbours of each that only `wanted` has. The tags are equal otherwise. */
function differentGaps(found: readonly PlacedTag[], wanted: readonly PlacedTag[]): Range[] {
  const gaps = new Set<number>();
  let before = 0;
  for (const { text } of wanted) {
    gaps.add(before);
    before += text.length;
  }
  before = 0;
  let end = 0;
  return found.flatMap(({ text, at }) => {
    const isNew = before > 0 && !gaps.has(before);
    const between: Range[] = isNew ? [[end, at]] : [];
    const inside = Array.from(text, (_, index) => index).slice(1);
    const lost = inside.filter((index) => gaps.has(before + index));
    before += text.length;
    end = at + text.length;
    return [...between, ...lost.map((index): Range => [at + index - 1, at + index + 1])];
  });
}

/** `ranges` in their order. */
function piecesOf(value: string, ranges: readonly Range[]): ValuePiece[] {
  let at = 0;
  const pieces = ranges.flatMap(([from, to]) => {
    const [before, different] = [value.slice(at, from), value.slice(Math.max(at, from), to)];
    at = Math.max(at, to);
    return [
      { text: before, isDifferent: false },
      { text: different, isDifferent: true },
    ];
  });
  return [...pieces, { text: value.slice(at), isDifferent: false }].filter(
    ({ text }) => text !== "",
  );
}
