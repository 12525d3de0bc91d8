#pragma once
// The result of reading a series of HTTP messages, for comparing different cuts of the same octets.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "common/http/message_reader.hpp"

namespace parley::support {

struct Reading {
  std::string heads;   // one per line
  std::string bodies;  // all bodies, with "|" after each complete message
  unsigned fault = 0;
  std::string reason;
  std::string broken;  // the reader's broken promise

  bool operator==(const Reading&) const = default;
};

inline std::string describe(const http::Head& head) {
  std::string out = std::string(http::name_of(head.method)) + " " + std::string(head.target) + " " +
                    std::to_string(head.status) + " " + std::to_string(head.version) +
                    (head.keep_alive ? " keep" : " close") + (head.chunked ? " chunked" : "");
  if (head.content_length) out += " length=" + std::to_string(*head.content_length);
  for (const auto& [name, value] : head.fields()) out.append("; ").append(name).append("=").append(value);
  return out + "\n";
}

// Feeds `octets` cut into `pieces`, the rest at once; a piece of 0 means octet by octet from there. Then may `close`.
template <bool is_request>
Reading read_messages(std::string_view octets, const std::vector<std::size_t>& pieces,
                      const http::ReaderLimits& limits = {}, bool close = false) {
  using Step = typename http::MessageReader<is_request>::Step;
  http::MessageReader<is_request> reader(limits);
  Reading out;
  std::string head;
  std::size_t piece = 0;
  for (;;) {
    switch (reader.step()) {
      case Step::head:
        head = describe(reader.head());
        out.heads += head;
        continue;
      case Step::body:
        out.bodies += reader.piece();
        continue;
      case Step::done:
        if (describe(reader.head()) != head) out.broken = "slices hold until the message's end";
        out.bodies += '|';
        reader.next_message();
        continue;
      case Step::fault:
        out.fault = reader.fault_status();
        out.reason = reader.fault_reason();
        if (reader.step() != Step::fault) out.broken = "a fault stays";
        return out;
      case Step::need_more:
        break;
    }
    if (octets.empty()) {
      if (!close) return out;
      if (reader.end_of_stream() == Step::done)
        out.bodies += '|';
      else
        out.fault = reader.fault_status();
      return out;
    }
    const auto space = reader.space();
    if (space.empty()) {
      out.broken = "there is room for what is needed";
      return out;
    }
    std::size_t count = piece < pieces.size() ? pieces[piece] : octets.size();
    if (piece < pieces.size() && pieces[piece] == 0) count = 1;
    count = std::min({count, octets.size(), space.size()});
    if (piece < pieces.size() && pieces[piece] != 0) ++piece;
    std::memcpy(space.data(), octets.data(), count);
    reader.commit(count);
    octets.remove_prefix(count);
  }
}

}  // namespace parley::support
