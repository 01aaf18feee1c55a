use std::fmt;

use crate::v1::arena_message::Message as Told;
use crate::v1::bot_message::Message as Said;
use crate::v1::{
    Action, ArenaMessage, BotIdentity, BotMessage, Capabilities, Decide, Evaluation, GameSupport,
    Hello, MatchEnd, MatchStart, Observe, Ready, Welcome,
};
use crate::{Bot, Decision, Random, View};

const SDK: &str = concat!("ballcourt-rust ", env!("CARGO_PKG_VERSION"));
const PROTOCOL: u32 = 1;
const THOUGHTS_LIMIT: usize = 4096;
const MOST_ENTRIES: usize = 64;

/// Why a session ended with an error.
#[derive(Debug, PartialEq)]
pub enum Error {
    /// The arena refused the bot, for this reason.
    Refused(String),
    /// The arena cannot be reached, or the stream broke. The string has the address and the reason.
    Disconnected(String),
    /// The arena sent a message about a match before its MatchStart.
    NoMatch,
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Error::Refused(reason) => write!(formatter, "the arena refused the bot: {reason}"),
            Error::Disconnected(reason) => {
                write!(formatter, "no connection to the arena at {reason}")
            }
            Error::NoMatch => write!(
                formatter,
                "the arena sent a message about a match before its MatchStart"
            ),
        }
    }
}

impl std::error::Error for Error {}

/// Who the bot is, as in its bot.toml.
#[derive(Clone, Debug, Default)]
pub struct Identity {
    /// Its name in commands and tables.
    pub name: String,
    /// Raised when the bot plays differently.
    pub version: String,
    /// The games it plays; empty: any game.
    pub games: Vec<String>,
}

/// The bot's side of the protocol, without I/O: messages in, messages out.
///
/// A session can outlive its stream: if `resumable` is true, `hello` starts another stream that
/// continues the session.
pub struct Session<B> {
    /// Whether the arena said Goodbye.
    pub ended: bool,
    /// Whether the arena waits for the bot if the stream breaks.
    pub resumable: bool,
    /// The number of streams on which the arena sent Welcome.
    pub streams: u32,
    bot: B,
    identity: Identity,
    progress: Progress,
}

/// How far both sides are in the current session.
#[derive(Default)]
struct Progress {
    name: String,
    // messages of this session, without Hello, Welcome and Goodbye
    received: u64,
    sent: u64,
    last: Option<BotMessage>,
    playing: Option<Playing>,
}

struct Playing {
    start: MatchStart,
    random: Random,
}

impl<B: Bot> Session<B> {
    /// Creates a session that has not sent Hello yet.
    pub fn new(bot: B, identity: Identity) -> Self {
        Session {
            ended: false,
            resumable: false,
            streams: 0,
            bot,
            identity,
            progress: Progress::default(),
        }
    }

    /// Returns the first message of every stream.
    pub fn hello(&self, token: &str) -> BotMessage {
        said(Said::Hello(Hello {
            token: token.into(),
            protocol_min: PROTOCOL,
            protocol_max: PROTOCOL,
            sdk: SDK.into(),
            bot: Some(BotIdentity {
                name: self.identity.name.clone(),
                version: self.identity.version.clone(),
                ..Default::default()
            }),
            games: self
                .identity
                .games
                .iter()
                .map(|game| supported(game))
                .collect(),
            capabilities: Some(Capabilities {
                observe: self.bot.observes(),
                work_limited: self.bot.work_limited(),
                ..Default::default()
            }),
            session: self.progress.name.clone(),
            received: self.progress.received,
        }))
    }

    /// Passes a message of the arena to the bot and returns its reply, or None if none is due.
    pub fn handle(&mut self, message: ArenaMessage) -> Result<Option<BotMessage>, Error> {
        match message.message {
            Some(Told::Welcome(welcome)) => Ok(self.resume(welcome)),
            Some(Told::Refused(refused)) => Err(Error::Refused(refused.reason)),
            Some(Told::Goodbye(_)) => {
                self.ended = true;
                Ok(None)
            }
            told => {
                self.progress.received += 1;
                let reply = self.answer(told)?;
                if reply.is_some() {
                    self.progress.sent += 1;
                    self.progress.last.clone_from(&reply);
                }
                Ok(reply)
            }
        }
    }

