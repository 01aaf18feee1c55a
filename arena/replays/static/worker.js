// The worker of a page without a server, as `play --site` writes it: Python, with the arena and the bots of the page.
// The query of its address has the table, and the name of the archive with its bots.

const HOME = "/arena";
const PYODIDE = "./pyodide/pyodide.mjs";
const asked = new URLSearchParams(location.search);

/** @param {string} name */
async function archive(name) {
  const found = await fetch(name);
  if (!found.ok) throw new Error(`${name}: ${found.status}`);
  return found.arrayBuffer();
}

/** Return the host of the page's matches. */
async function begin() {
  const archives = Promise.all(["ballcourt.zip", `${asked.get("bots")}.zip`].map(archive));
  const { loadPyodide } = await import(PYODIDE);
  const python = await loadPyodide();
  for (const one of await archives) python.unpackArchive(one, "zip", { extractDir: HOME });
  python.runPython(`import sys; sys.path.append("${HOME}")`);
  const send = (/** @type {string} */ event, /** @type {string} */ data) => postMessage({ event, data });
  return python.pyimport("ballcourt.site.host").host(asked.get("table"), HOME, send);
}

const host = begin();
onmessage = async ({ data: { request, path, body } }) => {
  try {
    const python = await host;
    if (path === "hold") await python.hold();
    else postMessage({ request, ...JSON.parse(await python.respond(path, body)) });
  } catch (error) {
    postMessage({ request, detail: `The arena in this page has failed: ${/** @type {Error} */ (error).message}` });
  }
};
