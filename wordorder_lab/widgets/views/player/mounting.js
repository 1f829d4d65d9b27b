// Where a player lives: in a notebook with a kernel behind it, or on a page of its own.

import { html } from "./dom.js";
import { tellHeight } from "./height.js";
import { Lecture } from "./lecture.js";
import { Address, momentOf } from "./moments.js";
import { Player } from "./player.js";

// anywidget asks for this. The position and the guesses go back to Python.
export function renderPlayer({ model, el }) {
  let player = null;
  const waiting = [];
  const asked = new Map();
  let questions = 0;
  const build = () => {
    player?.destroy();
    const root = html("section");
    el.replaceChildren(root);
    const [position, guesses] = [model.get("position"), model.get("guesses")];
    const moments = structuredClone(model.get("moments")); // the model's own must not change
    player = new Player(root, { ...model.get("data"), position, guesses, moments }, host);
    model.showing?.(player); // a page that is no notebook wants the player itself
  };
  const host = {
    moved(k) {
      if (model.get("position") === k) return;
      model.set("position", k);
      model.save_changes();
    },
    guessed(guesses) {
      model.set("guesses", structuredClone(guesses));
      model.save_changes();
    },
    marked(moments) {
      model.set("moments", structuredClone(moments));
      model.save_changes();
    },
    // The page is made in Python, so that the data need not be here twice.
    page(use, sorry) {
      const late = setTimeout(
        () =>
          sorry(
            "The kernel does not answer: the page is made in Python, so run the cell again first.",
          ),
        5000,
      );
      waiting.push((text) => {
        clearTimeout(late);
        use(text);
      });
      model.send({ wants: "page" });
    },
    // The bag of an update is searched again: Python then shows both searches, or says why not.
    again: (at) => model.send({ wants: "again", at }),
    back: () => model.send({ wants: "back" }),
    // A question to the model in Python about log number `which`: a promise of its answer.
    ask(which, question) {
      questions += 1;
      model.send({ wants: "answer", which, id: questions, question });
      return new Promise((resolve) => asked.set(questions, resolve));
    },
  };
  const answered = (message) => {
    if (message.sorry) player.say(message.sorry);
    if (message.page) waiting.shift()?.(message.page);
    if (message.id) asked.get(message.id)?.(message.answer);
    asked.delete(message.id);
  };
  const moved = () =>
    player.clock.at(player.tick)[0] !== model.get("position") &&
    player.go(player.clock.tickOf(model.get("position")));
  const recalled = () =>
    model.get("guesses").length !== player.quiz.guesses.length &&
    player.recall(model.get("guesses"));
  build();
  model.on("change:data", build);
  model.on("change:guesses", recalled);
  model.on("change:position", moved);
  model.on("msg:custom", answered);
  return () => {
    model.off("change:data", build);
    model.off("change:guesses", recalled);
    model.off("change:position", moved);
    model.off("msg:custom", answered);
    player.destroy();
  };
}

// A page of its own, which has unpacked this module and the data; the page itself is what it
// exports.
export function mountPlayer({ place, source, data }) {
  const root = html("section");
  place.append(root);
  const alone = window.parent === window;
  if (data.players) return mountLecture(root, withKept(data, "scenes"), source);
  let address = null;
  const host = {
    moved: () => address?.follow(), guessed() {}, ask: null,
    page: (use) => use(withMoments(source, player.moments.list)),
  };
  const player = new Player(root, withKept(data, "moments"), host);
  globalThis.wordorderPlayer = player;
  if (alone) {
    address = new Address(player);
    address.read();
    window.addEventListener("hashchange", () => address.read());
    root.focus({ preventScroll: true }); // keys work at once, and when nothing has the focus
    document.addEventListener("keydown", (event) =>
      event.target === document.body && player.key(event));
  } else tellHeight(place);
  document.documentElement.dataset.ready = "true";
}

// The scene is the address of a lecture: `#scene=3`.
function mountLecture(root, data, source) {
  let lecture = null;
  const moved = () => {
    try {
      if (lecture) window.history.replaceState(null, "", lecture.address);
    } catch {
      // an address that may not change stays as it is
    }
  };
  const host = {
    moved, guessed() {}, page: (use) => use(withMoments(source, lecture.scenes)),
  };
  lecture = new Lecture(root, data, host);
  const read = () => {
    const { hash } = window.location;
    if (lecture.address === hash) return;
    const [, scene] = /^#scene=(\d{1,6})\b/.exec(hash) ?? [null, 1];
    lecture.visit(Number(scene), momentOf(hash));
  };
  read();
  window.addEventListener("hashchange", read);
  globalThis.wordorderLecture = lecture;
  root.focus({ preventScroll: true });
  document.documentElement.dataset.ready = "true";
}

const KEPT = "wol-moments";

// Bookmarks and scenes that were exported with the page stand in an element of it.
function withKept(data, name) {
  const kept = document.getElementById(KEPT)?.textContent.trim();
  return kept ? { ...data, [name]: JSON.parse(kept) } : data;
}

// The same page with these bookmarks; no text of a note can end the element.
function withMoments(source, list) {
  const kept = JSON.stringify(list).replace(/</g, "\\u003c");
  const from = source.indexOf(">", source.indexOf(`<script id="${KEPT}"`)) + 1;
  return source.slice(0, from) + kept + source.slice(source.indexOf("</script>", from));
}
