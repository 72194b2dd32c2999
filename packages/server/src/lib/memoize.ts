/** Calls `derive` once for each text. For texts of which there are few, such as SQL statements: no text is forgotten. */
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
