([rounds, steps]) => {
  const player = wordorderPlayer, last = player.clock.last;
  const median = (act) => Array.from({length: steps}, (_, i) => {
    const before = performance.now();
    act(i);
    player.root.getBoundingClientRect();
    return performance.now() - before;
  }).sort((a, b) => a - b)[steps >> 1];
  player.size = "event";
  player.go(Math.floor(0.9 * last));
  const found = Array.from({length: rounds}, () => [
    median(() => player.step(1)), median(() => player.step(-1)),
    median((i) => player.go((i * 7919) % last)),
  ]);
  return [0, 1, 2].map((way) => Math.min(...found.map((times) => times[way])));
}
