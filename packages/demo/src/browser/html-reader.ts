// Parses an HTML page for the browser without JavaScript: forms, and elements by id.

import { type DefaultTreeAdapterTypes, parse } from "parse5";

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
  /** As written; empty means the page's own URL. */
  readonly action: string;
  readonly enctype: string;
  readonly controls: readonly Control[];
  readonly buttons: readonly { readonly name: string; readonly value: string }[];
}

export interface Control {
  readonly name: string;
  readonly value: string;
  /** Whether it is submitted if the user does not change it. */
  readonly isOn: boolean;
}

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

type ReadElement = HtmlElement & { readonly parent: ReadElement | undefined };

export function readHtml(html: string): HtmlPage {
  const elements = parse(html).childNodes.flatMap((node) => readElements(node, undefined));
  const forms = elements.filter(({ name }) => name === "form");
  return {
    byId: (id) => elements.find(({ attributes }) => attributes.get("id") === id),
    step: elements.find(({ name }) => name === "body")?.attributes.get("data-step"),
    forms: forms.map((form) => readForm(form, elements)),
  };
}

/** The element and its descendants, in document order. */
function readElements(node: Node, parent: ReadElement | undefined): ReadElement[] {
  if (!isElement(node)) return [];
  const element: ReadElement = {
    name: node.tagName,
    attributes: new Map(node.attrs.map(({ name, value }) => [name, value])),
    text: textOf(node),
    parent,
  };
  return [element, ...node.childNodes.flatMap((child) => readElements(child, element))];
}

function isElement(node: Node): node is Element {
  return "tagName" in node;
}

function textOf(node: Node): string {
  if ("value" in node) return node.value;
  return isElement(node) ? node.childNodes.map(textOf).join("") : "";
}

function closest(from: ReadElement | undefined, name: string): ReadElement | undefined {
  let element = from;
  while (element !== undefined && element.name !== name) element = element.parent;
  return element;
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
