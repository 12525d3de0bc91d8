#include "conversations/dispatch/record.hpp"

namespace parley::conversations::dispatch {

namespace {

template <class T>
void append(std::vector<T>& all, std::vector<T>& more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

}  // namespace

bool is_empty(const Record& record) {
  return record.results.empty() && record.void_claims.empty() && !record.stop && !record.unstop &&
         record.finished.empty() && record.released.empty() && record.paused.empty();
}

Record first_of(Record& all, std::size_t most) {
  Record out = std::exchange(all, {});
  if (out.results.size() <= most) return out;
  const auto rest = out.results.begin() + static_cast<std::ptrdiff_t>(most);
  all.results.assign(std::make_move_iterator(rest), std::make_move_iterator(out.results.end()));
  out.results.erase(rest, out.results.end());
  all.finished = std::exchange(out.finished, {});
  all.released = std::exchange(out.released, {});
  return out;
}

void put_in_front(Record front, Record& all) {
  add_to(front, std::move(all));
  all = std::move(front);
}

void add_to(Record& all, Record more) {
  append(all.results, more.results);
  append(all.void_claims, more.void_claims);
  append(all.finished, more.finished);
  append(all.released, more.released);
  if (more.stop) all.stop = std::move(more.stop);
  all.unstop = all.unstop || more.unstop;
  all.paused.merge(more.paused);
}

}  // namespace parley::conversations::dispatch
