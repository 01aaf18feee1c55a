// The board of Maya: the map, and beside it racks and cities.

import { html } from "../../../../arena/replays/static/elements.js";
import { kept, layer } from "../../../../arena/replays/static/layers.js";
import { Country, isClosedNow } from "./map.js";
import { cityLine, rackOf, ringOnRack } from "./racks.js";

/** @import { Board, Known, Printed } from "./scene" */
/** @import { CreateBoard, GameReplay, GameScene } from "../../../../arena/replays/viewer" */
/** @typedef {GameScene<Board, object, Known>} MayaScene */

/** @type {CreateBoard<GameReplay<Printed>, MayaScene>} */
export function createBoard(root, replay) {
  const map = new Country(replay);
  const racks = html("div", { class: "racks" });
  const cities = html("ul", { class: "cities", "data-about": "city" });
  const heading = html("p", { class: "cities-head" }, "Cities, and the crops around them");
  root.replaceChildren(map.root, html("div", { class: "beside" }, racks, heading, cities));
  const [showRacks, showCities] = [racks, cities].map(layer);
  const own = replay.observer ?? -1;
  /** @type {Known[]} */
  let known = [];

  return {
    draw(scene, before, changed) {
      known = scene.known;
      map.draw(scene, before, changed);
      showRacks(scene.known.map((one, seat) => kept(seat, rackOf, replay, seat, one, seat === own)));
      const all = Object.entries(scene.board.cities);
      heading.hidden = !all.length;
      showCities(
        all.map(([temple, city]) => {
          return kept(temple, cityLine, replay, temple, city, isClosedNow(scene, before, temple));
        }),
      );
    },
    outline(id, attributes) {
      if (replay.scenery.places[id]) return [map.root, map.outline(id, attributes)];
      const ring = id.startsWith("rack.") && own >= 0 ? ringOnRack(known[own], id.slice(5), attributes) : null;
      const drawn = /** @type {SVGSVGElement | null} */ (racks.querySelector(`[data-rack="${own}"]`));
      return ring && drawn ? [drawn, ring] : null;
    },
  };
}
