// Reads an HTML page as far as a browser without script needs it: forms, links, texts by id.

export interface HtmlPage {
  /** The element with the id, if there is one. */
  byId(id: string): HtmlElement | undefined;
  /** The value of `<body data-step>`. */
  readonly step: string | undefined;
  readonly forms: readonly Form[];
}

export interface HtmlElement {
  /** In lower case. */
  readonly name: string;
  /** Names in lower case, values decoded. */
  readonly attributes: ReadonlyMap<string, string>;
  /** All text inside it, decoded. */
  readonly text: string;
}

export interface Form {
  readonly id: string | undefined;
  readonly method: "GET" | "POST";
  /** As written; empty for the page's own address. */
  readonly action: string;
  readonly enctype: string;
  readonly controls: readonly Control[];
  readonly buttons: readonly { readonly name: string; readonly value: string }[];
}

export interface Control {
  readonly name: string;
  readonly value: string;
  /** Whether it is sent without anybody touching it. */
  readonly isOn: boolean;
}

type ReadElement = HtmlElement & {
  readonly parent: ReadElement | undefined;
  text: string;
  readonly textStart: number;
};

const token =
  /<!--[\s\S]*?-->|<[!?][^>]*>|<(\/?)([a-zA-Z][a-zA-Z0-9-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/g;
const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;
const withoutContent = new Set(["br", "hr", "img", "input", "link", "meta", "wbr"]);
/** In these a tag is text; in the first two an entity is, too. */
const withoutMarkup = new Set(["script", "style", "textarea", "title"]);
const withoutEntities = new Set(["script", "style"]);

export function readHtml(html: string): HtmlPage {
  const elements = readElements(html);
  const forms = elements.filter(({ name }) => name === "form");
  return {
    byId: (id) => elements.find(({ attributes }) => attributes.get("id") === id),
    step: elements.find(({ name }) => name === "body")?.attributes.get("data-step"),
    forms: forms.map((form) => readForm(form, elements)),
  };
}

/** Every element in the order of the page. Unclosed and stray tags are put up with. */
function readElements(html: string): ReadElement[] {
  const elements: ReadElement[] = [];
  let open: ReadElement | undefined;
  let text = "";
  let at = 0;

  function close(upTo: ReadElement): void {
    for (let inner = open; inner !== undefined; inner = inner.parent) {
      inner.text = text.slice(inner.textStart);
      open = inner.parent;
      if (inner === upTo) return;
    }
  }

  const tags = new RegExp(token);
  for (;;) {
    tags.lastIndex = at;
    const found = tags.exec(html);
    if (found === null) break;
    const [whole, slash, tagName, rest = ""] = found;
    text += decodeEntities(html.slice(at, found.index));
    at = found.index + whole.length;
    if (tagName === undefined) continue;
    const name = tagName.toLowerCase();
    if (slash === "/") {
      const opened = closest(open, name);
      if (opened) close(opened);
      continue;
    }
    const element: ReadElement = {
      name,
      attributes: readAttributes(rest),
      parent: open,
      text: "",
      textStart: text.length,
    };
    elements.push(element);
    if (withoutContent.has(name)) continue;
    open = element;
    if (!withoutMarkup.has(name)) continue;
    const end = html.slice(at).search(new RegExp(`</${name}`, "i"));
    const content = html.slice(at, end < 0 ? undefined : at + end);
    text += withoutEntities.has(name) ? content : decodeEntities(content);
    at += content.length;
  }
  text += decodeEntities(html.slice(at));
  while (open !== undefined) close(open);
  return elements;
}

function closest(from: ReadElement | undefined, name: string): ReadElement | undefined {
  let element = from;
  while (element !== undefined && element.name !== name) element = element.parent;
  return element;
}

function readAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = "", double, single, bare] of text.matchAll(attribute)) {
    const key = name.toLowerCase();
    // The first one counts.
    if (!attributes.has(key)) attributes.set(key, decodeEntities(double ?? single ?? bare ?? ""));
  }
  return attributes;
}

function readForm(form: ReadElement, elements: readonly ReadElement[]): Form {
  const id = form.attributes.get("id");
  const own = elements.filter((element) => {
    const owner = element.attributes.get("form");
    const isOwn = owner === undefined ? closest(element, "form") === form : owner === id;
    return isOwn && !element.attributes.has("disabled");
  });
  return {
    id,
    method: form.attributes.get("method")?.toLowerCase() === "post" ? "POST" : "GET",
    action: form.attributes.get("action") ?? "",
    enctype: form.attributes.get("enctype") ?? "application/x-www-form-urlencoded",
    controls: own.flatMap((element) => readControl(element, elements)),
    buttons: own.filter(isSubmitButton).map(({ attributes }) => ({
      name: attributes.get("name") ?? "",
      value: attributes.get("value") ?? "",
    })),
  };
}

function isSubmitButton({ name, attributes }: ReadElement): boolean {
  const type = attributes.get("type")?.toLowerCase();
  return name === "button"
    ? (type ?? "submit") === "submit"
    : name === "input" && type === "submit";
}

function readControl(element: ReadElement, elements: readonly ReadElement[]): Control[] {
  const { attributes } = element;
  const name = attributes.get("name") ?? "";
  if (name === "") return [];
  const value = attributes.get("value");
  switch (element.name) {
    case "input":
      switch (attributes.get("type")?.toLowerCase()) {
        case "submit":
        case "button":
        case "reset":
        case "image":
          return [];
        case "checkbox":
        case "radio":
          return [{ name, value: value ?? "on", isOn: attributes.has("checked") }];
        default:
          return [{ name, value: value ?? "", isOn: true }];
      }
    case "textarea":
      return [{ name, value: element.text, isOn: true }];
    case "select": {
      const options = elements.filter(
        (other) => other.name === "option" && closest(other, "select") === element,
      );
      const chosen = options.find((option) => option.attributes.has("selected")) ?? options[0];
      if (chosen === undefined) return [];
      return [{ name, value: chosen.attributes.get("value") ?? chosen.text.trim(), isOn: true }];
    }
    default:
      return [];
  }
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]+));/gi,
    (whole, hex, decimal, name) => {
      if (name !== undefined) return entities[name] ?? whole;
      const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    },
  );
}
