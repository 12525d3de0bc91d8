const nameOf = (page: Document) => page.querySelector<HTMLMetaElement>('meta[name="parley-build"]')?.content;

/** Whether the gateway has other pages than those that are shown. Unknown is no. */
export async function hasOtherVersion(): Promise<boolean> {
  try {
    const answer = await fetch('/console/', {cache: 'no-cache', credentials: 'omit', signal: AbortSignal.timeout(30_000)});
    // Not parsed as HTML, which the page's policy refuses.
    const served = /<meta name="parley-build" content="([^"]*)"/.exec(await answer.text())?.[1];
    return answer.ok && served !== undefined && served !== nameOf(document);
  } catch {
    return false;
  }
}
