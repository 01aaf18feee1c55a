// Writes the TypeScript code of the protocol to src/gen: never committed, so that it cannot go stale.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";

const PACKAGE = "ballcourt/v1";

// in a copy of the SDK, then in the project's own tree
const source = ["proto", "../../../proto"].find((folder) => existsSync(`${folder}/${PACKAGE}`));
if (!source) throw new Error("there are no .proto files in proto or ../../../proto");

const template = {
  version: "v2",
  clean: true,
  plugins: [{ local: "node_modules/.bin/protoc-gen-es", out: "src/gen", opt: ["target=ts", "import_extension=js"] }],
};
execFileSync("node_modules/.bin/buf", ["generate", source, "--template", JSON.stringify(template)], {
  stdio: "inherit",
});

// a registry of all messages, so that an observation can be decoded by the name of its type
const names = readdirSync(`${source}/${PACKAGE}`).flatMap((file) => /^(\w+)\.proto$/.exec(file)?.[1] ?? []);
const files = names.map((name) => `file_ballcourt_v1_${name}`);
const imports = names.map((name, i) => `import { ${files[i]} } from "./${PACKAGE}/${name}_pb.js";`);
writeFileSync(
  "src/gen/registry.ts",
  [
    'import { createRegistry } from "@bufbuild/protobuf";',
    ...imports,
    `export const registry = createRegistry(${files.join(", ")});`,
    "",
  ].join("\n"),
);
