// What is written can be read, and what is pressed can be seen, in both themes: WCAG 2.2, 1.4.3 and 1.4.11, computed from the
// tokens. What the browser makes of them, axe looks at with the pages.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const design = new URL('../../../gateway/console/src/design/', import.meta.url);
const css = readFileSync(new URL('tokens.css', design), 'utf8').replace(/\/\*[^]*?\*\//g, '');

const tokens = Object.fromEntries([...css.matchAll(/--([a-z0-9-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value.trim()]));
const both = Object.entries(tokens).map(([name, value]) => [name, /^var\(--light, (.+)\) var\(--dark, (.+)\)$/.exec(value)?.slice(1) ?? [value, value]]);
const [light, dark] = [0, 1].map((theme) => Object.fromEntries(both.map(([name, values]) => [name, values[theme]])));
const themes = { light, dark };

const grounds = ['ground', 'surface', 'raised', 'sunken', 'hover'];
const meanings = ['ok', 'warning', 'danger', 'information'];

const texts = [
  ...grounds.flatMap((ground) => [['ink', ground], ['ink-muted', ground], ['ink-faint', ground], ['accent-ink', ground]]),
  ...['surface', 'raised', 'ground'].flatMap((ground) => [['danger-ink', ground]]),
  ...['accent-soft', 'note', ...meanings.map((meaning) => `${meaning}-soft`)].flatMap((ground) => [['ink', ground], ['ink-muted', ground]]),
  ['accent-ink', 'accent-soft'], ['accent-ink', 'ok-soft'], ['accent-ink', 'warning-soft'], ['accent-ink', 'information-soft'], ['accent-ink', 'danger-soft'],
  ...meanings.map((meaning) => [`${meaning}-ink`, `${meaning}-soft`]),
  ['on-accent', 'accent'], ['on-accent', 'accent-strong'], ['on-danger', 'danger'], ['on-danger', 'danger-strong'],
  ['danger-ink', 'danger-soft'], ['ground', 'ink'],
];

// Frames of fields, rings of the focus, signs, lines of plots.
const shapes = [
  ...['ground', 'surface', 'raised'].flatMap((ground) => [
    ['line-strong', ground], ['focus', ground], ['accent', ground], ['danger', ground], ['ok', ground], ['information', ground],
    ...[1, 2, 3, 4, 5].map((series) => [`series-${series}`, ground]),
  ]),
  ['warning', 'surface'], ['warning', 'raised'], ['focus', 'accent-soft'], ['focus', 'note'], ['note-line', 'note'], ['note-line', 'ground'],
  ...['ok', 'danger', 'information'].map((meaning) => [meaning, `${meaning}-soft`]), ['warning-ink', 'warning-soft'],
];

function linear_of_hex(hex) {
  assert.match(hex, /^#[0-9a-f]{6}$/);
  return [1, 3, 5].map((from) => Number.parseInt(hex.slice(from, from + 2), 16) / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
}

function linear_of_oklch(lightness, chroma, hue) {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((part) => Math.min(1, Math.max(0, part)));
}

function contrast(one, other) {
  const [more, less] = [one, other].map(([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b).sort((a, b) => b - a);
  return (more + 0.05) / (less + 0.05);
}

for (const [theme, colours] of Object.entries(themes)) {
  for (const [kind, pairs, least] of [['text', texts, 4.5], ['shape', shapes, 3]]) {
    test(`${theme}: each ${kind} has a contrast of ${least}`, () => {
      const poor = pairs
        .map(([front, back]) => [`${front} on ${back}`, contrast(linear_of_hex(colours[front]), linear_of_hex(colours[back]))])
        .filter(([, ratio]) => ratio < least)
        .map(([pair, ratio]) => `${pair}: ${ratio.toFixed(2)}`);
      assert.deepEqual(poor, []);
    });
  }

  test(`${theme}: the letters of each avatar have a contrast of 4.5`, () => {
    const hues = [...readFileSync(new URL('avatar.module.css', design), 'utf8').matchAll(/--hue: (\d+)/g)].map(([, hue]) => Number(hue));
    assert.equal(hues.length, 8);
    for (const hue of hues) {
      const ratio = contrast(...['avatar', 'on-avatar'].map((name) => linear_of_oklch(...colours[name].split(' ').map(Number), hue)));
      assert.ok(ratio >= 4.5, `hue ${hue}: ${ratio.toFixed(2)}`);
    }
  });
}