    fn answer(&mut self, told: Option<Told>) -> Result<Option<BotMessage>, Error> {
        match told {
            Some(Told::Decide(decide)) => self.decide(&decide).map(Some),
            Some(Told::Observe(push)) => self.observe(&push).map(|()| None),
            Some(Told::MatchStart(start)) => Ok(Some(self.start(start))),
            Some(Told::MatchEnd(end)) => self.end(&end).map(|()| None),
            _ => Ok(None), // a message of a later protocol
        }
    }

    /// Continues after a broken stream: returns the last reply if the arena has not received it.
    fn resume(&mut self, welcome: Welcome) -> Option<BotMessage> {
        self.streams += 1;
        self.resumable = welcome.reconnect_ms > 0;
        if welcome.session != self.progress.name {
            self.progress = Progress {
                name: welcome.session,
                ..Default::default()
            };
        }
        let lacking = welcome.received < self.progress.sent;
        self.progress.last.clone().filter(|_| lacking)
    }

    fn start(&mut self, start: MatchStart) -> BotMessage {
        self.bot.match_started(&start);
        let match_id = start.match_id.clone();
        let random = Random::with_seed(start.bot_seed);
        self.progress.playing = Some(Playing { start, random });
        said(Said::Ready(Ready { match_id }))
    }

    fn decide(&mut self, decide: &Decide) -> Result<BotMessage, Error> {
        let Playing { start, random } = self.progress.playing.as_mut().ok_or(Error::NoMatch)?;
        let view = View {
            start,
            data: &decide.observation,
            events: &decide.events,
        };
        let mut decision = Decision {
            view,
            random,
            legal: &decide.legal,
            bank_ms: decide.bank_ms,
            limit_ms: decide.limit_ms,
            rejected: &decide.rejected,
            thoughts: String::new(),
            evaluation: None,
            fallback: false,
        };
        let action = self.bot.choose(&mut decision);
        Ok(said(Said::Action(Action {
            decision_id: decide.decision_id,
            action,
            thoughts: shortened(decision.thoughts),
            fallback: decision.fallback,
            evaluation: decision.evaluation.map(limited),
        })))
    }

    fn observe(&mut self, push: &Observe) -> Result<(), Error> {
        let Playing { start, .. } = self.progress.playing.as_ref().ok_or(Error::NoMatch)?;
        self.bot.observed(&View {
            start,
            data: &push.observation,
            events: &push.events,
        });
        Ok(())
    }

    fn end(&mut self, end: &MatchEnd) -> Result<(), Error> {
        self.progress.playing.take().ok_or(Error::NoMatch)?;
        self.bot.match_ended(end);
        Ok(())
    }
}

fn supported(game: &str) -> GameSupport {
    GameSupport {
        game: game.into(),
        ..Default::default()
    }
}

fn said(message: Said) -> BotMessage {
    BotMessage {
        message: Some(message),
    }
}

/// Cuts the lists of an evaluation to the 64 entries that the protocol allows.
fn limited(mut evaluation: Evaluation) -> Evaluation {
    evaluation.ranked.truncate(MOST_ENTRIES);
    evaluation.marks.truncate(MOST_ENTRIES);
    evaluation
}

