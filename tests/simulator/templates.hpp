#pragma once
#include <boost/json/array.hpp>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/simulator/refusal.hpp"

namespace parley::simulator {

struct Template {
  std::string id, business_account_id;
  std::string name, language, status, category;
  std::string parameter_format = "POSITIONAL";  // or NAMED
  std::string rejected_reason;                  // "" unless REJECTED
  boost::json::array components;

  boost::json::object to_json() const;
};

// In order of creation.
class Templates {
 public:
  // The initial templates of an account, some of every status.
  void add_defaults(const std::string& business_account_id);
  // Assigns an id. Replaces a template of the same name and language, keeping its id.
  Template& add(Template made);
  Template* find(std::string_view business_account_id, std::string_view name, std::string_view language);
  const Template* find(std::string_view id) const;
  // All languages of a name; false if there is none.
  bool remove(std::string_view business_account_id, std::string_view name);
  std::vector<const Template*> of(std::string_view business_account_id) const;

  // Throws Refusal if the template object does not fit. `to_user_id`: the recipient has only a business-scoped user id.
  void check(std::string_view business_account_id, const boost::json::object& message, bool to_user_id);

 private:
  std::deque<Template> templates_;
  std::uint64_t next_ = 0;
};

}  // namespace parley::simulator
