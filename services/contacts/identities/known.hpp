#pragma once
// The contacts that people of the channel may be, by the identifiers they have and those they gave up.
#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "contacts/identities/shapes.hpp"

namespace parley::contacts::identities {

// A contact, once for what it has at present and once for each former id.
struct KnownRow {
  model::Uuid id;
  std::optional<std::string> phone, channel_user_id;
  model::ContactStatus status = model::ContactStatus::Active;
  std::optional<std::string> former_user_id{};
};
BOOST_DESCRIBE_STRUCT(KnownRow, (), (id, phone, channel_user_id, status, former_user_id))

class Known {
 public:
  // `rows`: all contacts that have, or gave up, one of the identifiers of the people in question.
  explicit Known(const std::vector<KnownRow>& rows);
  Known(const Known&) = delete;

  // Each nullptr if there is none. A contact is the same object however it is found.
  const KnownRow* with_phone(const std::optional<std::string>& phone) const { return find(by_phone_, phone); }
  const KnownRow* with_user(const std::optional<std::string>& user) const { return find(by_user_, user); }

  // The person with the present ids in place of those given up. The channel never gives an id to a second user, so who
  // comes under a former one is that contact, and tells of a time before: another number told with it is outdated, or
  // is by now somebody else's, who is meant then. Of a change, what is left unset is known already. A change of a
  // present id back to a former one is taken as told.
  Person present(Person person) const;

 private:
  using Contacts = std::unordered_map<std::string, const KnownRow*>;
  static const KnownRow* find(const Contacts& contacts, const std::optional<std::string>& key);
  const KnownRow* that_had(const std::optional<std::string>& user) const;

  std::unordered_map<model::Uuid, KnownRow> contacts_;
  Contacts by_phone_, by_user_, by_former_user_;
};

}  // namespace parley::contacts::identities
