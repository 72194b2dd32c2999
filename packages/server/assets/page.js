// The script of the pages, which also work without it.
//
// Shows the buttons to copy, if the clipboard is available, to print and to download. When a page checks DNS again, by reloading or after
// its button, open <details> stay open, the focus is kept, and the result is scrolled into view: it is above
// the button, far down on a small screen. Errors are ignored, because storage can be forbidden.

function textOf(target) {
  const items = [...target.querySelectorAll("li")];
  return items.length
    ? items.map((item) => item.textContent.trim()).join("\n")
    : target.textContent;
}

(() => {
  const status = document.getElementById("copy-status");
  for (const button of navigator.clipboard ? document.querySelectorAll("button[data-copy]") : []) {
    const target = document.getElementById(button.dataset.copy);
    if (!target) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(textOf(target));
      } catch {
        getSelection().selectAllChildren(target);
        return;
      }
      const label = button.firstChild;
      const before = button.dataset.label ?? label.textContent;
      button.dataset.label = before;
      label.textContent = status.dataset.copied;
      status.textContent = "";
      setTimeout(() => {
        status.textContent = status.dataset.copied;
      }, 50);
      clearTimeout(Number(button.dataset.timer));
      button.dataset.timer = String(
        setTimeout(() => {
          label.textContent = before;
        }, 2000),
      );
    });
  }
  try {
    for (const details of document.querySelectorAll("details[id]")) {
      const key = `open:${location.pathname}#${details.id}`;
      if (sessionStorage.getItem(key)) details.open = true;
      details.addEventListener("toggle", () => {
        if (details.open) sessionStorage.setItem(key, "1");
        else sessionStorage.removeItem(key);
      });
    }
    const look = document.getElementById("look");
    if (look) {
      const key = `focus:${location.pathname}`;
      const nameOf = (element) =>
        element.id || element.dataset.copy || element.closest("form, details")?.id || "";
      const before = sessionStorage.getItem(key);
      const places = [...document.querySelectorAll("a, button, input, summary")];
      if (before && !document.querySelector("[autofocus]")) {
        const place = places.find((element) => nameOf(element) === before);
        place?.focus();
        if (place?.getAttribute("aria-describedby") === "look")
          look.scrollIntoView({ block: "nearest" });
      }
      addEventListener("pagehide", () =>
        sessionStorage.setItem(key, nameOf(document.activeElement)),
      );
    }
  } catch {}
})();

(() => {
  for (const button of document.querySelectorAll("button[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => print());
  }
  for (const button of document.querySelectorAll("button[data-download]")) {
    const target = document.getElementById(button.dataset.download);
    if (!target) continue;
    button.hidden = false;
    button.addEventListener("click", () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([`${textOf(target)}\n`], { type: "text/plain" }));
      link.download = button.dataset.file;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }
})();

// Says how long ago a time of the page was, and which time of day that is for the reader.
(() => {
  if (!document.querySelector("time[data-ago]")) return;
  const { lang } = document.documentElement;
  const relative = new Intl.RelativeTimeFormat(lang, { numeric: "auto" });
  const clock = new Intl.DateTimeFormat(lang, { timeStyle: "medium" });
  const show = () => {
    for (const time of document.querySelectorAll("time[data-ago]")) {
      const at = new Date(time.dateTime);
      const seconds = Math.min(0, Math.round((at - Date.now()) / 1000));
      const ago =
        seconds > -60
          ? relative.format(seconds, "second")
          : relative.format(Math.round(seconds / 60), "minute");
      time.textContent = `${clock.format(at)} (${ago})`;
    }
  };
  show();
  setInterval(show, 1000);
  document.addEventListener("looked", show);
})();

// Checks DNS again while the page waits for it, and shows what changed. Once the record is found, one button goes on.
(() => {
  const look = document.getElementById("look");
  const every = Number(look?.dataset.every) * 1000;
  if (!every) return;
  const slowly = Number(look.dataset.slowly) * 1000;
  const looking = document.getElementById("looking");
  const often = looking.textContent;
  looking.hidden = false;
  // When somebody opened the page or came back to it, and when the last check began.
  let cameAt = Date.now();
  let checkedAt = cameAt;
  const show = (id, html) => {
    const part = document.getElementById(id);
    if (part.innerHTML === html || part.contains(document.activeElement)) return;
    part.innerHTML = html;
  };
  let timer;
  // While a check is under way, or when there is nothing more to check.
  let isBusy = false;
  const conclude = (sentence, ...more) => {
    isBusy = true;
    const text = document.createElement("p");
    text.className = "summary";
    text.textContent = sentence;
    looking.parentElement.hidden = true;
    document.getElementById("look-result").replaceChildren(text, ...more);
  };
  // The page that the service shows for a record that was found. Screen readers hear its heading.
  const replace = (next) => {
    isBusy = true;
    document.title = next.title;
    document.body.dataset.step = next.body.dataset.step;
    document.querySelector("main").replaceWith(next.querySelector("main"));
    const heading = document.querySelector("h1");
    heading.tabIndex = -1;
    heading.focus();
    document.dispatchEvent(new Event("replaced"));
  };
  // As often as promised while somebody looks at the page, and for ten minutes; then less often.
  const later = () => {
    const isNew = Date.now() - cameAt < 600_000;
    isBusy = false;
    looking.textContent = isNew ? often : look.dataset.lessOften;
    timer = setTimeout(again, isNew && !document.hidden ? every : slowly);
  };
  // A panel whose name servers are not known at the moment may want the value in quotation marks.
  const valueIn = (page) => page.getElementById("dns-value")?.textContent.replaceAll('"', "");
  const check = async () => {
    // Says that nobody may be there: nothing that only the person should see is brought about.
    const answer = await fetch(`${location.pathname}?by-itself=yes`, { redirect: "manual" });
    if (answer.type === "opaqueredirect") {
      const link = document.createElement("a");
      link.id = "go-on";
      link.className = "button primary";
      link.href = location.pathname + location.search;
      link.textContent = look.dataset.continue;
      conclude(look.dataset.seen, link);
      return;
    }
    if (answer.ok) {
      const next = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (next.querySelector("main[data-found]")) return replace(next);
      const isOther =
        next.body.dataset.step !== document.body.dataset.step ||
        (valueIn(next) && valueIn(next) !== valueIn(document));
      // Another tab has started over. This page may be the answer to a form, which a reload would send again.
      if (isOther) return location.replace(location.pathname + location.search);
      for (const id of ["look-result", "look-time", "look-servers"]) {
        const part = next.getElementById(id);
        if (part) show(id, part.innerHTML);
      }
      document.dispatchEvent(new Event("looked"));
    }
    // After another answer, such as that the page has expired, the button says what it is.
    if (answer.ok || answer.status === 429 || answer.status >= 500) later();
    else {
      conclude(look.dataset.ended);
      document.querySelector(".by-itself").hidden = true;
    }
  };
  const again = () => {
    isBusy = true;
    checkedAt = Date.now();
    check().catch(later);
  };
  later();
  // Who comes back from the DNS panel need not wait, but who comes and goes does not make more checks than promised.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    cameAt = Date.now();
    if (isBusy) return;
    clearTimeout(timer);
    timer = setTimeout(again, checkedAt + every - cameAt);
  });
})();
