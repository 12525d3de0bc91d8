#include <stdexcept>

#include "common/events/snapshot.hpp"

namespace parley::events {

namespace {

constexpr std::size_t kSome = 256 * 1024;  // octets of lines
constexpr std::size_t kMaxLineLength = 4 << 20;

}  // namespace

awaitable<bool> SnapshotReader::read() {
  const auto piece = co_await source_->next();
  gathered_ += piece;
  if (gathered_.size() > kSome + kMaxLineLength) throw std::runtime_error("the snapshot has a line that is too long");
  co_return !piece.empty();
}

awaitable<void> SnapshotReader::begin() {
  std::size_t end = gathered_.npos;
  for (bool more = true; more && end == gathered_.npos; end = gathered_.find('\n')) more = co_await read();
  if (end == gathered_.npos) throw std::runtime_error("the answer is no snapshot");
  model::Fault fault;
  auto head = model::from_json<SnapshotHead>(std::string_view(gathered_).substr(0, end), fault);
  if (!head) throw std::runtime_error("the snapshot's head: " + fault.pointer + " " + fault.detail);
  head_ = *head;
  gathered_.erase(0, end + 1);
}

awaitable<std::vector<std::string>> SnapshotReader::next() {
  std::vector<std::string> lines;
  for (bool more = true; more && lines.empty();) {
    while (more && gathered_.size() < kSome) more = co_await read();
    std::size_t begin = 0;
    for (std::size_t end; (end = gathered_.find('\n', begin)) != gathered_.npos; begin = end + 1)
      if (end > begin) lines.push_back(gathered_.substr(begin, end - begin));
    gathered_.erase(0, begin);
    if (!more && !gathered_.empty()) throw std::runtime_error("the snapshot ends within a line");
  }
  co_return lines;
}

}  // namespace parley::events
