// How an Arabic sentence takes in a value that reads from left to right, or a number of things.

const firstStrongIsolate = "\u2068";
const popDirectionalIsolate = "\u2069";

/** Keeps the dots, underscores and slashes of a value in their order, and the sentence in its own (UAX #9). */
export function isolated(value: string): string {
  return `${firstStrongIsolate}${value}${popDirectionalIsolate}`;
}

/** The forms of a counted noun; one and two say the number by themselves. */
type Forms = {
  readonly one: string;
  readonly two: string;
  readonly few: string;
  readonly many: string;
  readonly other: string;
};

const categories = new Intl.PluralRules("ar");

export function counted(count: number, forms: Forms): string {
  const category = categories.select(count);
  switch (category) {
    case "one":
    case "two":
      return forms[category];
    case "few":
    case "many":
    case "other":
      return `${count} ${forms[category]}`;
    case "zero":
      return `${count} ${forms.other}`;
  }
}
