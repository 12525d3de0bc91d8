/** How the characters of a file are written. The service takes UTF-8 alone; spreadsheets also save what they had before it. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Tells the encoding by the beginning of a file. `isPart`: it may end in the middle of a character. */
export function encodingOf(octets: Uint8Array, isPart: boolean): Encoding {
  if (octets[0] === 0xff && octets[1] === 0xfe) return 'utf-16le';
  if (octets[0] === 0xfe && octets[1] === 0xff) return 'utf-16be';
  try {
    new TextDecoder('utf-8', {fatal: true}).decode(octets, {stream: isPart});
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

export const decoded = (octets: Uint8Array, encoding: Encoding, isPart: boolean): string =>
  new TextDecoder(encoding).decode(octets, {stream: isPart});

/** The whole file as the service takes it. It is converted while it is read, so it may be of any size. */
export function asUtf8(file: File, encoding: Encoding): Promise<Blob> {
  if (encoding === 'utf-8') return Promise.resolve(file);
  const text = file.stream().pipeThrough(new TextDecoderStream(encoding) as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>);
  return new Response(text.pipeThrough(new TextEncoderStream())).blob();
}
