"use strict";
// Shows /openapi.json: every operation with its permission, parameters, body and answers.

const element = (name, text, className) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
};

// The document's prose: paragraphs, headings, lists and `code`, which is all that it uses of Markdown.
const prose = (text, into) => {
  for (const block of (text || "").trim().split(/\n\s*\n/)) {
    const heading = block.match(/^##\s+(.*)\n?([^]*)$/);
    if (heading) into.append(element("h3", heading[1]));
    const body = (heading ? heading[2] : block).trim();
    if (!body) continue;
    const paragraph = element("p");
    body.split("`").forEach((part, i) => paragraph.append(i % 2 ? element("code", part) : part));
    into.append(paragraph);
  }
};

const describe = (schema) => {
  if (!schema) return "";
  if (schema.enum) return schema.enum.join(" | ");
  const type = Array.isArray(schema.type) ? schema.type.join(" or ") : schema.type || "";
  return schema.format ? `${type} (${schema.format})` : type;
};

const show = (api) => {
  const resolve = (node) =>
    node && node.$ref ? node.$ref.slice(2).split("/").reduce((at, key) => at[key], api) : node;
  prose(api.info.description, document.getElementById("introduction"));

  const example = (title, content, into) => {
    const media = content && Object.values(content)[0];
    if (!media) return;
    const named = media.examples && Object.values(media.examples)[0];
    const value = media.example !== undefined ? media.example : named && resolve(named).value;
    const details = element("details");
    details.append(element("summary", title));
    details.append(element("pre", JSON.stringify(value !== undefined ? value : resolve(media.schema), null, 2)));
    into.append(details);
  };

  for (const [path, item] of [...Object.entries(api.paths), ...Object.entries(api.webhooks || {})]) {
    for (const method of ["get", "post", "delete"]) {
      const operation = item[method];
      if (!operation) continue;
      const verb = method.toUpperCase();
      const link = element("a", `${verb} ${path}`);
      link.href = `#${operation.operationId}`;
      const entry = element("li");
      entry.append(link, ` ${operation.summary || ""}`);
      document.getElementById("contents").append(entry);

      const section = element("section");
      const heading = element("h2");
      heading.id = operation.operationId;
      heading.append(element("span", verb, `method ${verb}`), " ", element("code", path));
      section.append(heading);
      const needs = operation["x-permission"];
      const who = item === api.paths[path] ? "for every member" : "to the organization's webhooks";
      section.append(element("div", needs ? `needs ${[].concat(needs).join(" or ")}` : who, "permission"));
      prose(operation.description, section);
      const parameters = [...(item.parameters || []), ...(operation.parameters || [])].map(resolve);
      if (parameters.length) {
        const table = element("table");
        for (const parameter of parameters) {
          const row = table.insertRow();
          row.insertCell().append(element("code", parameter.name));
          row.insertCell().textContent = describe(resolve(parameter.schema));
          row.insertCell().textContent = parameter.description || "";
        }
        section.append(table);
      }
      example("Body", operation.requestBody && resolve(operation.requestBody).content, section);
      for (const [status, answer] of Object.entries(operation.responses)) {
        const resolved = resolve(answer);
        example(`${status}: ${(resolved.description || "").split("\n")[0]}`, resolved.content, section);
      }
      document.getElementById("operations").append(section);
    }
  }
};

fetch("/openapi.json")
  .then((answer) => answer.json())
  .then(show)
  .catch((error) => document.getElementById("operations").append(element("p", `The document cannot be shown: ${error}`)));
