const kBase = '/console/';

export const addressIn = (organization: string, rest = '') => `${kBase}o/${organization}/${rest}`;

/** Where to sign in, and to come back from. */
export function signInAddress(from: string): string {
  const back = returnAddress('?return=' + encodeURIComponent(from));
  return kBase + 'sign-in' + (back ? '?return=' + encodeURIComponent(back) : '');
}

/** Where to go on after signing in: an address of the console alone, whatever a link says. */
export function returnAddress(search: string): string | null {
  const wanted = new URLSearchParams(search).get('return');
  if (!wanted?.startsWith(kBase)) return null;
  const url = new URL(wanted, 'https://console.invalid');
  const isOurs = url.origin === 'https://console.invalid' && url.pathname.startsWith(kBase);
  return isOurs && !url.pathname.startsWith(kBase + 'sign-in') ? url.pathname + url.search + url.hash : null;
}

/** The token of an invitation or of a forgotten password: in the fragment, which reaches no log. */
export function tokenOf(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, '')).get('token');
}
