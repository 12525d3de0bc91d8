import assert from 'node:assert/strict';
import {test} from 'node:test';
import {SseParser, type Block} from '../../../gateway/console/src/live/sse.ts';
import {seeded, under} from './support.ts';

function parse(octets: Uint8Array, cuts: number[]): {blocks: Block[]; retry: number | null} {
  const parser = new SseParser();
  const decoder = new TextDecoder();
  const blocks: Block[] = [];
  let from = 0;
  for (const cut of [...cuts, octets.length]) {
    blocks.push(...parser.feed(decoder.decode(octets.subarray(from, cut), {stream: true})));
    from = cut;
  }
  return {blocks, retry: parser.retry};
}

const whole = (text: string) => parse(new TextEncoder().encode(text), []).blocks;

test('fields, comments, several lines of data, and a block that is not ended', () => {
  assert.deepEqual(whole(':\n\nid: 1\nevent: a\ndata: x\ndata:  y\ndata\n\nunknown: 1\ndata:z\n\ndata: lost\n'), [
    {id: '1', type: 'a', data: 'x\n y\n'},
    {id: null, type: 'message', data: 'z'},
  ]);
});

test('a block without data tells the place alone', () => {
  assert.deepEqual(whole('retry: 2000\nid: p\n\n:\nid: q\n\nevent: e\n\n'), [
    {id: 'p', type: 'message', data: ''},
    {id: 'q', type: 'message', data: ''},
  ]);
});

test('ids with a zero octet and a pause that is no number are passed over', () => {
  const {blocks, retry} = parse(new TextEncoder().encode('id: a\0b\nretry: 1x\ndata: 1\n\nretry: 15\n\n'), []);
  assert.deepEqual(blocks, [{id: null, type: 'message', data: '1'}]);
  assert.equal(retry, 15);
});

test('mixed ends of lines', () => {
  const told = {id: '1', type: 'message', data: 'x'};
  assert.deepEqual(whole('id: 1\r\ndata: x\r\r\nid: 1\rdata: x\n\r'), [told, told]);
});

test('however the octets are cut', () => {
  const random = seeded(1);
  for (let round = 0; round < 300; ++round) {
    const end = ['\n', '\r\n', '\r'][round % 3]!;
    const expected: Block[] = [];
    let text = '\ufeff';
    for (let n = 0; n < 6; ++n) {
      const data = Array.from({length: 1 + under(random, 3)}, () => ['', 'ä€😀', ' x:y ', 'id: 5'][under(random, 4)]!);
      const id = random() < 0.5 ? `i${n}` : null;
      const lines = [': comment', ...(id ? [`id: ${id}`] : []), `event: t${n}`, ...data.map((each) => `data: ${each}`), ''];
      text += lines.map((line) => line + end).join('');
      expected.push({id, type: `t${n}`, data: data.join('\n')});
    }
    const octets = new TextEncoder().encode(text);
    const cuts = Array.from({length: under(random, 30)}, () => under(random, octets.length)).sort((a, b) => a - b);
    for (const each of [[], cuts, [...octets.keys()]]) assert.deepEqual(parse(octets, each).blocks, expected);
  }
});
