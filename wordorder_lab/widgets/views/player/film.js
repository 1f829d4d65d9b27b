// Moments to take home: as slides for the browser's print, or as a film by its own recorder.

import { save, standalone } from "./export.js";
import { html } from "./dom.js";

const A_SECOND = 1000;
const FILM = "video/webm";
const MOST_FRAMES = 400;

// The picture that is on the screen, as an element of its own.
export function pictureNow(player) {
  const text = standalone(player.pictureOf(0));
  const parsed = new window.DOMParser().parseFromString(text, "image/svg+xml");
  return document.importNode(parsed.documentElement, true);
}

// Pages to print, each a text and perhaps a picture; they are gone when the browser has printed.
export function printSlides(root, pages) {
  const slides = pages.map(({ text, picture }) =>
    html("section", { class: "wol-slide" }, html("p", {}, text), picture));
  const all = html("div", { class: "wol-slides" }, slides);
  root.append(all);
  window.addEventListener("afterprint", () => all.remove(), { once: true });
  window.print();
}

// The bookmarks of a player as slides; without any, the moment on the screen.
export function slidesOf(player) {
  const before = player.moments.here();
  const moments = player.moments.list.length ? player.moments.list : [before];
  const pages = moments.map((moment) => {
    player.show(moment);
    const text = moment.note || player.narration.textContent;
    return { text, picture: pictureNow(player) };
  });
  player.show(before);
  printSlides(player.root, pages);
}

// Record the steps from here to the end, one frame each at the speed of playing. Resolves to how
// many frames there are; rejects where the browser has no recorder.
export async function film(player) {
  if (!window.MediaRecorder?.isTypeSupported(FILM))
    throw new Error("This browser cannot record a film; bookmarks can be printed as slides.");
  const before = player.moments.here();
  const { width, height } = player.pictureOf(0).parentElement.getBoundingClientRect();
  const canvas = html("canvas", { width: Math.round(width), height: Math.round(height) });
  const paper = canvas.getContext("2d");
  await frame(player, canvas, paper);
  const recorder = new window.MediaRecorder(canvas.captureStream(), { mimeType: FILM });
  const pieces = [];
  recorder.ondataavailable = (event) => pieces.push(event.data);
  const ended = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.start();
  let frames = 1;
  while (player.tick < player.clock.last && frames < MOST_FRAMES) {
    await pause(Math.min(A_SECOND, Number(player.speed)));
    player.step(1);
    await frame(player, canvas, paper);
    frames += 1;
  }
  await pause(A_SECOND);
  recorder.stop();
  await ended;
  player.show(before);
  save("wordorder-film.webm", FILM, new Blob(pieces, { type: FILM }));
  return frames;
}

async function frame(player, canvas, paper) {
  const text = standalone(player.pictureOf(0));
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  const image = html("img", { src: url });
  await image.decode();
  paper.fillStyle = getComputedStyle(player.root).backgroundColor;
  paper.fillRect(0, 0, canvas.width, canvas.height);
  paper.drawImage(image, 0, 0);
  URL.revokeObjectURL(url);
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
