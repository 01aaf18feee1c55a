// All scenes of a match, built once when its steps are known; seeking is then an index.

/** Carry out one operation; what it does not touch is shared with the scene before. */
function changed(value, path, depth, operation) {
  if (depth === path.length) return operation[1];
  const copy = Array.isArray(value) ? value.slice() : { ...value };
  const name = path[depth];
  if (depth === path.length - 1 && operation.length === 1) {
    if (Array.isArray(copy)) copy.splice(name, 1);
    else delete copy[name];
  } else {
    copy[name] = changed(copy[name], path, depth + 1, operation);
  }
  return copy;
}

/** Add the scenes that steps lead to: `scenes` holds those before some first steps, at least the very first. */
export function addScenes(replay, scenes) {
  for (const step of replay.steps.slice(scenes.length - 1)) {
    let scene = scenes[scenes.length - 1];
    for (const operation of step.ops) scene = changed(scene, operation[0], 0, operation);
    scenes.push(scene);
  }
}

/** Return the places that a step changed or is about. */
export function touched(step) {
  const places = new Set(step ? step.places : []);
  for (const [path] of step ? step.ops : []) if (path[0] === "at" && path.length > 1) places.add(path[1]);
  return places;
}
