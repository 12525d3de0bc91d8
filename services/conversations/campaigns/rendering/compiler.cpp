#include "conversations/campaigns/rendering/compiler.hpp"

#include <algorithm>
#include <utility>

#include "common/channel/limits.hpp"
#include "common/model/text.hpp"
#include "conversations/campaigns/rendering/text.hpp"

namespace parley::conversations::rendering {

namespace {

std::size_t index_of(std::vector<std::string>& names, const std::string& name) {
  const auto known = std::find(names.begin(), names.end(), name);
  if (known != names.end()) return static_cast<std::size_t>(known - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

std::string_view name_on_channel(HeaderType type) {
  switch (type) {
    case HeaderType::Text:
      return "text";
    case HeaderType::Image:
      return "image";
    case HeaderType::Video:
      return "video";
    case HeaderType::Document:
      break;
  }
  return "document";
}

model::MessageType type_of(const TextMessage& message) {
  if (message.buttons && !message.buttons->empty()) return model::MessageType::Interactive;
  if (!message.header) return model::MessageType::Text;
  if (message.header->type == HeaderType::Image) return model::MessageType::Image;
  return message.header->type == HeaderType::Video ? model::MessageType::Video : model::MessageType::Document;
}

}  // namespace

Composition::Composition(const model::RawJson& message, const std::vector<model::CampaignVariant>& variants) {
  variants_.push_back(Compiler(*this).compile(read_message(message), 0));
  for (const auto& variant : variants)
    variants_.push_back(Compiler(*this).compile(read_message(variant.message), variant.share));
}

Composition::Variant Compiler::compile(const Message& message, std::int64_t share) {
  out_.share = share;
  std::visit([this](const auto& form) { compile(form); }, message);
  for (const auto& piece : out_.pieces) out_.size += piece.text.size() + (piece.what == What::literal ? 0 : kLinkRoom);
  return std::move(out_);
}

void Compiler::literal(std::string_view json) {
  if (out_.pieces.empty() || out_.pieces.back().what != What::literal) out_.pieces.emplace_back();
  out_.pieces.back().text += json;
}

void Compiler::quoted(std::string_view text) {
  std::string json;
  model::write(json, text);
  literal(json);
}

void Compiler::medium(const Header& header) {
  literal(header.link ? R"({"link":)" : R"({"id":)");
  quoted(header.link ? *header.link : header.id.value_or(""));
  if (header.type == HeaderType::Document && header.fileName) {
    literal(R"(,"filename":)");
    quoted(*header.fileName);
  }
  literal("}");
}

void Compiler::typed_medium(const Header& header) {
  const auto name = name_on_channel(header.type);
  literal(R"({"type":)");
  quoted(name);
  literal(",");
  quoted(name);
  literal(":");
  medium(header);
  literal("}");
}

void Compiler::add(const Segment& segment, Manner manner) {
  if (segment.kind == Segment::Kind::words) {
    std::string json;
    append_json(json, manner == Manner::words ? segment.text : on_one_line(segment.text));
    return literal(json);
  }
  auto& piece = out_.pieces.emplace_back();
  piece.what = segment.kind == Segment::Kind::link ? What::link : What::value;
  piece.manner = segment.in_url ? Manner::url : manner;
  piece.text = segment.fallback;
  piece.index = index_of(piece.what == What::link ? composition_.urls_ : composition_.variables_, segment.text);
}

void Compiler::text(std::string_view text, Manner manner, bool may_be_blank, bool each) {
  std::string fault;
  const auto segments = manner == Manner::url ? parse_url(text, fault) : parse_text(text, fault);
  literal("\"");
  const auto first = out_.pieces.size();
  bool is_solid = false;
  for (const auto& segment : segments) {
    is_solid = is_solid || (segment.kind != Segment::Kind::value && !model::is_blank(segment.text));
    add(segment, manner);
  }
  if (each || !(is_solid || may_be_blank)) out_.wanted.push_back({first, out_.pieces.size(), each});
  literal("\"");
  fixed_ += need_of(segments).fixed;
}

void Compiler::limit(std::size_t first, std::size_t most) {
  Composition::Budget budget{first, out_.pieces.size(), most - std::min(most, fixed_), 0};
  for (auto i = first; i < budget.last; ++i) {
    const auto& piece = out_.pieces[i];
    if (piece.what == What::value && piece.manner != Manner::url) ++budget.values;
  }
  if (budget.values > 0) out_.budgets.push_back(budget);
  fixed_ = 0;
}

void Compiler::compile(const TextMessage& message) {
  out_.type = type_of(message);
  const auto body = [&](bool may_be_blank) {
    const auto first = out_.pieces.size();
    text(message.text, Manner::words, may_be_blank, false);
    limit(first, max_characters(message));
  };
  if (out_.type == model::MessageType::Text) {
    literal(R"({"text":)");
    body(false);
    return literal(message.previewUrl.value_or(false) ? R"(,"previewUrl":true})" : "}");
  }
  if (out_.type != model::MessageType::Interactive) {
    literal(message.header->link ? R"({"link":)" : R"({"id":)");
    quoted(message.header->link ? *message.header->link : message.header->id.value_or(""));
    literal(R"(,"caption":)");
    body(true);
    if (message.header->type == HeaderType::Document && message.header->fileName) {
      literal(R"(,"fileName":)");
      quoted(*message.header->fileName);
    }
    return literal("}");
  }
  const auto& buttons = *message.buttons;
  literal(buttons.front().url ? R"({"type":"cta_url")" : R"({"type":"button")");
  if (message.header) {
    literal(R"(,"header":)");
    typed_medium(*message.header);
  }
  literal(R"(,"body":{"text":)");
  body(false);
  if (buttons.front().url) {
    literal(R"(},"action":{"name":"cta_url","parameters":{"display_text":)");
    quoted(buttons.front().title);
    literal(R"(,"url":)");
    text(*buttons.front().url, Manner::url, true, false);
    return literal("}}}");
  }
  literal(R"(},"action":{"buttons":[)");
  for (std::size_t i = 0; i < buttons.size(); ++i) {
    literal(i > 0 ? R"(,{"type":"reply","reply":{"id":)" : R"({"type":"reply","reply":{"id":)");
    quoted(buttons[i].id.value_or(buttons[i].title));
    literal(R"(,"title":)");
    quoted(buttons[i].title);
    literal("}}");
  }
  literal("]}}");
}

void Compiler::compile(const TemplateMessage& message) {
  out_.type = model::MessageType::Template;
  literal(R"({"name":)");
  quoted(message.name);
  literal(R"(,"language":)");
  quoted(message.language);
  literal(R"(,"components":[)");
  std::string_view before;
  const auto next = [&](std::string_view begin) {
    literal(std::exchange(before, ","));
    literal(begin);
  };
  const auto parameter = [&](const std::string& name, std::string_view words) {
    literal(R"({"type":"text")");
    if (!name.empty()) {
      literal(R"(,"parameter_name":)");
      quoted(name);
    }
    literal(R"(,"text":)");
    text(words, Manner::line, false, true);
    literal("}");
  };
  if (message.header) {
    next(R"({"type":"header","parameters":[)");
    const auto first = out_.pieces.size();
    if (message.header->type == HeaderType::Text)
      parameter(message.header->name.value_or(""), message.header->text.value_or(""));
    else
      typed_medium(*message.header);
    limit(first, cloud_api::kMaxHeaderLength);
    literal("]}");
  }
  if (!message.parameters.empty()) {
    next(R"({"type":"body","parameters":[)");
    const auto first = out_.pieces.size();
    for (std::size_t i = 0; i < message.parameters.size(); ++i) {
      if (i > 0) literal(",");
      parameter(message.parameters[i].name, message.parameters[i].text);
    }
    limit(first, cloud_api::kMaxParameterLength);
    literal("]}");
  }
  for (const auto& button : message.buttons) {
    next(R"({"type":"button","sub_type":)");
    compile(button);
  }
  literal("]}");
}

void Compiler::compile(const TemplateButton& button) {
  quoted(button.payload ? "quick_reply" : button.url ? "url" : "copy_code");
  literal(R"(,"index":")" + std::to_string(button.index) + R"(","parameters":[{"type":)");
  const auto value = [&](std::string_view begin, const std::string& words, Manner manner) {
    literal(begin);
    text(words, manner, false, true);
  };
  if (button.payload) value(R"("payload","payload":)", *button.payload, Manner::whole);
  if (button.code) value(R"("coupon_code","coupon_code":)", *button.code, Manner::whole);
  if (button.url) value(R"("text","text":)", *button.url, Manner::url);
  // Where the template's URL ends in a variable, the link supplies only its code.
  if (button.url && is_url(*button.url)) out_.pieces[out_.pieces.size() - 2].what = What::code;
  literal("}]}");
  fixed_ = 0;
}

}  // namespace parley::conversations::rendering
