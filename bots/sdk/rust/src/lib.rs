//! The Rust SDK: implement [`Bot`], call [`run`].
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
//! [`v1`] has the messages and an enum of the actions of every game.

#![warn(missing_docs)]

mod address;
mod bot;
mod busy;
mod parameters;
mod rules;
mod run;
mod session;
mod stream;
mod trust;

pub use bot::{Bot, Decision, View};
pub use fastrand::Rng as Random;
pub use parameters::{Parameters, parameters};
pub use rules::{Rules, TO_THE_END};
pub use run::run;
pub use session::{Error, Identity, Session};

/// The messages of the protocol and the games, generated from the .proto files.
#[allow(missing_docs, clippy::all, rustdoc::all)]
pub mod v1 {
    include!(concat!(env!("OUT_DIR"), "/ballcourt.v1.rs"));
}