/// Cuts a string to the 4096 bytes that the protocol allows, at a character boundary.
fn shortened(mut thoughts: String) -> String {
    let mut cut = thoughts.len().min(THOUGHTS_LIMIT);
    while !thoughts.is_char_boundary(cut) {
        cut -= 1;
    }
    thoughts.truncate(cut);
    thoughts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes the second legal action, notes a random number, and counts calls.
    #[derive(Default)]
    struct Second {
        started: u32,
        ended: u32,
        pushed: u32,
    }

    impl Bot for Second {
        fn choose(&mut self, decision: &mut Decision) -> u32 {
            decision.thoughts = decision.random.u64(..).to_string();
            decision.legal[1]
        }

        fn match_started(&mut self, _start: &MatchStart) {
            self.started += 1;
        }

        fn match_ended(&mut self, _end: &MatchEnd) {
            self.ended += 1;
        }

        fn observed(&mut self, _view: &View) {
            self.pushed += 1;
        }
    }

    fn session() -> Session<Second> {
        let identity = Identity {
            name: "mia".into(),
            version: "2".into(),
            games: vec!["maya".into()],
        };
        Session::new(Second::default(), identity)
    }

    fn told(message: Told) -> ArenaMessage {
        ArenaMessage {
            message: Some(message),
        }
    }

    fn start(bot_seed: u64) -> ArenaMessage {
        told(Told::MatchStart(MatchStart {
            match_id: "m".into(),
            bot_seed,
            ..Default::default()
        }))
    }

    fn ask(decision_id: u64) -> ArenaMessage {
        told(Told::Decide(Decide {
            decision_id,
            legal: vec![3, 5],
            ..Default::default()
        }))
    }

    fn welcome(session: &str, received: u64) -> ArenaMessage {
        told(Told::Welcome(Welcome {
            session: session.into(),
            received,
            reconnect_ms: 1000,
            ..Default::default()
        }))
    }

    fn thoughts(bot_seed: u64) -> String {
        let mut session = session();
        session.handle(start(bot_seed)).unwrap();
        match session.handle(ask(1)).unwrap().unwrap().message {
            Some(Said::Action(action)) => action.thoughts,
            other => panic!("{other:?} is not an action"),
        }
    }

    #[test]
    fn a_reply_has_the_decision_id() {
        let mut session = session();
        session.handle(start(1)).unwrap();
        let reply = session.handle(ask(7)).unwrap().unwrap();
        let Some(Said::Action(action)) = reply.message else {
            panic!("{reply:?} is not an action")
        };
        assert_eq!((action.decision_id, action.action), (7, 5));
    }

    #[test]
    fn hello_names_the_games_and_the_capabilities_of_the_bot() {
        let Some(Said::Hello(hello)) = session().hello("secret").message else {
            panic!("no Hello")
        };
        assert_eq!((hello.token.as_str(), hello.protocol_max), ("secret", 1));
        assert_eq!(hello.games[0].game, "maya");
        assert_eq!(hello.capabilities, Some(Capabilities::default()));
    }

    #[test]
    fn the_bot_is_called_at_starts_pushes_and_ends() {
        let mut session = session();
        session.handle(start(1)).unwrap();
        session
            .handle(told(Told::Observe(Observe::default())))
            .unwrap();
        session
            .handle(told(Told::MatchEnd(MatchEnd::default())))
            .unwrap();
        let bot = &session.bot;
        assert_eq!((bot.started, bot.pushed, bot.ended), (1, 1, 1));
    }

    #[test]
    fn a_resumed_session_repeats_its_last_reply_only_if_the_arena_lacks_it() {
        let mut session = session();
        session.handle(welcome("s", 0)).unwrap();
        session.handle(start(1)).unwrap();
        let reply = session.handle(ask(1)).unwrap();
        assert_eq!(session.handle(welcome("s", 1)).unwrap(), reply);
        assert_eq!(session.handle(welcome("s", 2)).unwrap(), None);
        assert_eq!(session.streams, 3);
    }

    #[test]
    fn the_next_hello_has_the_count_of_received_messages() {
        let mut session = session();
        session.handle(welcome("s", 0)).unwrap();
        session.handle(start(1)).unwrap();
        session.handle(ArenaMessage::default()).unwrap(); // of a later protocol
        let Some(Said::Hello(hello)) = session.hello("secret").message else {
            panic!("no Hello")
        };
        assert_eq!((hello.session.as_str(), hello.received), ("s", 2));
    }

    #[test]
    fn a_new_session_id_starts_over() {
        let mut session = session();
        session.handle(welcome("s", 0)).unwrap();
        session.handle(start(1)).unwrap();
        session.handle(welcome("t", 0)).unwrap();
        assert_eq!(session.handle(ask(1)), Err(Error::NoMatch));
    }

    #[test]
    fn a_refusal_has_its_reason() {
        let refused = crate::v1::Refused {
            reason: "no such token".into(),
        };
        let error = session().handle(told(Told::Refused(refused))).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the arena refused the bot: no such token"
        );
    }

    #[test]
    fn goodbye_ends_the_session() {
        let mut session = session();
        let goodbye = told(Told::Goodbye(Default::default()));
        assert_eq!(session.handle(goodbye), Ok(None));
        assert!(session.ended);
    }

    #[test]
    fn randomness_depends_on_all_64_bits_of_the_seed() {
        assert_eq!(thoughts(5), thoughts(5));
        assert_ne!(thoughts(5), thoughts(5 + (1 << 63)));
    }

    #[test]
    fn thoughts_are_cut_at_a_character_boundary() {
        assert_eq!(shortened("é".repeat(2048)), "é".repeat(2048));
        let long = format!("x{}", "é".repeat(2048));
        assert_eq!(shortened(long), format!("x{}", "é".repeat(2047)));
    }
}
