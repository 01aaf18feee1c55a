//! Generates the Rust code of the protocol. It needs no protoc: protox compiles the .proto files.

use std::error::Error;
use std::ffi::OsStr;
use std::fs::read_dir;
use std::path::Path;

const PACKAGE: &str = "ballcourt/v1";

/// Where the .proto files are looked for: in a copy of the SDK, then in the project's own tree.
const ROOTS: [&str; 2] = ["proto", "../../../proto"];

fn main() -> Result<(), Box<dyn Error>> {
    let root = ROOTS
        .into_iter()
        .find(|root| Path::new(root).join(PACKAGE).is_dir());
    let root =
        root.ok_or_else(|| format!("there are no .proto files in {}", ROOTS.join(" or ")))?;
    let mut sources = Vec::new();
    for entry in read_dir(Path::new(root).join(PACKAGE))? {
        let path = entry?.path();
        if path.extension() == Some(OsStr::new("proto")) {
            sources.push(path);
        }
    }
    sources.sort();
    println!("cargo::rerun-if-changed={root}/{PACKAGE}");
    prost_build::Config::new()
        .enable_type_names() // an observation is told by the name of its message
        .btree_map(["."]) // a bot that goes through the options sees them in the same order every time
        .compile_fds(protox::compile(sources, [root])?)?;
    Ok(())
}
