// Texts with "…" for which neither they nor a group around them has a title; how many were cut.
(moments) => {
  const player = wordorderPlayer, untold = new Set();
  let cut = 0;
  for (let i = 0; i <= moments; i += 1) {
    player.go(Math.round((player.clock.last * i) / moments));
    const serials = player.root.querySelectorAll(".wol-stage [data-serial]");
    serials[i % serials.length]?.dispatchEvent(new MouseEvent("click", {bubbles: true}));
    for (const text of player.root.querySelectorAll(".wol-stage svg text")) {
      const shown = [...text.childNodes].filter((one) => one.nodeName !== "title")
        .map((one) => one.textContent).join("");
      if (!shown.includes("…") || /^… (and )?\d/.test(shown)) continue;
      cut += 1;
      const told = [text, text.closest("g:has(> title)")];
      if (!told.some((one) => one?.querySelector(":scope > title"))) untold.add(shown);
    }
  }
  return [cut, [...untold]];
}
