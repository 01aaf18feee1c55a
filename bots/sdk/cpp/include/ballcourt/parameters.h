// The parameters of a bot: numbers that its bot.toml declares, as the organiser has set them.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ballcourt {

// The bot has no such parameter; what() is a sentence for its author, and ends a bot that does not catch it.
struct ParameterError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Parameters {
 public:
  // Reads a list such as "depth=4,trust=0.5". The last value of a name counts. Throws std::runtime_error.
  explicit Parameters(const std::string& written);

  std::vector<std::string> names() const;
  // Returns the value of a parameter whose numbers in bot.toml are whole. Throws ParameterError.
  int64_t whole(const std::string& name) const;
  // Returns the value of a parameter. Throws ParameterError.
  double number(const std::string& name) const;

 private:
  const std::string& written(const std::string& name) const;

  std::vector<std::pair<std::string, std::string>> values_;  // as they were written
};

// Returns the parameters of the bot. Their values never change while it runs.
const Parameters& parameters();

}  // namespace ballcourt
