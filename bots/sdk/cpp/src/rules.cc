#include "ballcourt/rules.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "address.h"

extern char** environ;

namespace ballcourt {
namespace {

struct Pipe {
  int read;
  int write;
};

// Opens a pipe whose ends other programs do not inherit.
Pipe open_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe for the rules: " + std::string(strerror(errno)));
  return {ends[0], ends[1]};
}

int spawn(const std::string& python, const Pipe& requests, const Pipe& replies) {
  std::array<const char*, 5> words{python.c_str(), "-I", "-m", "ballcourt.bots.sdk.python.rules", nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, requests.read, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, replies.write, STDOUT_FILENO);
  pid_t process = 0;
  const int failure = posix_spawnp(&process, words[0], &actions, nullptr, const_cast<char**>(words.data()), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(requests.read);
  close(replies.write);
  if (failure) throw std::runtime_error("the rules cannot be started with " + python + ": " + strerror(failure));
  return process;
}

void write_all(int file, const std::string& data) {
  for (size_t done = 0; done < data.size();) {
    const ssize_t written = write(file, data.data() + done, data.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw std::runtime_error("the rules do not answer: " + std::string(strerror(errno)));
    done += written;
  }
}

std::string read_all(int file, size_t size) {
  std::string data(size, '\0');
  for (size_t done = 0; done < size;) {
    const ssize_t got = read(file, data.data() + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw std::runtime_error("the rules do not answer: they have ended");
    done += got;
  }
  return data;
}

// Four bytes with a length, the lowest first.
std::string packed(uint32_t size) {
  std::string head;
  for (int shift = 0; shift < 32; shift += 8) head += static_cast<char>(size >> shift & 0xFF);
  return head;
}

uint32_t unpacked(const std::string& head) {
  uint32_t size = 0;
  for (int place = 0; place < 4; ++place) size |= static_cast<uint32_t>(static_cast<uint8_t>(head[place])) << 8 * place;
  return size;
}

}  // namespace

Rules::Rules() {
  const std::string python = variable("BALLCOURT_PYTHON");
  if (python.empty()) throw std::runtime_error("BALLCOURT_PYTHON is not set; the arena that starts a bot sets it");
  signal(SIGPIPE, SIG_IGN);  // a process that has ended is an error of `ask`
  const Pipe requests = open_pipe();
  const Pipe replies = open_pipe();
  requests_ = requests.write;
  replies_ = replies.read;
  process_ = spawn(python, requests, replies);
}

Rules::~Rules() {
  close(requests_);
  close(replies_);
  waitpid(process_, nullptr, 0);
}

std::vector<v1::RulesAnswer> Rules::ask(const View& view, const std::vector<v1::RulesCall>& calls) {
  v1::RulesRequest request;
  request.set_game(view.match.start.game());
  if (view.data != seen_) request.set_observation(view.data);
  request.mutable_calls()->Assign(calls.begin(), calls.end());
  const v1::RulesReply reply = exchange(request);
  if (!reply.refused().empty()) throw std::runtime_error("the rules refuse the request: " + reply.refused());
  seen_ = view.data;
  return {reply.answers().begin(), reply.answers().end()};
}

v1::RulesReply Rules::exchange(const v1::RulesRequest& request) {
  const std::string data = request.SerializeAsString();
  write_all(requests_, packed(data.size()) + data);
  v1::RulesReply reply;
  if (!reply.ParseFromString(read_all(replies_, unpacked(read_all(replies_, 4))))) {
    throw std::runtime_error("the rules sent bytes that are not a RulesReply");
  }
  return reply;
}

}  // namespace ballcourt
