#pragma once
// Requests that the documented operations take, made from the document's own examples: so a test of all operations
// covers a new one as soon as it is documented. What an example cannot know is which resource an id in a path or a
// field is of (kinds.cpp), what no operation makes (things.cpp), and what few operations need beside (specials.cpp).
#include <boost/json/value.hpp>
#include <map>

#include "tests/e2e/operations.hpp"

namespace parley::e2e {

struct Prepared {
  const support::Operation* operation = nullptr;
  std::string target, body;
  Headers headers;                 // Content-Type where there is a body, X-Organization-Id where it is needed
  std::string api_key;             // whose it is to be: the owner's, where nothing else is said
  std::vector<std::string> fresh;  // texts that only this request has, so that it can be made again and again
};

// Where an operation takes an id.
struct Place {
  std::string at;    // "path:id", "query:list_id", "body:/contactIds/0"
  std::string kind;  // of the resource
};

// Of this process, each once: for what must differ.
int next_number();

class Requests {
 public:
  // Asks as the organization's owner for whatever it needs.
  Requests(System& system, const Organization& organization)
      : system_(system), organization_(organization), owner_(system, organization.owner.api_key) {}

  const Organization& organization() const { return organization_; }
  // One that succeeds: what it deletes or changes was made for it. Ids of `instead` stand at their places.
  Prepared make(const support::Operation& operation, const std::map<std::string, std::string>& instead = {});
  std::vector<Place> places(const support::Operation& operation);
  // The organization's own, made once; and one that nothing else knows.
  std::string id(const std::string& kind);
  std::string fresh_id(const std::string& kind);
  // A note of this member's.
  std::string note_by(const std::string& member);

  Answer send(const Prepared& prepared, Headers more = {});
  // As somebody else.
  Answer send_as(const std::string& api_key, const Prepared& prepared, Headers more = {});

 private:
  friend struct Special;
  std::string made_by_sql(const std::string& kind);
  // Connects the organization to a messaging account, once.
  void connect();
  // A message with a file that the channel has.
  std::string message_with_file();
  std::string approved_template();
  void make_conversation(const std::string& id);
  void make_campaign(const std::string& id, const std::string& status);
  std::string link();
  void fill_path(Prepared& out, const std::map<std::string, std::string>& instead);
  void fill_query(Prepared& out, const std::map<std::string, std::string>& instead);
  void fill_body(Prepared& out, const std::map<std::string, std::string>& instead);
  boost::json::value filled(const boost::json::value& example, const std::string& field, const std::string& at,
                            const std::map<std::string, std::string>& instead, Prepared& out);

  System& system_;
  const Organization& organization_;
  Client owner_;
  std::map<std::string, std::string> ids_;
  bool connected_ = false;
};

// All rows of all services, table by table, so that a test can say what was changed. Left out is what notes the use of
// a credential, and the way of events. With an organization, only its rows.
std::map<std::string, std::string> digest(System& system, const std::string& organization = {});
// The same once nothing is under way in the background any more.
std::map<std::string, std::string> settled_digest(System& system, const std::string& organization = {});
// The names of the tables that differ.
std::string differences(const std::map<std::string, std::string>& before,
                        const std::map<std::string, std::string>& after);

}  // namespace parley::e2e
