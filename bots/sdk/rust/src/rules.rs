use std::env;
use std::io::{Error, Read, Result, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use prost::Message;

use crate::View;
use crate::v1::{RulesAnswer, RulesCall, RulesReply, RulesRequest};

/// As `RulesCall::playout`: a playout goes on until the match is over.
pub const TO_THE_END: u32 = u32::MAX;

/// A process that knows the rules of the games and draws positions from what the bot sees. It ends
/// with the bot, and the bot pays for its time.
pub struct Rules {
    process: Child,
    requests: Option<ChildStdin>,
    replies: ChildStdout,
    seen: Option<Vec<u8>>,
}

impl Rules {
    /// Starts the rules. That takes a third of a second: do it in `match_started`, once.
    pub fn start() -> Result<Self> {
        let python = env::var("BALLCOURT_PYTHON").map_err(|_| {
            Error::other("BALLCOURT_PYTHON is not set; the arena that starts a bot sets it")
        })?;
        let mut process = Command::new(python)
            .args(["-I", "-m", "ballcourt.bots.sdk.python.rules"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let requests = process.stdin.take();
        let replies = process.stdout.take().expect("it is piped");
        Ok(Rules {
            process,
            requests,
            replies,
            seen: None,
        })
    }

    /// Carries out calls about positions that fit a view, in order, and returns an answer for each.
    /// Ask as much as you can at once. A view with another observation forgets the positions that
    /// were kept.
    pub fn ask(&mut self, view: &View, calls: Vec<RulesCall>) -> Result<Vec<RulesAnswer>> {
        let is_new = self.seen.as_deref() != Some(view.data);
        let request = RulesRequest {
            game: view.start.game.clone(),
            observation: if is_new { view.data.into() } else { vec![] },
            calls,
        };
        let reply = self.exchange(&request)?;
        if !reply.refused.is_empty() {
            let sentence = format!("the rules refuse the request: {}", reply.refused);
            return Err(Error::other(sentence));
        }
        if is_new {
            self.seen = Some(view.data.into());
        }
        Ok(reply.answers)
    }

    fn exchange(&mut self, request: &RulesRequest) -> Result<RulesReply> {
        let size = request.encoded_len();
        let mut message = Vec::with_capacity(4 + size);
        message.extend((size as u32).to_le_bytes());
        request.encode(&mut message).map_err(Error::other)?;
        let requests = self
            .requests
            .as_mut()
            .expect("it is open until it is dropped");
        requests.write_all(&message)?;
        let mut head = [0; 4];
        self.replies.read_exact(&mut head)?;
        let mut data = vec![0; u32::from_le_bytes(head) as usize];
        self.replies.read_exact(&mut data)?;
        RulesReply::decode(data.as_slice()).map_err(Error::other)
    }
}

impl Drop for Rules {
    /// Ends the process.
    fn drop(&mut self) {
        self.requests.take(); // the end of its input
        let _ = self.process.wait();
    }
}
