// SPDX-License-Identifier: Apache-2.0
#include "kinf/demo/live/guesses.h"

#include <fmt/format.h>

#include <algorithm>

namespace kinf {
namespace {

constexpr Guesses kGuesses[] = {
    {"deltafifo", {"only the deletion", "all three, one pop each", "all three, in one pop"}, 2},
    {"dedup", {"yes, to the end", "no, it keeps its place", "it is then there twice"}, 1},
    {"synced", {"when the list arrives", "when the handlers are done", "when the store has it"}, 2},
    {"listwatch",
     {"only changes after the list", "ADDED for every pod first", "nothing until a change"},
     1},
    {"reflector", {"yes, as Deleted", "no, it is dropped", "yes, as Replaced"}, 1},
    {"reflector-known", {"yes", "no", "only after the next list"}, 0},
    {"informer", {"from the store", "from the server", "from the queue after all"}, 0},
    {"shared", {"yes, they take turns", "only while one is slow", "no, never"}, 2},
    {"shared-listwatch", {"two of each", "one of each", "one watch, two copies"}, 1},
    {"shared-vs-separate", {"the same", "twice the requests only", "twice of everything"}, 2},
    {"slow-handler",
     {"in its own queue; nobody waits", "in the DeltaFIFO; everybody waits", "at the server"},
     0},
    {"index-map",
     {"a sorted list, rebuilt at times", "keys by value, moved by each write", "a search"},
     1},
    {"factory",
     {"two; the late one lists again", "one; the late one gets new changes", "one; it gets all"},
     2},
    {"resync", {"no", "yes, at its next resync", "yes, and the server is asked again"}, 1},
    {"broken-watch", {"yes, at once", "yes, after a pause", "no, it watches again"}, 2},
    {"short-watch", {"watches again", "lists again after a pause", "stops"}, 1},
    {"gone",
     {"lists, and tells what differs", "lists, and tells every pod again", "watches from now"},
     0},
    {"stalled-watch", {"the server says so", "by the silence", "it never does"}, 1},
    {"workqueue", {"they wait for it", "they go on", "they fail, too"}, 1},
    {"controller", {"nothing", "its own write, as an event", "a resync"}, 1},
};

}  // namespace

const Guesses* find_guesses(std::string_view stage) {
  const auto* const found = std::ranges::find(kGuesses, stage, &Guesses::stage);
  return found == std::end(kGuesses) ? nullptr : found;
}

std::string guesses_text(const Guesses& guesses) {
  std::string text;
  for (std::size_t i = 0; i < guesses.texts.size(); ++i) {
    text += fmt::format("{}{}: {}.", i == 0 ? "" : "  ", i + 1, guesses.texts[i]);
  }
  return text;
}

std::string verdict(const Guesses& guesses, std::size_t number) {
  const std::size_t right = guesses.right + 1;
  return number == right ? fmt::format("Right: {}.", right)
                         : fmt::format("No, {} is right.", right);
}

}  // namespace kinf
