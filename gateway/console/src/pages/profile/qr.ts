/**
 * A text as a QR code (ISO 18004) in bytes, with error correction M; true is dark. Enough for an address of 300 octets, which
 * is what the second factor needs.
 */
export function qrCode(text: string): boolean[][] {
  const data = [...new TextEncoder().encode(text)];
  const version = kBlocks.findIndex((_, place) => place > 0 && data.length <= capacityOf(place) - (place < 10 ? 2 : 3));
  if (version < 1) throw new Error('the text is too long for a QR code');
  const words = interleaved(version, packed(version, data));
  let best: boolean[][] = [];
  let least = Infinity;
  for (let mask = 0; mask < 8; ++mask) {
    const code = drawn(version, words, mask);
    const penalty = penaltyOf(code);
    if (penalty < least) [best, least] = [code, penalty];
  }
  return best;
}

// Of correction M, by version: octets for correction in a block, blocks. ISO 18004, table 9.
const kBlocks: readonly (readonly [number, number])[] = [
  [0, 0], [10, 1], [16, 1], [26, 1], [18, 2], [24, 2], [16, 4], [18, 4], [22, 4], [22, 5], [26, 5], [30, 5], [22, 8], [22, 9], [24, 9], [24, 10],
];

const sizeOf = (version: number) => 17 + 4 * version;

/** Octets in all, before those for correction are taken off. */
function allWords(version: number): number {
  let bits = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const places = Math.floor(version / 7) + 2;
    bits -= (25 * places - 10) * places - 55;
    if (version >= 7) bits -= 36;
  }
  return Math.floor(bits / 8);
}

function capacityOf(version: number): number {
  const [correction, blocks] = kBlocks[version]!;
  return allWords(version) - correction * blocks;
}

function packed(version: number, data: readonly number[]): number[] {
  const bits: number[] = [];
  const put = (value: number, length: number) => {
    for (let place = length - 1; place >= 0; --place) bits.push((value >> place) & 1);
  };
  put(4, 4);
  put(data.length, version < 10 ? 8 : 16);
  for (const octet of data) put(octet, 8);
  const room = capacityOf(version) * 8;
  put(0, Math.min(4, room - bits.length));
  while (bits.length % 8 > 0) bits.push(0);
  for (let filler = 0xec; bits.length < room; filler ^= 0xec ^ 0x11) put(filler, 8);
  return Array.from({length: bits.length / 8}, (_, place) => bits.slice(place * 8, place * 8 + 8).reduce((sum, bit) => sum * 2 + bit, 0));
}

// In the field of 256 elements with x^8 + x^4 + x^3 + x^2 + 1.
function product(a: number, b: number): number {
  let z = 0;
  for (let bit = 7; bit >= 0; --bit) z = ((z << 1) ^ ((z >>> 7) * 0x11d)) ^ (((b >>> bit) & 1) * a);
  return z;
}

function divisorOf(degree: number): number[] {
  const divisor: number[] = [...Array<number>(degree - 1).fill(0), 1];
  let root = 1;
  for (let round = 0; round < degree; ++round) {
    for (let place = 0; place < degree; ++place) divisor[place] = product(divisor[place]!, root) ^ (divisor[place + 1] ?? 0);
    root = product(root, 2);
  }
  return divisor;
}

function correctionOf(data: readonly number[], divisor: readonly number[]): number[] {
  const rest = divisor.map(() => 0);
  for (const octet of data) {
    const factor = octet ^ rest.shift()!;
    rest.push(0);
    divisor.forEach((each, place) => (rest[place]! ^= product(each, factor)));
  }
  return rest;
}

function interleaved(version: number, data: readonly number[]): number[] {
  const [correction, count] = kBlocks[version]!;
  const divisor = divisorOf(correction);
  const all = allWords(version);
  const shorter = count - (all % count);
  const short = Math.floor(all / count) - correction;
  let from = 0;
  const blocks = Array.from({length: count}, (_, place) => {
    const block = data.slice(from, (from += short + (place < shorter ? 0 : 1)));
    return {block, more: correctionOf(block, divisor)};
  });
  const result: number[] = [];
  for (let place = 0; place <= short; ++place) for (const {block} of blocks) if (place < block.length) result.push(block[place]!);
  for (let place = 0; place < correction; ++place) for (const {more} of blocks) result.push(more[place]!);
  return result;
}

