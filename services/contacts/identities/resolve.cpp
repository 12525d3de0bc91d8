// Store::resolve: works in rounds until each person has a contact that matches the channel's data.
#include <unordered_map>
#include <unordered_set>

#include "common/async/pause.hpp"
#include "common/chassis/quotas_told.hpp"
#include "common/events/outbox/sql.hpp"
#include "contacts/contacts/emit.hpp"
#include "contacts/identities/merge.hpp"
#include "contacts/identities/sql.hpp"
#include "contacts/identities/store.hpp"
#include "contacts/lists/tally.hpp"

namespace parley::contacts::identities {

namespace {

constexpr int kMaxRounds = 20;
constexpr int kMaxAttempts = 20;
constexpr std::chrono::milliseconds kPause{15};  // after the first attempt, linear backoff

struct StatusRow {
  model::Uuid id;
  model::ContactStatus status = model::ContactStatus::Active;
};
BOOST_DESCRIBE_STRUCT(StatusRow, (), (id, status))

using Texts = std::vector<std::string>;

// True for conflicts with other transactions; the next attempt sees their changes.
bool is_worth_another(const pg::SqlError& error) {
  return error.is_retryable() || error.state == "55P03" || error.is_unique_violation();
}

// Retries a transaction on conflicts. It does not follow the lock order, so it sets a short lock_timeout (give_way), to
// fail long before PostgreSQL's deadlock detector aborts another transaction.
template <typename Transaction>
awaitable<void> with_retries(Transaction transaction) {
  for (int tries = 1; tries <= kMaxAttempts; ++tries) {
    std::optional<pg::SqlError> refused;
    try {
      co_return co_await transaction();
    } catch (const pg::SqlError& error) {
      refused = error;
    }
    if (!is_worth_another(*refused)) throw *refused;
    co_await async::pause(kPause * tries);
  }
  throw pg::Unavailable("contacts are changed by others all the time");
}

bool same(const std::optional<std::string>& wanted, const std::optional<std::string>& known) {
  return !wanted || wanted == known;
}

}  // namespace

class Store::Resolution {
 public:
  explicit Resolution(std::vector<Person> people) : people_(std::move(people)), contacts_(people_.size()) {}

  const std::vector<Person>& people() const { return people_; }
  bool is_open(std::size_t person) const { return !contacts_[person]; }
  const std::optional<model::Uuid>& contact(std::size_t person) const { return contacts_[person]; }
  // Index of a later person who gives up this person's number or id; in a repeated request this has taken effect
  // already.
  std::optional<std::size_t> later_self(std::size_t person) const {
    const auto& sought = people_[person];
    for (std::size_t i = person + 1; i < people_.size(); ++i)
      if ((sought.phone && people_[i].formerPhone == sought.phone) ||
          (sought.channelUserId && people_[i].formerChannelUserId == sought.channelUserId))
        return i;
    return std::nullopt;
  }
  bool has_open() const {
    return std::ranges::any_of(contacts_, [](const auto& id) { return !id; });
  }

  void settle(std::size_t person, model::Uuid contact) { contacts_[person] = contact; }
  void settle(std::size_t person, const StatusRow& contact) {
    settle(person, contact.id);
    statuses_[contact.id] = contact.status;
  }
  void made(std::size_t person, const model::Uuid& contact) {
    settle(person, {contact, model::ContactStatus::Active});
    made_.insert(contact);
  }
  // Replaces the merged contact `gone` by `into`.
  void merged(const model::Uuid& gone, const model::Uuid& into) {
    for (auto& id : contacts_)
      if (id == gone) id = into;
    if (made_.contains(gone)) made_.insert(into);
  }
  // The status must be read again.
  void doubt(const model::Uuid& contact) { statuses_.erase(contact); }
  std::vector<model::Uuid> doubtful() const {
    std::vector<model::Uuid> out;
    for (const auto& id : contacts_)
      if (id && !statuses_.contains(*id)) out.push_back(*id);
    return out;
  }
  // Takes the doubtful contacts that exist; the people of the others are open again.
  void confirm(const std::vector<StatusRow>& rows) {
    for (const auto& row : rows) statuses_[row.id] = row.status;
    for (auto& id : contacts_)
      if (id && !statuses_.contains(*id)) id.reset();
  }
  std::vector<ResolvedContact> answer() const {
    std::vector<ResolvedContact> out;
    for (const auto& id : contacts_) out.push_back({*id, statuses_.at(*id), made_.contains(*id)});
    return out;
  }

  std::vector<std::size_t> strangers, to_change;  // of the current round

