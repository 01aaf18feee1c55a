// What stays as it is from one scene to the next is not drawn again: scripts, layout and paint then cost what a step
// changes, not what a board shows.

/** @import { Part } from "../viewer" */

/**
 * Return a part of a drawing: `draw` makes it from the values `from`. `key` is its own within a layer.
 *
 * @template {unknown[]} T
 * @param {string | number} key
 * @param {(...from: T) => Element | null} draw
 * @param {T} from
 * @returns {Part}
 */
export function kept(key, draw, ...from) {
  return { key, from, draw: () => draw(...from) };
}

/**
 * Return what lets an element show parts, in their order. A part is drawn again only if one of the values it is drawn
 * from is another one: scenes share what a step has not changed, so identities tell.
 *
 * @param {Element} root
 * @returns {(parts: Part[]) => void}
 */
export function layer(root) {
  /** @type {Map<string | number, { from: unknown[], element: Element | null }>} */
  let made = new Map();
  return (parts) => {
    /** @type {typeof made} */
    const now = new Map();
    for (const { key, from, draw } of parts) {
      const last = made.get(key);
      const isSame = last && last.from.every((value, index) => value === from[index]);
      now.set(key, isSame ? last : { from, element: draw() });
    }
    made = now;
    arrange(
      root,
      [...now.values()].flatMap(({ element }) => element ?? []),
    );
  };
}

/** Let an element have these children; those that stay are not touched. @param {Element} root @param {Element[]} children */
function arrange(root, children) {
  const staying = new Set(children);
  for (const child of [...root.children]) if (!staying.has(child)) child.remove();
  let next = root.firstElementChild;
  for (const child of children) {
    if (child === next) next = next.nextElementSibling;
    else root.insertBefore(child, next);
  }
}
