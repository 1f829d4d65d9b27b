([act, i]) => {
  for (const name in counts) counts[name] = 0;
  ({
    forward: () => wordorderPlayer.step(1),
    back: () => wordorderPlayer.step(-1),
    anywhere: () => wordorderPlayer.go((i * 7919) % wordorderPlayer.clock.last),
  })[act]();
  return {...counts};
}
