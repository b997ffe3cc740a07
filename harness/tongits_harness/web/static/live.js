// Renews the live part of a page with what the server has rendered; computes nothing itself.
"use strict";
(() => {
  const live = document.getElementById("live");
  const pause = document.getElementById("pause");
  const news = document.getElementById("news");
  if (!live || !document.body.dataset.events) return;
  if (location.search) return; // a filtered or sorted page stays as it was asked for
  let isPaused = false;
  let waiting = null;
  let toldAt = 0;
  const ranks = () => new Map([...live.querySelectorAll("tr[data-name]")].map((row) => [row.dataset.name, row.dataset.rank]));
  const show = (event) => {
    const before = ranks();
    const focus = document.activeElement?.getAttribute("href");
    live.innerHTML = event.html;
    live.dataset.renewed = String(Number(live.dataset.renewed || 0) + 1);
    if (focus) live.querySelector(`a[href="${CSS.escape(focus)}"]`)?.focus();
    const moved = [];
    for (const [name, rank] of ranks()) {
      if (before.has(name) && before.get(name) !== rank) {
        live.querySelector(`tr[data-name="${CSS.escape(name)}"]`)?.classList.add("moved");
        moved.push(`${name} is now ${rank}`);
      }
    }
    if (moved.length && Date.now() - toldAt > 5000) {
      toldAt = Date.now();
      news.textContent = moved.slice(0, 3).join(", ");
    }
  };
  const source = new EventSource(document.body.dataset.events);
  source.addEventListener("board", (message) => {
    const event = JSON.parse(message.data);
    if (isPaused) waiting = event; else show(event);
  });
  pause.hidden = false;
  pause.addEventListener("click", () => {
    isPaused = !isPaused;
    pause.setAttribute("aria-pressed", String(isPaused));
    pause.textContent = isPaused ? "Go on" : "Pause";
    if (!isPaused && waiting) { show(waiting); waiting = null; }
  });
  addEventListener("pagehide", () => source.close());
})();
