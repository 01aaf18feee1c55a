// Generates the TypeScript code of the protocol in src/gen. It is never committed, so it cannot go stale.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const PACKAGE = "ballcourt/v1";

// A copy of the SDK contains the .proto files; the repository has them in its top folder.
const source = ["proto", "../../../proto"].find((folder) => existsSync(`${folder}/${PACKAGE}`));
if (!source)
  throw new Error("there are no .proto files in proto or ../../../proto; copy the folder proto of Ballcourt there");

const template = {
  version: "v2",
  clean: true,
  plugins: [{ local: "node_modules/.bin/protoc-gen-es", out: "src/gen", opt: ["target=ts", "import_extension=js"] }],
};
execFileSync("node_modules/.bin/buf", ["generate", source, "--template", JSON.stringify(template)], {
  stdio: "inherit",
});

// A registry of all messages, to decode an observation by the name of its type, and the union of all observations.
const names = readdirSync(`${source}/${PACKAGE}`).flatMap((file) => /^(\w+)\.proto$/.exec(file)?.[1] ?? []);
const files = names.map((name) => `file_ballcourt_v1_${name}`);
const observations = names.map(
  (name) => /^message (\w+Observation) /m.exec(readFileSync(`${source}/${PACKAGE}/${name}.proto`, "utf8"))?.[1],
);
const imports = names.map((name, i) => {
  const types = observations[i] ? `, type ${observations[i]}` : "";
  return `import { ${files[i]}${types} } from "./${PACKAGE}/${name}_pb.js";`;
});
writeFileSync(
  "src/gen/registry.ts",
  [
    'import { createRegistry } from "@bufbuild/protobuf";',
    ...imports,
    `export type Observation = ${observations.filter(Boolean).join(" | ")};`,
    `export const registry = createRegistry(${files.join(", ")});`,
    "",
  ].join("\n"),
);
