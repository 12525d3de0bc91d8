#pragma once
// A phone number that moves between two organizations while its users write.
#include <string>
#include <vector>

#include "tests/e2e/channel_bed.hpp"

namespace parley::faults {

class Moves {
 public:
  explicit Moves(support::System& system);

  // A user writes to the number. Returns the text.
  std::string write();
  // The owner connects another number, and the other organization this one. Adds failed checks unless what is written
  // from then on is stored with the new owner. Call it while all processes run.
  void move();

  // Adds failed checks unless each message is stored once. Waits for what came while nobody had the number.
  void judge();
  std::size_t written() const { return written_.size(); }
  int moves() const { return moves_; }

 private:
  void connect(e2e::Channel& organization, const std::string& phone_number_id);
  // How often it is stored.
  std::int64_t times(e2e::Channel& organization, const std::string& text);

  support::System& system_;
  e2e::Channel first_, second_;
  int codes_ = 0, moves_ = 0;
  std::vector<std::string> written_;
};

}  // namespace parley::faults
