#include "ballcourt/parameters.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <regex>
#include <sstream>

#include "address.h"

namespace ballcourt {
namespace {

constexpr double kMost = 1e15;  // in either direction

bool in_range(const std::string& number) { return std::abs(std::strtod(number.c_str(), nullptr)) <= kMost; }

}  // namespace

Parameters::Parameters(const std::string& written) {
  static const std::regex kWord(R"(([^=]+)=(-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?))");
  std::istringstream words(written);
  for (std::string word; std::getline(words, word, ',');) {
    if (word.empty()) continue;
    std::smatch found;
    if (!std::regex_match(word, found, kWord) || !in_range(found[2])) {
      throw std::runtime_error("BALLCOURT_PARAMETERS is '" + written +
                               "'; it must be NAME=NUMBER, several separated by commas, for example depth=4,trust=0.5");
    }
    const std::string name = found[1];
    const auto known = std::find_if(values_.begin(), values_.end(), [&](const auto& one) { return one.first == name; });
    if (known == values_.end()) {
      values_.emplace_back(name, found[2]);
    } else {
      known->second = found[2];
    }
  }
}

std::vector<std::string> Parameters::names() const {
  std::vector<std::string> found;
  for (const auto& [name, value] : values_) found.push_back(name);
  return found;
}

int64_t Parameters::whole(const std::string& name) const {
  const std::string& value = written(name);
  if (value.find_first_of(".eE") != std::string::npos) {
    throw ParameterError("the parameter '" + name + "' is " + value +
                         "; it must be a whole number: write its default, least and most in bot.toml without a point");
  }
  return std::stoll(value);
}

double Parameters::number(const std::string& name) const { return std::strtod(written(name).c_str(), nullptr); }

const std::string& Parameters::written(const std::string& name) const {
  std::string declared;
  for (const auto& [known, value] : values_) {
    if (known == name) return value;
    declared += (declared.empty() ? "" : ", ") + known;
  }
  throw ParameterError("there is no parameter '" + name + "'; bot.toml declares " +
                       (declared.empty() ? "none" : declared));
}

const Parameters& parameters() {
  static const Parameters own(variable("BALLCOURT_PARAMETERS"));
  return own;
}

}  // namespace ballcourt
