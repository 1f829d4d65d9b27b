// For each cut text how it is told: by itself, by the button or image that it is part of. What has
// no letter and stands alone needs a name, too.
(moments) => {
  const player = wordorderPlayer, silent = new Set();
  let told = 0;
  for (let i = 0; i <= moments; i += 1) {
    player.go(Math.round((player.clock.last * i) / moments));
    for (const text of player.root.querySelectorAll(".wol-stage svg text")) {
      const whole = text.querySelector(":scope > title")?.textContent;
      const around = text.parentElement.closest("[role=button], [role=img], [aria-hidden]") ?? text;
      if (around.hasAttribute("aria-hidden") || !text.textContent) continue;
      const said = `${around.ariaLabel} ${around.getAttribute("aria-description")}`;
      const words = whole?.split(/[^\p{L}\p{N}-]+/u) ?? [];
      told += words.length > 0;
      if (!words.every((word) => said.includes(word)) ||
          (around === text && !/[\p{L}\p{N}]/u.test(text.textContent) && !text.ariaLabel))
        silent.add(text.textContent);
    }
  }
  return [told, [...silent]];
}
