use std::io;
use std::panic::resume_unwind;
use std::process::exit;
use std::thread::{Builder, scope};
use std::{env, fmt};

use tokio::runtime::{self, Runtime};
use tokio::signal::unix::{SignalKind, signal};

use crate::address::{Address, find_arena};
use crate::busy::stacks;
use crate::stream::converse;
use crate::{Bot, Error, Identity, Session, parameters};

const BY_HAND: &str = "\
This program is a bot. An arena starts it and sets BALLCOURT_SOCKET and BALLCOURT_TOKEN in its environment.
To see it play, run \"ballcourt check bot FOLDER\", where FOLDER has its bot.toml.";

const MOST_STREAMS: usize = 16;

/// The usual stack of a main thread.
const STACK_BYTES: usize = 8 << 20;

/// Plays in the arena that the environment names, then exits. Calls `new_bot` once per stream.
///
/// Exit codes: 0 if the arena said Goodbye or closed the stream, or on SIGTERM; 1 if the arena
/// refused the bot or the connection was lost; 2 if the environment names no arena.
pub fn run<B: Bot>(new_bot: impl Fn() -> B + Sync) -> ! {
    let arena = find_arena(variable).unwrap_or_else(|error| leave(2, error));
    let (Some(arena), Some(token)) = (arena, variable("BALLCOURT_TOKEN")) else {
        leave(2, BY_HAND)
    };
    parameters(); // what is wrong with them is said before anything else happens
    let outcomes = play_all(&new_bot, &arena, &token).unwrap_or_else(|error| leave(1, error));
    let mut code = 0;
    for error in outcomes.into_iter().filter_map(Result::err) {
        eprintln!("{error}");
        code = 1;
    }
    exit(code)
}

/// Returns an environment variable, or None if it is not set or empty.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn leave(code: i32, sentence: impl fmt::Display) -> ! {
    eprintln!("{sentence}");
    exit(code)
}

/// Plays on BALLCOURT_STREAMS streams at once, each with its own bot and thread.
fn play_all<B: Bot>(
    new_bot: &(impl Fn() -> B + Sync),
    arena: &Address,
    token: &str,
) -> io::Result<Vec<Result<(), Error>>> {
    let asked = variable("BALLCOURT_STREAMS").unwrap_or_default();
    let streams = (1..=MOST_STREAMS).find(|count| count.to_string() == asked);
    let runtime = start_runtime()?;
    let play = || {
        let mut session = Session::new(new_bot(), identity());
        runtime.block_on(converse(&mut session, arena, token))
    };
    scope(|threads| {
        let started: io::Result<Vec<_>> = (0..streams.unwrap_or(1))
            .map(|_| {
                Builder::new()
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(threads, play)
            })
            .collect();
        let ended = started?.into_iter().map(|thread| thread.join());
        Ok(ended
            .map(|end| end.unwrap_or_else(|panic| resume_unwind(panic)))
            .collect())
    })
}

/// Returns who the bot is, as in its bot.toml.
fn identity() -> Identity {
    let games = variable("BALLCOURT_PLAYS").unwrap_or_default();
    let named = games.split(',').filter(|game| !game.is_empty());
    Identity {
        name: variable("BALLCOURT_NAME").unwrap_or_default(),
        version: variable("BALLCOURT_VERSION").unwrap_or_default(),
        games: named.map(String::from).collect(),
    }
}

/// Starts the thread that serves connections while bots think, and exits on SIGTERM.
fn start_runtime() -> io::Result<Runtime> {
    let runtime = runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    let mut asked = runtime.block_on(async { signal(SignalKind::terminate()) })?;
    runtime.spawn(async move {
        asked.recv().await;
        for stack in stacks() {
            eprintln!("it was asked to end while it was here:\n{stack}");
        }
        exit(0) // even in the middle of a decision
    });
    Ok(runtime)
}
