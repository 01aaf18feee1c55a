// The board of a match by other rules than the installed ones, whose scenes the drawing of its game may not know.

/** @import { Board, CreateBoard } from "../viewer" */

/**
 * Return what makes a board as the game does, and goes over to the plain one for good when that fails.
 *
 * @param {CreateBoard} createOwn
 * @param {CreateBoard} createPlain
 * @returns {CreateBoard}
 */
export function sturdy(createOwn, createPlain) {
  return (root, replay) => {
    /** @type {Board} */
    let board;
    const fail = () => {
      root.replaceChildren();
      board = createPlain(root, replay);
    };
    try {
      board = createOwn(root, replay);
    } catch {
      fail();
    }
    return {
      outline: (place, attributes) => board.outline(place, attributes),
      draw(scene, before, places, made) {
        try {
          board.draw(scene, before, places, made);
        } catch {
          fail();
          board.draw(scene, before, places, made);
        }
      },
    };
  };
}
