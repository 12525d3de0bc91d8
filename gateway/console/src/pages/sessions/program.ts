export interface Program {
  readonly program: string;
  readonly system: string;
  readonly isPhone: boolean;
}

// The first that fits: each of these names those below it, too.
const kPrograms: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'], [/\bOPR\//, 'Opera'], [/\bSamsungBrowser\//, 'Samsung Internet'], [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'], [/\bSafari\//, 'Safari'], [/^curl\//, 'curl'],
];
const kSystems: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'], [/\biPad\b/, 'iPad'], [/\bAndroid\b/, 'Android'], [/\bWindows\b/, 'Windows'], [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'], [/\bLinux\b/, 'Linux'],
];

/** Which browser a `User-Agent` tells of, for people; null where it tells none. */
export function programOf(userAgent: string): Program | null {
  const found = (table: readonly [RegExp, string][]) => table.find(([each]) => each.test(userAgent))?.[1];
  const program = found(kPrograms);
  const system = found(kSystems);
  return program && system ? {program, system, isPhone: /\b(?:iPhone|Android|Mobile)\b/.test(userAgent)} : null;
}
