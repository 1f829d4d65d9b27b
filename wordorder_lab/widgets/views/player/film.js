// Moments to take home: as slides for the browser's print, or as a film by its own recorder.

import { save, standalone } from "./export.js";
import { html } from "./dom.js";

const A_SECOND = 1000;
const READING = 3000; // milliseconds: for a note or an annotation
const FILM = "video/webm";
const MOST_FRAMES = 400;

// The picture that is on the screen, as an element of its own.
function pictureNow(player) {
  const text = standalone(player.pictureOf(0));
  const parsed = new window.DOMParser().parseFromString(text, "image/svg+xml");
  return document.importNode(parsed.documentElement, true);
}

// The moment on the screen as a slide: its text stands in the picture, or else above it.
export function slideNow(player, text) {
  const inside = player.pictureOf(0).querySelector(".wol-note-here");
  return { text: inside ? "" : text, picture: pictureNow(player) };
}

// Pages for the printer, each a text or a picture or both, until the browser has printed.
export function laySlides(root, pages) {
  root.querySelector(":scope > .wol-slides")?.remove();
  const slides = pages.map(({ text, picture }) =>
    html("section", { class: "wol-slide" }, text ? html("p", {}, text) : null, picture));
  const all = html("div", { class: "wol-slides" }, slides);
  root.append(all);
  window.addEventListener("afterprint", () => all.remove(), { once: true });
}

// The bookmarks of a player as slides; without any, the moment on the screen.
export function slidesOf(player) {
  const before = player.moments.here();
  const moments = player.moments.list.length ? player.moments.list : [before];
  const pages = moments.map((moment) => {
    player.show(moment);
    return slideNow(player, moment.note || player.narration.textContent);
  });
  player.show(before);
  laySlides(player.root, pages);
  window.print();
}

// Record the steps from here to the end, one frame each at the speed of playing; where there is
// something to read, the film stops and waits. Resolves to how many frames there are; rejects where
// the browser has no recorder.
export async function film(player) {
  if (!window.MediaRecorder?.isTypeSupported(FILM))
    throw new Error("This browser cannot record a film; bookmarks can be printed as slides.");
  const before = player.moments.here();
  const { width, height } = player.pictureOf(0).parentElement.getBoundingClientRect();
  const { clientHeight } = player.stages[0];
  const canvas = html("canvas", {
    width: Math.round(width), height: Math.round(Math.max(height, clientHeight)),
  });
  const paper = canvas.getContext("2d");
  await frame(player, canvas, paper);
  const recorder = new window.MediaRecorder(canvas.captureStream(), { mimeType: FILM });
  const pieces = [];
  recorder.ondataavailable = (event) => pieces.push(event.data);
  const ended = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.start();
  let frames = 1;
  while (player.tick < player.clock.last && frames < MOST_FRAMES) {
    await pause(player.moments.written().length ? READING
      : Math.min(A_SECOND, Number(player.speed)));
    nextFrame(player);
    await frame(player, canvas, paper);
    frames += 1;
  }
  await pause(player.moments.written().length ? READING : A_SECOND);
  recorder.stop();
  await ended;
  player.show(before);
  save("wordorder-film.webm", FILM, new Blob(pieces, { type: FILM }));
  return frames;
}

// The next step, or a moment before it.
function nextFrame(player) {
  const { clock, tick, size, moments } = player;
  const ticks = moments.list.map(({ event }) => clock.tickOf(event)).filter((one) => one > tick);
  player.go(Math.min(clock.next(tick, size, 1), ...ticks), true);
}

async function frame(player, canvas, paper) {
  const text = standalone(player.pictureOf(0));
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  const image = html("img", { src: url });
  await image.decode();
  paper.fillStyle = getComputedStyle(player.root).backgroundColor;
  paper.fillRect(0, 0, canvas.width, canvas.height);
  const share = Math.min(1, canvas.width / image.width, canvas.height / image.height);
  paper.drawImage(image, 0, 0, share * image.width, share * image.height);
  URL.revokeObjectURL(url);
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
