// Writes icons.ts: the paths of the icons named here, out of the package heroicons (MIT). Run it after changing the list:
//   node src/design/make_icons.mjs           (--check: fails where icons.ts is not what it would write)
import { readFileSync, writeFileSync } from 'node:fs';

const outline = {
  archive: 'archive-box', arrow_back: 'arrow-left', arrow_down: 'arrow-down', arrow_up: 'arrow-up', attach: 'paper-clip',
  block: 'no-symbol', building: 'building-office-2', calendar: 'calendar', campaign: 'megaphone', chart: 'chart-bar',
  check: 'check', chevron_back: 'chevron-left', chevron_down: 'chevron-down', chevron_forward: 'chevron-right', clock: 'clock',
  close: 'x-mark', computer: 'computer-desktop', contacts: 'users', copy: 'square-2-stack', document: 'document-text',
  download: 'arrow-down-tray', edit: 'pencil-square', external: 'arrow-top-right-on-square', eye: 'eye', eye_off: 'eye-slash',
  filter: 'funnel', home: 'home', inbox: 'inbox', key: 'key', link: 'link', list: 'queue-list', location: 'map-pin', lock: 'lock-closed',
  menu: 'bars-3', more: 'ellipsis-horizontal', offline: 'signal-slash', phone: 'device-phone-mobile', photo: 'photo',
  plus: 'plus', reply: 'arrow-uturn-left', retry: 'arrow-path', search: 'magnifying-glass', segment: 'chart-pie',
  settings: 'cog-6-tooth', shield: 'shield-check', sign_out: 'arrow-right-start-on-rectangle', sort: 'chevron-up-down',
  tag: 'tag', trash: 'trash', upload: 'arrow-up-tray', user: 'user', user_add: 'user-plus',
};
const solid = {
  information: 'information-circle', ok: 'check-circle', pause: 'pause', play: 'play', send: 'paper-airplane',
  warning: 'exclamation-triangle',
};
// Drawn here, as heroicons has none: an octagon, so that danger differs from the others by its outline; two ticks; a dash.
const own = {
  outline: { check_double: 'm2 13 4.5 5L15.5 6M11 16.5l1.5 1.5L22 6', minus: 'M5 12h14' },
  solid: { danger: 'M6.7 2h6.6L18 6.7v6.6L13.3 18H6.7L2 13.3V6.7L6.7 2ZM10 5.5a.8.8 0 0 0-.8.8v4a.8.8 0 0 0 1.6 0v-4a.8.8 0 0 0-.8-.8Zm0 9.200a1 1 0 1 0 0-2 1 1 0 0 0 0 2Z' },
};

const folder = new URL('../../node_modules/heroicons/', import.meta.url);
const target = new URL('icons.ts', import.meta.url);

function paths(size, names) {
  return Object.entries(names).map(([name, file]) => {
    const svg = readFileSync(new URL(`${size}/${file}.svg`, folder), 'utf8');
    return [name, [...svg.matchAll(/ d="([^"]+)"/g)].map((match) => match[1]).join('')];
  });
}

function table(name, entries) {
  const lines = entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, path]) => `  ${key}: '${path}',\n`);
  return `export const ${name} = {\n${lines.join('')}} as const;\n`;
}

const text = '// Written by make_icons.mjs. Paths of heroicons: Copyright (c) Tailwind Labs, Inc., MIT.\n\n'
  + '/** Lines of 1.5 in a square of 24. */\n'
  + table('outline', [...paths('24/outline', outline), ...Object.entries(own.outline)])
  + '\n/** Areas in a square of 20. */\n'
  + table('solid', [...paths('20/solid', solid), ...Object.entries(own.solid)]);

if (!process.argv.includes('--check')) {
  writeFileSync(target, text);
} else if (readFileSync(target, 'utf8') !== text) {
  console.error('src/design/icons.ts is not what make_icons.mjs writes');
  process.exitCode = 1;
}
