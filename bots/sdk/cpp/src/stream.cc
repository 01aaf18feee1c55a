#include "stream.h"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

#include "ballcourt/v1/protocol.grpc.pb.h"

namespace ballcourt {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kFirstWait(100);
constexpr milliseconds kLongestWait(5'000);
constexpr milliseconds kPatience(60'000);  // how long to dial again after a stream broke

using Stream = grpc::ClientReaderWriter<v1::BotMessage, v1::ArenaMessage>;

std::shared_ptr<grpc::Channel> dial(const Address& arena) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 20'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // dial again on a new connection
  return grpc::CreateCustomChannel(arena.target, arena.credentials, arguments);
}

// Sends Hello, then replies to messages until the stream ends.
void exchange(Session& session, Stream& stream, const std::string& token) {
  stream.Write(session.hello(token));
  v1::ArenaMessage message;
  while (!session.ended() && stream.Read(&message)) {
    const auto reply = session.handle(message);
    if (reply) stream.Write(*reply);
  }
}

// Cancels the stream without waiting for the arena to end it.
void hang_up(grpc::ClientContext& context, Stream& stream) {
  context.TryCancel();
  stream.Finish();
}

// Closes the bot's side after Goodbye and waits for the arena to end the stream. The arena takes a stream that breaks
// instead for a bot that will dial again.
void close_both(Stream& stream) {
  stream.WritesDone();
  v1::ArenaMessage message;
  while (stream.Read(&message)) continue;
  stream.Finish();
}

void play_stream(Session& session, const Address& arena, const std::string& token) {
  const auto stub = v1::Arena::NewStub(dial(arena));
  grpc::ClientContext context;
  const auto stream = stub->Play(&context);
  try {
    exchange(session, *stream, token);
  } catch (...) {
    hang_up(context, *stream);
    throw;
  }
  if (session.ended()) return close_both(*stream);
  if (const grpc::Status status = stream->Finish(); !status.ok()) {
    throw Disconnected("no connection to the arena at " + arena.shown + ": " + status.error_message());
  }
}

// Returns at least half of the wait, at random, so that bots that lost the same arena do not dial all at once.
milliseconds scattered(milliseconds wait) {
  static thread_local std::mt19937 random{std::random_device{}()};
  return milliseconds(std::uniform_int_distribution<int64_t>(wait.count() / 2, wait.count())(random));
}

}  // namespace

void converse(Session& session, const Address& arena, const std::string& token) {
  milliseconds wait = kFirstWait;
  Clock::time_point give_up;
  while (true) {
    const int met = session.streams();
    try {
      return play_stream(session, arena, token);
    } catch (const Disconnected&) {
      if (session.streams() > met) {  // the arena sent Welcome on this stream
        wait = kFirstWait;
        give_up = Clock::now() + kPatience;
      }
      if (!session.resumable() || Clock::now() > give_up) throw;
    }
    std::this_thread::sleep_for(scattered(wait));
    wait = std::min(2 * wait, kLongestWait);
  }
}

}  // namespace ballcourt
