import {createContext, useContext, useMemo, type ReactNode} from 'react';
import {createFormat, type Format, type Language} from './format.ts';
import type {Texts} from './en.ts';

export type {Format, Language, Texts};

/** A language comes as one file, asked for when somebody wants it. */
export async function loadTexts(language: Language): Promise<Texts> {
  switch (language) {
    case 'en': return (await import('./en.ts')).texts;
    case 'de': return (await import('./de.ts')).texts;
    case 'ar': return (await import('./ar.ts')).texts;
  }
}

const TextsContext = createContext<{texts: Texts; format: Format} | null>(null);

export function TextsProvider({language, texts, children}: {language: Language; texts: Texts; children: ReactNode}) {
  const value = useMemo(() => ({texts, format: createFormat(language)}), [language, texts]);
  return <TextsContext value={value}>{children}</TextsContext>;
}

function useBoth() {
  const both = useContext(TextsContext);
  if (!both) throw new Error('outside of the texts');
  return both;
}

/** All texts of the reader's language, by area. */
export const useTexts = (): Texts => useBoth().texts;

/** Numbers, dates and times as the reader writes them. */
export const useFormat = (): Format => useBoth().format;
