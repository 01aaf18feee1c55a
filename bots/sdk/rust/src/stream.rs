use std::time::Duration;

use http::uri::PathAndQuery;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep};
use tokio_stream::wrappers::ReceiverStream;
use tonic::client::Grpc;
use tonic::{Request, Status};
use tonic_prost::ProstCodec;

use crate::address::Address;
use crate::busy::Computing;
use crate::{Bot, Error, Session};

const METHOD: PathAndQuery = PathAndQuery::from_static("/ballcourt.v1.Arena/Play");
const FIRST_WAIT: Duration = Duration::from_millis(100);
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// How long to dial again after a stream broke.
const PATIENCE: Duration = Duration::from_secs(60);

/// Plays until the arena says Goodbye or closes the stream. Dials again after a broken stream if the
/// session can be resumed.
pub(crate) async fn converse<B: Bot>(
    session: &mut Session<B>,
    arena: &Address,
    token: &str,
) -> Result<(), Error> {
    let (mut wait, mut give_up) = (FIRST_WAIT, Instant::now());
    loop {
        let met = session.streams;
        let end = play_stream(session, arena, token).await;
        let Err(Error::Disconnected(_)) = end else {
            return end;
        };
        if session.streams > met {
            // the arena sent Welcome on this stream
            (wait, give_up) = (FIRST_WAIT, Instant::now() + PATIENCE);
        }
        if !session.resumable || Instant::now() > give_up {
            return end;
        }
        // at random, so that bots that lost the same arena do not dial all at once
        sleep(wait.mul_f64(0.5 + fastrand::f64() / 2.0)).await;
        wait = LONGEST_WAIT.min(2 * wait);
    }
}

/// Plays on one stream: sends Hello, then replies to messages until the stream ends.
async fn play_stream<B: Bot>(
    session: &mut Session<B>,
    arena: &Address,
    token: &str,
) -> Result<(), Error> {
    let lost = |reason: String| Error::Disconnected(format!("{}: {reason}", arena.shown));
    let broken = |status: Status| lost(status.message().into());
    let channel = arena.endpoint.connect().await;
    let mut client = Grpc::new(channel.map_err(|error| lost(root_cause(&error)))?);
    client
        .ready()
        .await
        .map_err(|error| lost(root_cause(&error)))?;
    let (replies, outgoing) = mpsc::channel(1);
    let _ = replies.try_send(session.hello(token)); // the channel has room for one message
    let request = Request::new(ReceiverStream::new(outgoing));
    let call = client.streaming(request, METHOD, ProstCodec::default());
    let mut incoming = call.await.map_err(broken)?.into_inner();
    while !session.ended {
        let Some(message) = incoming.message().await.map_err(broken)? else {
            break; // the arena closed the stream
        };
        let reply = {
            let _computing = Computing::here();
            session.handle(message)?
        };
        if let Some(reply) = reply {
            let _ = replies.send(reply).await; // if the stream has ended, the next receive has the reason
        }
    }
    // After Goodbye: close the bot's side and wait for the arena to end the stream. The arena takes a
    // stream that breaks instead for a bot that will dial again.
    drop(replies);
    while let Ok(Some(_)) = incoming.message().await {}
    Ok(())
}

/// Returns the message of the innermost cause; errors of the transport do not include it.
fn root_cause(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}
