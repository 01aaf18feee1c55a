// All scenes of a match, built once when its steps are known; seeking is then an index.

/** @import { Operation, Replay, Scene, Step } from "../viewer" */

/** @param {Step} step */
function operations(step) {
  return /** @type {Operation[]} */ (step.ops);
}

/**
 * Carry out one operation; what it does not touch is shared with the scene before.
 *
 * @param {unknown} value
 * @param {number} depth
 * @param {Operation} operation
 * @returns {unknown}
 */
function changed(value, depth, operation) {
  const [path] = operation;
  if (depth === path.length) return operation[1];
  /** @type {Record<string | number, unknown>} */
  const copy = Array.isArray(value) ? value.slice() : Object.assign({}, value);
  const name = path[depth];
  if (depth === path.length - 1 && operation.length === 1) {
    if (Array.isArray(copy)) copy.splice(Number(name), 1);
    else delete copy[name];
  } else {
    copy[name] = changed(copy[name], depth + 1, operation);
  }
  return copy;
}

/**
 * Add the scenes that steps lead to: `scenes` holds those before some first steps, at least the very first.
 *
 * @param {Replay} replay
 * @param {Scene[]} scenes
 */
export function addScenes(replay, scenes) {
  for (const step of replay.steps.slice(scenes.length - 1)) {
    let scene = scenes[scenes.length - 1];
    for (const operation of operations(step)) scene = /** @type {Scene} */ (changed(scene, 0, operation));
    scenes.push(scene);
  }
}

/** Return the places that a step changed or is about. @param {Step | null} step */
export function touched(step) {
  const places = new Set(step ? step.places : []);
  for (const [path] of step ? operations(step) : [])
    if (path[0] === "at" && path.length > 1) places.add(String(path[1]));
  return places;
}
