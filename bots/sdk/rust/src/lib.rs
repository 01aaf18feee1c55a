//! The Rust SDK: write a [`Bot`], call [`run`].
//!
//! ```no_run
//! use ballcourt::{Bot, Decision, run};
//!
//! struct First;
//!
//! impl Bot for First {
//!     fn choose(&mut self, decision: &mut Decision) -> u32 {
//!         decision.legal[0]
//!     }
//! }
//!
//! run(|| First);
//! ```
//!
//! The messages, and an enum of every game's actions, are in [`v1`].

#![warn(missing_docs)]

mod address;
mod bot;
mod run;
mod session;
mod stream;
mod trust;

pub use bot::{Bot, Decision, View};
pub use fastrand::Rng as Random;
pub use run::run;
pub use session::{Error, Identity, Session};

/// The protocol's messages, as the build generates them from the .proto files.
#[allow(missing_docs, clippy::all, rustdoc::all)]
pub mod v1 {
    include!(concat!(env!("OUT_DIR"), "/ballcourt.v1.rs"));
}