 private:
  std::vector<Person> people_;
  std::vector<std::optional<model::Uuid>> contacts_;
  std::unordered_map<model::Uuid, model::ContactStatus> statuses_;
  std::unordered_set<model::Uuid> made_;
};

struct Store::Change {
  model::Uuid contact;
  std::vector<model::Uuid> gone;  // merged into it
};

awaitable<std::vector<ResolvedContact>> Store::resolve(model::Uuid organization, std::vector<Person> people) {
  Resolution resolution(std::move(people));
  for (int round = 0; round < kMaxRounds; ++round) {
    if (resolution.has_open()) {
      co_await look(organization, resolution);
      if (!resolution.strangers.empty()) co_await insert(organization, resolution);
      for (const auto person : resolution.to_change) co_await change(organization, resolution, person);
    }
    if (const auto doubtful = resolution.doubtful(); !doubtful.empty()) {
      const auto results = co_await database_.read(pg::Batch(sql::statuses, organization, doubtful));
      resolution.confirm(results.rows<StatusRow>());
    }
    if (!resolution.has_open()) co_return resolution.answer();
  }
  throw pg::Unavailable("these contacts change all the time");
}

// Settles people whose contact is unchanged; collects strangers and changes. People who depend on others wait a round.
awaitable<void> Store::look(const model::Uuid& organization, Resolution& resolution) {
  const auto& people = resolution.people();
  Texts phones, users;
  for (std::size_t i = 0; i < people.size(); ++i) {
    if (!resolution.is_open(i)) continue;
    for (const auto* phone : {&people[i].phone, &people[i].formerPhone})
      if (*phone) phones.push_back(**phone);
    for (const auto* user : {&people[i].channelUserId, &people[i].formerChannelUserId})
      if (*user) users.push_back(**user);
  }
  const auto results = co_await database_.read(pg::Batch(sql::known, organization, phones, users));
  const Known known(results.rows<KnownRow>());

  resolution.strangers.clear();
  resolution.to_change.clear();
  std::unordered_set<std::string> claimed;  // keys of the contacts created in this round
  for (std::size_t i = 0; i < people.size(); ++i) {
    if (!resolution.is_open(i)) continue;
    const auto person = known.present(people[i]);
    const auto* contact = known.with_phone(person.phone);
    if (!contact) contact = known.with_user(person.channelUserId);
    const bool moves = known.with_phone(person.formerPhone) || known.with_user(person.formerChannelUserId);
    const auto later = contact || moves ? std::nullopt : resolution.later_self(i);
    if (later) {
      if (const auto& same_contact = resolution.contact(*later)) resolution.settle(i, *same_contact);
    } else if (!contact && !moves) {
      bool is_free = true;
      for (const auto* key : {&person.phone, &person.channelUserId, &person.formerPhone, &person.formerChannelUserId})
        if (*key) is_free = claimed.insert(**key).second && is_free;
      if (is_free) resolution.strangers.push_back(i);
    } else if (moves || person.formerChannelUserId || !same(person.phone, contact->phone) ||
               !same(person.channelUserId, contact->channel_user_id)) {
      resolution.to_change.push_back(i);
    } else {
      resolution.settle(i, {contact->id, contact->status});
    }
  }
}

awaitable<void> Store::insert(const model::Uuid& organization, Resolution& resolution) {
  std::vector<model::Uuid> ids;
  std::vector<std::string_view> names;
  std::vector<std::optional<std::string>> phones, users, former_users;
  for (const auto i : resolution.strangers) {
    const auto& person = resolution.people()[i];
    ids.push_back(model::new_uuid());
    names.push_back(person.name ? *person.name : person.phone ? *person.phone : *person.channelUserId);
    phones.push_back(person.phone);
    users.push_back(person.channelUserId);
    former_users.push_back(person.formerChannelUserId);
  }
  std::unordered_set<model::Uuid> made;
  co_await with_retries([&]() -> awaitable<void> {
    auto transaction = co_await database_.begin(organization);
    pg::Batch batch(sql::lock_people, organization);
    batch.add(sql::give_way).add(sql::insert_strangers, organization, ids, names, phones, users, former_users);
    const auto asked = quotas_.ask(batch, organization, kContactsQuota);
    const auto results = co_await transaction.run(std::move(batch));
    const auto inserted = results.rows<model::Uuid>(2);
    if (inserted.empty()) co_return;
    co_await chassis::settle_beyond(transaction, organization, asked, results, std::ssize(inserted));
    events::Changes changes;
    contacts::emit(changes, events::ContactsCreated{organization, {}}, inserted);
    pg::Batch last(events::outbox::append, changes.json());
    lists::add_to_tallies(last, organization, static_cast<std::int64_t>(inserted.size()));
    co_await transaction.commit(std::move(last));
    made.insert(inserted.begin(), inserted.end());
  });
  for (std::size_t k = 0; k < ids.size(); ++k)
    if (made.contains(ids[k])) resolution.made(resolution.strangers[k], ids[k]);
}

awaitable<void> Store::change(const model::Uuid& organization, Resolution& resolution, std::size_t person) {
  std::optional<Change> changed;
  co_await with_retries(
      [&]() -> awaitable<void> { changed = co_await attempt(organization, resolution.people()[person]); });
  if (!changed) co_return;
  resolution.settle(person, changed->contact);
  resolution.doubt(changed->contact);
  for (const auto& gone : changed->gone) resolution.merged(gone, changed->contact);
}

// nullopt: the person has no contact any more.
awaitable<std::optional<Store::Change>> Store::attempt(model::Uuid organization, Person person) {
  Texts phones, users;
  for (const auto* phone : {&person.phone, &person.formerPhone})
    if (*phone) phones.push_back(**phone);
  for (const auto* user : {&person.channelUserId, &person.formerChannelUserId})
    if (*user) users.push_back(**user);
  auto transaction = co_await database_.begin(organization);
  pg::Batch batch(sql::lock_people, organization);
  batch.add(sql::give_way).add(sql::lock_known, organization, phones, users);
  const auto locked = co_await transaction.run(std::move(batch));
  const Known known(locked.rows<KnownRow>(2));
  person = known.present(std::move(person));
  const auto found = find_identity(person, known);
  if (!found) co_return std::nullopt;
  const Change change{found->contact, found->gone};
  if (!found->is_new) co_return change;
  co_await put_identity(transaction, organization, person, *found);
  co_await transaction.commit();
  co_return change;
}

}  // namespace parley::contacts::identities
