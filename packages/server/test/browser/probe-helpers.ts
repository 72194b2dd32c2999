// The functions that the probes of layout and focus share; they run in the page.

/** Text, like the page's own script: the compiler knows no `document` here. */
export const PROBE_HELPERS = `
  const nameOf = (element) => element.id ? "#" + element.id
    : element.tagName.toLowerCase() + " “" + element.textContent.trim().slice(0, 40) + "”";
  const isShown = (element) => element.checkVisibility() && !element.closest(".visually-hidden");
  const targets = () => [...document.querySelectorAll("a, button, input, summary")]
    .filter((element) => element.type !== "hidden" && isShown(element));
  const parts = (colour) => colour.match(/[0-9.]+/g).map(Number);
  const luminance = (colour) => {
    const [r, g, b] = parts(colour).map((part) => part / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (parts(colour)[3] !== 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
`;
