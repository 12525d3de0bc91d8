const nameOf = (page: Document) => page.querySelector<HTMLMetaElement>('meta[name="parley-build"]')?.content;

/** Whether the gateway has the pages that are shown, or those of another version; null where it does not say. */
export async function servedVersion(): Promise<'same' | 'other' | null> {
  try {
    const answer = await fetch('/console/', {cache: 'no-cache', credentials: 'omit', signal: AbortSignal.timeout(30_000)});
    // Not parsed as HTML, which the page's policy refuses.
    const served = /<meta name="parley-build" content="([^"]*)"/.exec(await answer.text())?.[1];
    if (!answer.ok || served === undefined) return null;
    return served === nameOf(document) ? 'same' : 'other';
  } catch {
    return null;
  }
}
