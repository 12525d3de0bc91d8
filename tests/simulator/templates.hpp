#pragma once
#include <boost/json/array.hpp>
#include <deque>
#include <functional>
#include <optional>
#include <set>
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
  std::string quality = "UNKNOWN";              // GREEN, YELLOW, RED
  std::vector<std::int64_t> edited;             // when, in milliseconds since 1970
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
  Template* find(std::string_view id);
  // All languages of a name, or the one with this id; false if there is none.
  bool remove(std::string_view business_account_id, std::string_view name, std::string_view id);
  // Whether one was deleted once it had been approved: the channel keeps its name for 30 days.
  bool is_held(const Template& made) const { return held_.contains(place_of(made)); }
  std::vector<const Template*> of(std::string_view business_account_id) const;

  // Throws Refusal if the template object does not fit. `to_user_id`: the recipient has only a business-scoped user id.
  void check(std::string_view business_account_id, const boost::json::object& message, bool to_user_id);

 private:
  static std::string place_of(const Template& template_) {
    return template_.business_account_id + ' ' + template_.name + ' ' + template_.language;
  }
  std::deque<Template> templates_;
  std::set<std::string> held_;
  std::uint64_t next_ = 0;
};

// How the channel refuses a template: code 100 with a subcode.
struct TemplateRefusal {
  std::int64_t subcode = 0;
  std::string title, message;
};

// What the channel finds wrong with a new or changed template before it reviews it. `is_handle` tells the handles of
// uploaded files.
std::optional<TemplateRefusal> refusal_of(const Template& made,
                                          const std::function<bool(const std::string&)>& is_handle);

}  // namespace parley::simulator
