//! Generates the Rust code of the protocol. protox compiles the .proto files, so there is no need
//! for protoc.

use std::error::Error;
use std::ffi::OsStr;
use std::fs::read_dir;
use std::path::Path;

const PACKAGE: &str = "ballcourt/v1";

/// The folders to search for .proto files: one in a copy of the SDK, then one in the repository.
const ROOTS: [&str; 2] = ["proto", "../../../proto"];

fn main() -> Result<(), Box<dyn Error>> {
    let root = ROOTS
        .into_iter()
        .find(|root| Path::new(root).join(PACKAGE).is_dir());
    let root = root.ok_or_else(|| {
        format!(
            "there are no .proto files in {}; copy the folder proto of Ballcourt there",
            ROOTS.join(" or ")
        )
    })?;
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
        .enable_type_names() // for View::observation, which compares names
        .btree_map(["."]) // a fixed order of the options
        .compile_fds(protox::compile(sources, [root])?)?;
    Ok(())
}
