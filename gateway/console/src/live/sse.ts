/** What stands between two empty lines of a text/event-stream. */
export interface Block {
  /** Its own `id`, null if it has none. */
  readonly id: string | null;
  readonly type: string;
  /** Empty: nothing is told, but that `id` is the place in the stream. */
  readonly data: string;
}

/**
 * Reads server-sent events (HTML Living Standard 9.2.6) from decoded text, in whatever pieces it comes. `TextDecoder`
 * takes the byte-order mark away. Unlike in the standard a block without data is told if it has an id.
 */
export class SseParser {
  /** The pause before connecting again that the server asks for, in milliseconds. */
  retry: number | null = null;
  private rest = '';
  private endedInCr = false;
  private id: string | null = null;
  private type = '';
  private data: string[] = [];

  feed(text: string): Block[] {
    if (text === '') return [];
    const own = this.endedInCr && text.startsWith('\n') ? text.slice(1) : text;
    this.endedInCr = text.endsWith('\r');
    const lines = (this.rest + own).split(/\r\n|\r|\n/);
    this.rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.take(line) ?? []);
  }

  private take(line: string): Block | null {
    if (line === '') return this.end();
    const colon = line.indexOf(':');
    if (colon === 0) return null;  // a comment
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.data.push(value);
    if (field === 'event') this.type = value;
    if (field === 'id' && !value.includes('\0')) this.id = value;
    if (field === 'retry' && /^\d+$/.test(value)) this.retry = Number(value);
    return null;
  }

  private end(): Block | null {
    const block = {id: this.id, type: this.type || 'message', data: this.data.join('\n')};
    const tells = this.id !== null || this.data.length > 0;
    this.id = null;
    this.type = '';
    this.data = [];
    return tells ? block : null;
  }
}
