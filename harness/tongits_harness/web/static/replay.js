// Shows the frames of a game one by one. All figures are in the page; nothing is worked out here.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const frames = data.frames;
  const byId = (id) => document.getElementById(id);
  const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
  const RANKS = { A: "ace", T: "10", J: "jack", Q: "queen", K: "king" };
  const SPEEDS = [0.5, 1, 2, 4, 8];
  const SVG = "http://www.w3.org/2000/svg";
  let at = 0;
  let timer = null;
  let speed = 1;
  let kinds = "all";

  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value === false || value === null || value === undefined) continue;
      if (key === "on") for (const [event, run] of Object.entries(value)) element.addEventListener(event, run);
      else element.setAttribute(key, value === true ? "" : String(value));
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  };
  const shape = (name, attributes) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    return element;
  };
  const split = (cards) => (cards ? cards.split(" ") : []);

  // -- cards and the table ------------------------------------------------------------------------
  const card = (text, classes = "") => {
    const [rank, suit] = text;
    const sign = shape("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" });
    const use = shape("use", {});
    use.setAttribute("href", `#suit-${suit}`);
    sign.append(use);
    const label = `${RANKS[rank] ?? rank} of ${SUITS[suit]}`;
    return make("span", { class: `card ${SUITS[suit]} ${classes}`, role: "img", "aria-label": label }, make("b", {}, rank === "T" ? "10" : rank), sign);
  };
  const back = (count) => make("span", { class: "backs", role: "img", "aria-label": `${count} cards face down` },
    ...Array.from({ length: Math.min(count, 13) }, () => make("i", {})), make("span", { class: "count" }, String(count)));

  const meld = (frame, [owner, cards, size, down, laid], number) => {
    const added = new Map(laid);
    const shown = cards ? split(cards).map((one) => {
      const drawn = card(one, added.has(one) ? `laid by${added.get(one)}` : "");
      if (added.has(one)) drawn.append(make("em", {}, `s${added.get(one)}`));
      return drawn;
    }) : [back(size)];
    return make("span", { class: `meld of${owner}${down ? " down" : ""}`, title: `meld ${number} of seat ${owner}` }, ...shown);
  };

  const seat = (frame, number, place) => {
    const isActing = frame.s === number;
    const hand = frame.h[number];
    const marks = [];
    if (data.dealer === number) marks.push("deals");
    if (!frame.o[number]) marks.push("not open");
    if (frame.b[number]) marks.push("blocked from calling");
    const foreign = data.view === "all" && !isActing ? "unknown" : "";
    return make("div", { class: `seat ${place} s${number}${isActing ? " acting" : ""}` },
      make("p", { class: "who" }, make("b", {}, data.names[number]), ` seat ${number}`, isActing ? make("span", { class: "turn" }, " to act") : null,
        marks.length ? make("span", { class: "marks" }, ` ${marks.join(", ")}`) : null,
        frame.w[number] === null ? null : make("span", { class: "marks" }, ` ${frame.w[number]} points`)),
      make("div", { class: "hand" }, ...(hand === null ? [back(frame.n[number])] : split(hand).map((one) => card(one, foreign)))),
      make("div", { class: "melds" }, ...frame.m.map((one, index) => (one[0] === number ? meld(frame, one, index) : null))));
  };

  const draw = (frame) => {
    const me = data.view.startsWith("seat") ? Number(data.view[4]) : 0;
    const pile = split(frame.x);
    const table = byId("table");
    table.replaceChildren(
      seat(frame, (me + 2) % 3, "left"), seat(frame, (me + 1) % 3, "right"),
      make("div", { class: "middle" },
        make("div", { class: "stock" }, back(frame.k), make("span", { class: "marks" }, "stock")),
        make("div", { class: "pile" }, ...pile.slice(-14).map((one, index, all) => card(one, index === all.length - 1 ? "last" : "under")),
          make("span", { class: "marks" }, pile.length ? `${pile.length} discarded` : "no discard"))),
      seat(frame, me, "bottom"));
  };

  // -- the decision -------------------------------------------------------------------------------
  const thinks = (number) => frames.filter((one) => one.s === number && one.q === "d").map((one) => one.u);
  const decision = (frame) => {
    const box = byId("decision");
    const parts = [make("h2", {}, `Decision ${frame.d}: ${data.names[frame.s]}, ${frame.p}`)];
    if (frame.l) {
      const words = frame.q === "f" ? "the only legal action" : `1 of ${frame.l.length} legal actions`;
      parts.push(make("p", {}, make("b", {}, frame.a), ` (${words})`));
      parts.push(make("ul", { class: "chips" }, ...frame.l.map((text) =>
        make("li", { class: text === frame.a ? "chosen" : "", "aria-current": text === frame.a ? "true" : null }, text))));
    } else {
      parts.push(make("p", {}, `${frame.a}. What there was to choose from is not seen from here.`));
    }
    if (frame.q === "d" && frame.u !== null) {
      const ms = frame.u / 1000;
      const own = thinks(frame.s);
      const slower = own.filter((one) => one < frame.u).length;
      const bar = shape("svg", { viewBox: "0 0 200 8", class: "think", "aria-hidden": "true" });
      bar.append(shape("rect", { width: 200, height: 8, class: "limit" }),
        shape("rect", { width: Math.max(1, Math.min(200, 200 * ms / (data.limit_ms || ms))), height: 8, class: "used" }));
      parts.push(make("p", { class: "small" }, bar, ` ${ms.toFixed(2)} ms${data.limit_ms ? ` of ${data.limit_ms}` : ""}; slower than ${slower} of its ${own.length} decisions in this game`));
    }
    for (const [kind, message, charged, forfeit] of frame.f) {
      parts.push(make("p", { class: "fault" }, make("span", { class: "tag bad" }, kind), ` ${message}`,
        make("br", {}), `played instead: ${frame.a}; ${charged ? "charged" : "not charged"}${forfeit ? ", forfeits the match" : ""}`));
    }
    if (frame.r) parts.push(make("p", { class: "note" }, `note: ${frame.r}`));
    box.replaceChildren(...parts);
  };

  // -- events, marks, controls --------------------------------------------------------------------
  const isMeld = (frame) => frame.e.some(([, text]) => /^(exposed|took|concealed|laid off)/.test(text));
  const isCall = (frame) => frame.p === "respond" || frame.e.some(([, text]) => text.startsWith("called"));
  const isFault = (frame) => frame.f.length > 0;
  const long = (() => {
    const all = frames.filter((one) => one.q === "d").map((one) => one.u).sort((a, b) => a - b);
    const bound = all.length ? all[Math.floor(all.length * 0.95)] : Infinity;
    return (frame) => frame.q === "d" && frame.u > 0 && frame.u >= bound;
  })();
  const KINDS = { all: () => true, melds: isMeld, calls: isCall, faults: isFault, "long thinks": long };

  const listEvents = () => {
    byId("events").replaceChildren(...frames.filter(KINDS[kinds]).map((frame) =>
      make("li", { "data-d": frame.d }, make("button", { type: "button", on: { click: () => go(frame.d) } },
        `${frame.t}. ${data.names[frame.s]} ${frame.e.filter(([who]) => who === frame.s).map(([, text]) => text).join(", ") || frame.a}`,
        isFault(frame) ? make("span", { class: "tag bad" }, frame.f[0][0]) : null))));
  };
  const drawMarks = () => {
    const marks = byId("marks");
    const width = 1000 / frames.length;
    const most = Math.max(1, ...frames.map((one) => one.u ?? 0));
    marks.replaceChildren(...frames.flatMap((frame) => {
      const height = 4 + 12 * Math.sqrt((frame.u ?? 0) / most);
      const bar = shape("rect", { x: frame.d * width, y: 24 - height, width: Math.max(width - 0.6, 0.6), height, class: `m${frame.s}` });
      const extra = isFault(frame) ? "mf" : isCall(frame) ? "mc" : isMeld(frame) ? "mm" : "";
      return extra ? [bar, shape("rect", { x: frame.d * width, y: 0, width: Math.max(width - 0.6, 2), height: 5, class: extra })] : [bar];
    }));
  };
  const next = (from, step, fits) => {
    for (let number = from + step; number >= 0 && number < frames.length; number += step) if (fits(frames[number])) return number;
    return from;
  };
  const go = (number, isByHand = true) => {
    at = Math.min(Math.max(number, 0), frames.length - 1);
    const frame = frames[at];
    draw(frame);
    decision(frame);
    byId("say").textContent = frame.say;
    byId("scrubber").value = String(at);
    byId("scrubber").setAttribute("aria-valuetext", `decision ${at} of ${frames.length}`);
    for (const item of byId("events").children) {
      const isHere = Number(item.dataset.d) === at;
      item.toggleAttribute("aria-current", isHere);
      if (isHere) item.parentElement.scrollTop = item.offsetTop - item.parentElement.clientHeight / 2;
    }
    for (const link of document.querySelectorAll(".views a, .others a")) link.hash = link.closest(".views") ? `d${at}` : "";
    if (isByHand) history.replaceState(null, "", `#d${at}`);
  };
  const play = () => {
    if (timer !== null) { clearTimeout(timer); timer = null; byId("play").textContent = "Play"; return; }
    byId("play").textContent = "Stop";
    const step = () => {
      if (at + 1 >= frames.length) { timer = null; byId("play").textContent = "Play"; return; }
      go(at + 1);
      timer = setTimeout(step, 900 / speed);
    };
    timer = setTimeout(step, 900 / speed);
  };
  const turn = (step) => go(next(at, step, (frame) => frame.t !== frames[at].t));
  const jump = (fits) => go(next(at, 1, fits));
  const ACTIONS = [
    ["First", "Home", () => go(0)],
    ["Turn back", "Shift+←", () => turn(-1)],
    ["Back", "←", () => go(at - 1)],
    ["Play", "Space", play, "play"],
    ["Step", "→", () => go(at + 1)],
    ["Turn", "Shift+→", () => turn(1)],
    ["Last", "End", () => go(frames.length - 1)],
    ["Meld", "m", () => jump(isMeld)],
    ["Call", "c", () => jump(isCall)],
    ["Fault", "f", () => jump(isFault)],
    ["Long think", "t", () => jump(long)],
  ];
  const controls = () => {
    const pick = make("select", { "aria-label": "Speed", on: { change: (event) => { speed = Number(event.target.value); } } },
      ...SPEEDS.map((one) => make("option", { value: one, selected: one === 1 }, `${one}×`)));
    const colours = make("button", { type: "button", "aria-pressed": "false", on: { click: (event) => {
      const isFour = byId("table").classList.toggle("four");
      event.target.setAttribute("aria-pressed", String(isFour));
    } } }, "Four colours");
    byId("controls").replaceChildren(
      ...ACTIONS.map(([words, key, run, id]) => make("button", { type: "button", id: id ?? null, title: key, on: { click: run } }, words)),
      pick, colours, make("span", { class: "small" }, " Keys: arrows, Shift for turns, space, Home, End, m c f t, 0 to 3 for views"));
    byId("filters").replaceChildren(...Object.keys(KINDS).map((kind) => make("button", {
      type: "button", "aria-pressed": String(kind === kinds), on: { click: () => { kinds = kind; controls(); listEvents(); go(at, false); } },
    }, kind)));
  };
  const KEYS = {
    ArrowLeft: (event) => (event.shiftKey ? turn(-1) : go(at - 1)),
    ArrowRight: (event) => (event.shiftKey ? turn(1) : go(at + 1)),
    Home: () => go(0), End: () => go(frames.length - 1), " ": play,
    m: () => jump(isMeld), c: () => jump(isCall), f: () => jump(isFault), t: () => jump(long),
    0: () => view("all"), 1: () => view("seat0"), 2: () => view("seat1"), 3: () => view("seat2"),
  };
  const view = (name) => document.querySelector(`.views a[data-view="${name}"]`)?.click();
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input[type=search], select, textarea")) return;
    if (event.key === " " && event.target.matches("button, a, summary")) return;
    const run = KEYS[event.key];
    if (run) { event.preventDefault(); run(event); }
  });
  const fromHash = () => (/^#d\d+$/.test(location.hash) ? Number(location.hash.slice(2)) : 0);
  addEventListener("hashchange", () => go(fromHash(), false));

  byId("player").hidden = false;
  byId("scrubber").max = String(frames.length - 1);
  byId("scrubber").addEventListener("input", (event) => go(Number(event.target.value)));
  controls();
  listEvents();
  drawMarks();
  go(fromHash(), false);
})();
