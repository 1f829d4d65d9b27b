() => {
  const player = wordorderPlayer, view = player.viewOf(0);
  const counts = globalThis.counts = {read: 0, folded: 0, copied: 0, drawn: 0};
  const counted = (owner, method, name) => {
    const plain = owner[method];
    owner[method] = function (...values) {
      counts[name] += 1;
      return plain.apply(this, values);
    };
  };
  counted(player.logs[0], "event", "read");
  counted(view, "apply", "folded");
  counted(player.replays[0].get(view.start), "copy", "copied");
  counted(document, "createElement", "drawn");
  counted(document, "createElementNS", "drawn");
}
