#pragma once
// The messageData of the types that can be sent, as far as it is read here. The channel's objects keep its spelling.
#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/model/json.hpp"

namespace parley::conversations::channel {

struct Text {
  std::string text;
  std::optional<bool> previewUrl;
};
BOOST_DESCRIBE_STRUCT(Text, (), (text, previewUrl))

// Image, Video, Audio, Document, Sticker; also as a header or a parameter.
struct Media {
  std::optional<std::string> id, link;  // exactly one of them
  std::optional<std::string> caption, fileName;
};
BOOST_DESCRIBE_STRUCT(Media, (), (id, link, caption, fileName))

struct Location {
  double latitude = 0, longitude = 0;
  std::optional<std::string> name, address;
};
BOOST_DESCRIBE_STRUCT(Location, (), (latitude, longitude, name, address))

struct CardName {
  std::string formatted_name;
};
BOOST_DESCRIBE_STRUCT(CardName, (), (formatted_name))

struct CardPhone {
  std::optional<std::string> phone, type, wa_id;
};
BOOST_DESCRIBE_STRUCT(CardPhone, (), (phone, type, wa_id))

struct Card {
  CardName name;
  std::optional<std::vector<CardPhone>> phones;
};
BOOST_DESCRIBE_STRUCT(Card, (), (name, phones))

struct Contacts {
  std::vector<Card> contacts;
};
BOOST_DESCRIBE_STRUCT(Contacts, (), (contacts))

struct Emoji {
  std::string reaction;  // "" removes the reaction
  model::Uuid messageId;
};
BOOST_DESCRIBE_STRUCT(Emoji, (), (reaction, messageId))

struct Parameter {
  std::string type;
  std::optional<std::string> text;
  std::optional<Media> image, video, document;
};
BOOST_DESCRIBE_STRUCT(Parameter, (), (type, text, image, video, document))

struct Component {
  std::string type;
  std::optional<std::string> sub_type;
  std::optional<model::RawJson> index;
  std::optional<std::vector<Parameter>> parameters;
};
BOOST_DESCRIBE_STRUCT(Component, (), (type, sub_type, index, parameters))

struct TemplateMessage {
  std::string name, language;
  std::optional<std::vector<Component>> components;
};
BOOST_DESCRIBE_STRUCT(TemplateMessage, (), (name, language, components))

struct Words {
  std::string text;
};
BOOST_DESCRIBE_STRUCT(Words, (), (text))

struct Header {
  std::string type;
  std::optional<std::string> text;
  std::optional<Media> image, video, document;
};
BOOST_DESCRIBE_STRUCT(Header, (), (type, text, image, video, document))

struct Reply {
  std::string id, title;
};
BOOST_DESCRIBE_STRUCT(Reply, (), (id, title))

struct Button {
  std::string type;
  Reply reply;
};
BOOST_DESCRIBE_STRUCT(Button, (), (type, reply))

struct Row {
  std::string id, title;
  std::optional<std::string> description;
};
BOOST_DESCRIBE_STRUCT(Row, (), (id, title, description))

struct Section {
  std::optional<std::string> title;
  std::vector<Row> rows;
};
BOOST_DESCRIBE_STRUCT(Section, (), (title, rows))

struct ActionParameters {
  std::optional<std::string> display_text, url;
};
BOOST_DESCRIBE_STRUCT(ActionParameters, (), (display_text, url))

struct Action {
  std::optional<std::string> name;    // for all but buttons and lists
  std::optional<std::string> button;  // the text that opens a list
  std::optional<std::vector<Button>> buttons;
  std::optional<std::vector<Section>> sections;
  std::optional<ActionParameters> parameters;
};
BOOST_DESCRIBE_STRUCT(Action, (), (name, button, buttons, sections, parameters))

struct Interactive {
  std::string type;
  std::optional<Header> header;
  Words body;
  std::optional<Words> footer;
  Action action;
};
BOOST_DESCRIBE_STRUCT(Interactive, (), (type, header, body, footer, action))

}  // namespace parley::conversations::channel
