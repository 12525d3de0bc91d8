#include "gateway/callers.hpp"

namespace parley::gateway {

using namespace std::chrono_literals;

namespace {
constexpr std::size_t kMaxCallers = 50'000;
constexpr auto kUnused = 5s;
}  // namespace

void Changed::add(const events::AccessChanged& change) {
  if (change.memberId) members_.insert(*change.memberId);
  if (change.personId) people_.insert(*change.personId);
  if (change.credentialId) credentials_.insert(*change.credentialId);
  if (!change.memberId && !change.personId && !change.credentialId) organizations_.insert(change.organizationId);
}

bool Changed::empty() const {
  return !everything_ && organizations_.empty() && members_.empty() && people_.empty() && credentials_.empty();
}

bool Changed::concerns(const Caller& caller) const {
  const auto& identity = caller.identity;
  return everything_ || organizations_.contains(identity.organization_id) || members_.contains(identity.member_id) ||
         people_.contains(identity.person_id) || credentials_.contains(caller.credential) ||
         (caller.home && organizations_.contains(*caller.home)) || (caller.holder && members_.contains(*caller.holder));
}

std::shared_ptr<Caller> Callers::find(const std::string& key) const {
  const auto known = callers_.find(key);
  return known == callers_.end() ? nullptr : known->second;
}

void Callers::keep(const std::string& key, std::shared_ptr<Caller> caller, std::uint64_t forgettings) {
  if (forgettings != forgettings_) return;
  make_room();
  auto& kept = callers_[key];
  // Keeps the tokens identical, as services cache their verification.
  if (kept && kept->identity == caller->identity) caller->tokens = kept->tokens;
  kept = std::move(caller);
}

void Callers::forget(const std::string& key) {
  callers_.erase(key);
  ++forgettings_;
}

void Callers::forget(const Changed& changed) {
  if (changed.empty()) return;
  std::erase_if(callers_, [&](const auto& entry) { return changed.concerns(*entry.second); });
  ++forgettings_;
}

void Callers::forget_all() {
  callers_.clear();
  ++forgettings_;
}

void Callers::make_room() {
  if (callers_.size() < kMaxCallers) return;
  const auto now = http::Clock::now();
  std::erase_if(callers_, [&](const auto& entry) { return now - entry.second->verified > kUnused; });
  if (callers_.size() >= kMaxCallers) callers_.clear();  // verified again on their next request
}

}  // namespace parley::gateway