function alignments(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  return [6, ...Array.from({length: count - 1}, (_, place) => sizeOf(version) - 7 - place * step).reverse()];
}

const kMasks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0, (_, y) => y % 2 === 0, (x) => x % 3 === 0, (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0, (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function drawn(version: number, words: readonly number[], mask: number): boolean[][] {
  const size = sizeOf(version);
  const code = Array.from({length: size}, () => Array<boolean>(size).fill(false));
  const isFixed = code.map((row) => [...row]);
  const set = (x: number, y: number, dark: boolean) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    code[y]![x] = dark;
    isFixed[y]![x] = true;
  };
  for (let place = 0; place < size; ++place) {
    set(6, place, place % 2 === 0);
    set(place, 6, place % 2 === 0);
  }
  const ring = (cx: number, cy: number, reach: number, isDark: (distance: number) => boolean) => {
    for (let y = -reach; y <= reach; ++y) for (let x = -reach; x <= reach; ++x) set(cx + x, cy + y, isDark(Math.max(Math.abs(x), Math.abs(y))));
  };
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) ring(x, y, 4, (distance) => distance !== 2 && distance !== 4);
  const places = alignments(version);
  for (const x of places) for (const y of places)
    if (!(x === 6 && y === 6) && !(x === 6 && y === size - 7) && !(x === size - 7 && y === 6)) ring(x, y, 2, (distance) => distance !== 1);
  drawFormat(set, size, mask);
  if (version >= 7) drawVersion(set, size, version);

  let next = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const isUpward = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; ++step) for (const x of [right, right - 1]) {
      const y = isUpward ? size - 1 - step : step;
      if (isFixed[y]![x]) continue;
      const isDark = next < words.length * 8 && ((words[next >>> 3]! >>> (7 - (next & 7))) & 1) === 1;
      ++next;
      code[y]![x] = isDark !== kMasks[mask]!(x, y);
    }
  }
  return code;
}

type Setter = (x: number, y: number, dark: boolean) => void;

function drawFormat(set: Setter, size: number, mask: number): void {
  let rest = mask;  // correction M is 0
  for (let round = 0; round < 10; ++round) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  const bit = (place: number) => ((bits >>> place) & 1) === 1;
  for (let place = 0; place < 15; ++place) {
    if (place < 6) set(8, place, bit(place));
    else if (place < 8) set(8, place + 1, bit(place));
    else if (place === 8) set(7, 8, bit(place));
    else set(14 - place, 8, bit(place));
    if (place < 8) set(size - 1 - place, 8, bit(place));
    else set(8, size - 15 + place, bit(place));
  }
  set(8, size - 8, true);
}

function drawVersion(set: Setter, size: number, version: number): void {
  let rest = version;
  for (let round = 0; round < 12; ++round) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let place = 0; place < 18; ++place) {
    const isDark = ((bits >>> place) & 1) === 1;
    const a = size - 11 + (place % 3), b = Math.floor(place / 3);
    set(a, b, isDark);
    set(b, a, isDark);
  }
}

/** What makes it hard to read: long runs, blocks, what looks like a corner, too much of one colour. */
function penaltyOf(code: readonly boolean[][]): number {
  const size = code.length;
  const turned = code.map((_, x) => code.map((row) => row[x]!));
  let penalty = 0;
  for (const lines of [code, turned]) for (const line of lines) {
    const text = line.map((dark) => (dark ? '1' : '0')).join('');
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) penalty += run.length - 2;
    const framed = `0000${text}0000`;
    for (let place = 0; place + 11 <= framed.length; ++place)
      if (/^(10111010000|00001011101)/.test(framed.slice(place, place + 11))) penalty += 40;
  }
  for (let y = 0; y + 1 < size; ++y) for (let x = 0; x + 1 < size; ++x)
    if (code[y]![x] === code[y]![x + 1] && code[y]![x] === code[y + 1]![x] && code[y]![x] === code[y + 1]![x + 1]) penalty += 3;
  const dark = code.flat().filter(Boolean).length;
  return penalty + Math.floor(Math.abs(dark / size ** 2 - 0.5) * 20) * 10;
}
