#include "common/chassis/log.hpp"

#include <unistd.h>

#include <cerrno>

namespace parley::chassis {

namespace {
constexpr std::size_t kGatherOctets = 32 * 1024;
}

Line::Line(Log& log, Level level, std::string_view message)
    : log_(log), text_(log.writes(level) ? &log.gathered_ : &log.unwritten_) {
  text_->append("{\"ts\":");
  model::write(*text_, model::Timestamp::now());
  text_->append(",\"level\":");
  model::write(*text_, level);
  text_->append(log.head_).append(",\"msg\":");
  model::write(*text_, message);
  if (level >= Level::warn) log_.urgent_ = true;
}

Line::~Line() {
  text_->append("}\n");
  log_.unwritten_.clear();
  if (log_.urgent_ || log_.gathered_.size() >= kGatherOctets) log_.flush();
}

Log::Log(std::string_view service, Level least, std::string_view role) : least_(least) {
  head_ = ",\"service\":";
  model::write(head_, service);
  if (role.empty()) return;
  head_ += ",\"role\":";
  model::write(head_, role);
}

void Log::flush() {
  urgent_ = false;
  std::string_view rest = gathered_;
  while (!rest.empty()) {
    const auto written = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;  // standard output is closed, so the error cannot be reported
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  gathered_.clear();
}

}  // namespace parley::chassis
