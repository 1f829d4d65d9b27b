// Keys of a player: steps, cards, answers of a quiz, and those of a presentation.

import { stopsIn } from "./whole.js";

// No key reaches the page around the player; those of text fields and choosers stay with them.
export function keyPressed(player, event) {
  event.stopPropagation();
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && (player.annotating.escape() || player.why?.close()))
    return event.preventDefault();
  const target = event.target;
  const card = target.closest("[data-serial], .wol-annotation, svg text, svg [role=img][tabindex]");
  if (card && keyOnCard(event, card, player.root)) return event.preventDefault();
  if (
    target.tagName === "SELECT" ||
    (event.key === " " && ["BUTTON", "SUMMARY"].includes(target.tagName))
  )
    return;
  const answers = [...player.question.querySelectorAll("li button")].map((one, i) =>
    [i + 1, () => one.click()]);
  const moves = {
    ArrowLeft: () => player.step(-1), ArrowRight: () => player.step(1), Home: () => player.go(0),
    End: () => player.go(player.clock.last), " ": () => player.toggle(),
    ...(player.presents ? slideKeys(player, event.key) : {}), ...Object.fromEntries(answers),
  };
  if (!moves[event.key]) return;
  event.preventDefault();
  moves[event.key]();
}

// Of a presentation: PageUp and PageDown step, B is black, N is for notes, digits are speeds.
function slideKeys(player, key) {
  const speed = /^[1-9]$/.test(key)
    ? { [key]: () => player.setSpeed(String(Math.round(2000 / Number(key)))) }
    : {};
  const note = () => (player.host.notes ? player.host.notes() : player.toggleNotes());
  const black = () => player.fills.classList.toggle("wol-black");
  return {
    PageUp: () => player.step(-1), PageDown: () => player.step(1), b: black, B: black,
    n: note, N: note, Escape: () => player.present(), ...speed,
  };
}

// On a card: up and down go from card to card, Enter looks at it.
function keyOnCard(event, card, root) {
  if (event.key === "Enter") {
    card.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    return true;
  }
  const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!way) return false;
  const cards = stopsIn(card.closest("svg"));
  const next = cards[cards.indexOf(card) + way];
  if (next) {
    card.setAttribute("tabindex", -1);
    next.setAttribute("tabindex", 0);
    next.focus();
  }
  return true;
}
