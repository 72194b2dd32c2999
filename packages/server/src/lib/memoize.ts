/** Calls `derive` once per text, and forgets none: only for few texts, such as SQL statements. */
export function memoize<Value>(derive: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    const value = derive(text);
    known.set(text, value);
    return value;
  };
}
