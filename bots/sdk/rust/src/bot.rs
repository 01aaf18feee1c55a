use prost::{Message, Name};

use crate::Random;
use crate::v1::{Event, MatchEnd, MatchStart};

/// A player. It plays one seat at a time, match after match, in a thread of its own.
pub trait Bot {
    /// Answers a question with one of `decision.legal`, within `decision.limit_ms` milliseconds.
    fn choose(&mut self, decision: &mut Decision) -> u32;

    /// Prepares for a match; this time does not count as thinking time.
    fn match_started(&mut self, _start: &MatchStart) {}

    /// Learns how a match ended.
    fn match_ended(&mut self, _end: &MatchEnd) {}

    /// Says whether [`Bot::observed`] is to be called; the arena pushes nothing to other bots.
    fn observes(&self) -> bool {
        false
    }

    /// Is shown what a decision of another seat led to.
    fn observed(&mut self, _view: &View) {}
}

/// What the bot's seat may know, and what happened since it was last shown anything.
#[derive(Debug)]
pub struct View<'a> {
    /// The match being played: game, options, seat, seats, clock.
    pub start: &'a MatchStart,
    /// The observation as it came over the wire.
    pub data: &'a [u8],
    /// What the seats did, oldest first; an action is 0 while it is secret.
    pub events: &'a [Event],
}

impl View<'_> {
    /// The bot's place in the lists that an observation has by seat.
    pub fn seat(&self) -> usize {
        self.start.seat as usize
    }

    /// Decodes the game's own message, for example a [`crate::v1::TzolkinObservation`].
    ///
    /// None where the observation is another message than `T`, as in another game.
    pub fn observation<T: Message + Name + Default>(&self) -> Option<T> {
        if self.start.observation_type != T::full_name() {
            return None;
        }
        T::decode(self.data).ok()
    }
}

/// One question to the bot.
#[derive(Debug)]
pub struct Decision<'a> {
    /// What the bot may know.
    pub view: View<'a>,
    /// Seeded by the arena, so that a bot that draws from nothing else can play a match again.
    pub random: &'a mut Random,
    /// The actions to choose from, ascending; at least two.
    pub legal: &'a [u32],
    /// The thinking time left for the rest of the match.
    pub bank_ms: u32,
    /// The thinking time for this decision.
    pub limit_ms: u32,
    /// Asked again: what was wrong with the last answer to this question; else empty.
    pub rejected: &'a str,
    /// A note of at most 4096 bytes, kept beside the action in the match record.
    pub thoughts: String,
}
