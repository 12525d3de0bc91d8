/** Search parameters of addresses: `?tag=vip&tag=new&unread=true`, the same word several times for several values. */
export type Search = Record<string, unknown>;

export function parseSearch(text: string): Search {
  const found: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const known = found[name];
    found[name] = known === undefined ? value : [known, value].flat();
  }
  return found;
}

export function stringifySearch(search: Search): string {
  const said = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined && each !== null && each !== '') said.append(name, String(each));
  const text = said.toString();
  return text ? '?' + text : '';
}

// What a page's search.ts reads its parameters by. Each is undefined where it is absent or makes no sense.

export const text = (value: unknown): string | undefined => {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return first === undefined || first === null || first === '' ? undefined : String(first);
};

export const texts = (value: unknown): string[] | undefined => {
  const all = [value].flat().filter((each) => each !== undefined && each !== null && each !== '').map(String);
  return all.length > 0 ? [...new Set(all)] : undefined;
};

export const flag = (value: unknown): boolean | undefined => {
  const said = text(value);
  return said === 'true' ? true : said === 'false' ? false : undefined;
};

export const whole = (value: unknown): number | undefined => {
  const number = Number(text(value) ?? NaN);
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
};

export function oneOf<T extends string>(value: unknown, choices: readonly T[]): T | undefined {
  return choices.find((each) => each === text(value));
}

/** Leaves out what is undefined, for types that have no such values. */
export function present<T extends object>(search: T): {[K in keyof T]: Exclude<T[K], undefined>} {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as never;
}
