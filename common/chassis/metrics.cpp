#include "common/chassis/metrics.hpp"

#include <prometheus/text_serializer.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <filesystem>

namespace parley::chassis {

namespace {

double resident_octets() {
  long pages = 0;
  if (std::FILE* const file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return static_cast<double>(pages) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double cpu_seconds() {
  timespec spent{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
  return static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) / 1e9;
}

// Linux 6.2 and later give the number of descriptors as the directory's size; older kernels require counting.
double open_descriptors() {
  struct stat about{};
  if (::stat("/proc/self/fd", &about) == 0 && about.st_size > 0) return static_cast<double>(about.st_size);
  std::error_code error;
  const std::filesystem::directory_iterator first("/proc/self/fd", error);
  return error ? 0 : static_cast<double>(std::distance(first, {}) - 1);  // minus the descriptor of the directory itself
}

double max_descriptors() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<double>(limit.rlim_cur);
}

}  // namespace

Metrics::Metrics() {
  gauges("process_start_time_seconds", "When the process started, in seconds since 1970")
      .Add({})
      .Set(static_cast<double>(std::time(nullptr)));
  gauge_from("process_resident_memory_bytes", "Resident memory", {}, resident_octets);
  gauge_from("process_open_fds", "File descriptors in use", {}, open_descriptors);
  gauge_from("process_max_fds", "File descriptors that there may be", {}, max_descriptors);
  counter_from("process_cpu_seconds_total", "User and system time spent", {}, cpu_seconds);
}

prometheus::Family<prometheus::Counter>& Metrics::counters(const std::string& name, const std::string& help) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry_);
}

prometheus::Family<prometheus::Gauge>& Metrics::gauges(const std::string& name, const std::string& help) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry_);
}

prometheus::Family<prometheus::Histogram>& Metrics::histograms(const std::string& name, const std::string& help) {
  return prometheus::BuildHistogram().Name(name).Help(help).Register(registry_);
}

void Metrics::counter_from(const std::string& name, const std::string& help, const prometheus::Labels& labels,
                           std::function<double()> read) {
  add_from(counters(name, help).Add(labels), std::move(read));
}

void Metrics::add_from(prometheus::Counter& counter, std::function<double()> read) {
  before_scrape([&counter, read = std::move(read), last = 0.0]() mutable {
    const double now = read();
    if (now > last) counter.Increment(now - last);
    last = now;
  });
}

void Metrics::gauge_from(const std::string& name, const std::string& help, const prometheus::Labels& labels,
                         std::function<double()> read) {
  auto& gauge = gauges(name, help).Add(labels);
  before_scrape([&gauge, read = std::move(read)] { gauge.Set(read()); });
}

std::string Metrics::scrape() {
  for (const auto& update : updates_) update();
  return prometheus::TextSerializer().Serialize(registry_.Collect());
}

}  // namespace parley::chassis
