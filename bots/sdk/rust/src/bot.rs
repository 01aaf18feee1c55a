use prost::{Message, Name};

use crate::Random;
use crate::v1::{Evaluation, Event, MatchEnd, MatchStart};

/// A player. It plays one match at a time, and only one thread calls it.
pub trait Bot {
    /// Returns one of `decision.legal`, within `decision.limit_ms` milliseconds.
    fn choose(&mut self, decision: &mut Decision) -> u32;

    /// Called at the start of a match. This time does not count as think time.
    fn match_started(&mut self, _start: &MatchStart) {}

    /// Called at the end of a match, with the results of all seats.
    fn match_ended(&mut self, _end: &MatchEnd) {}

    /// Returns whether [`Bot::observed`] is to be called.
    fn observes(&self) -> bool {
        false
    }

    /// Returns whether [`Bot::choose`] limits itself to `clock.work` units per decision, where that
    /// is not 0. The unit is the bot's own (positions, playouts). No clock runs, so it plays alike
    /// on every machine.
    fn work_limited(&self) -> bool {
        false
    }

    /// Called after every decision of another seat, if [`Bot::observes`] returns true.
    fn observed(&mut self, _view: &View) {}
}

/// The observation of the bot's seat, and the events since its last observation.
#[derive(Debug)]
pub struct View<'a> {
    /// The match that is being played: game, options, seat, seats, clock.
    pub start: &'a MatchStart,
    /// The serialized observation.
    pub data: &'a [u8],
    /// The actions of all seats since then, oldest first. An action is 0 while it is secret.
    pub events: &'a [Event],
}

impl View<'_> {
    /// Returns the bot's seat, an index into the lists of an observation.
    pub fn seat(&self) -> usize {
        self.start.seat as usize
    }

    /// Returns the game's observation message, for example a [`crate::v1::TzolkinObservation`], or
    /// None if it is not a `T`, as in a match of another game.
    pub fn observation<T: Message + Name + Default>(&self) -> Option<T> {
        if self.start.observation_type != T::full_name() {
            return None;
        }
        T::decode(self.data).ok()
    }
}

/// A question to the bot.
#[derive(Debug)]
pub struct Decision<'a> {
    /// The observation and the events.
    pub view: View<'a>,
    /// Seeded by the arena. A match is reproducible if its bots use no other randomness.
    pub random: &'a mut Random,
    /// The legal actions, ascending; at least two.
    pub legal: &'a [u32],
    /// The think time left for the rest of the match, in milliseconds.
    pub bank_ms: u32,
    /// The think time for this decision, in milliseconds.
    pub limit_ms: u32,
    /// Why the previous answer to this question was rejected; empty on the first attempt.
    pub rejected: &'a str,
    /// A note, saved with the action in the match record; cut to 4096 bytes.
    pub thoughts: String,
    /// What the bot makes of the position, in numbers, saved with the action in the match record.
    pub evaluation: Option<Evaluation>,
    /// Whether the bot did not choose the action itself, as when a model gave no answer; the record keeps it.
    pub fallback: bool,
}
