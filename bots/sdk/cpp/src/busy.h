#pragma once

namespace ballcourt {

// Says, while it exists, that this thread computes for a bot and does not wait for the arena.
class Computing {
 public:
  Computing();
  ~Computing();
  Computing(const Computing&) = delete;
  Computing& operator=(const Computing&) = delete;
};

// Makes SIGTERM end the process with 0 at any time. If the thread that gets it computes, its stack is printed first.
void leave_on_sigterm();

}  // namespace ballcourt
