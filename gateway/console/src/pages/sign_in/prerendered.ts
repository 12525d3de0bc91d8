// The sign-in that page.html has, prerendered in each language: one can type and press in it before the console is there, which goes
// on from there.

const kId = 'prerendered';
/** None while it is prerendered. */
const formOf = () => globalThis.document?.getElementById(kId);

/** Shows it until the console shows something. */
export function showPrerendered(language: string): void {
  const template = document.getElementById(`sign-in-${language}`), root = document.getElementById('root');
  if (!(template instanceof HTMLTemplateElement) || !root || root.hasChildNodes()) return;
  const shown = document.createElement('div');
  shown.id = kId;
  shown.append(template.content.cloneNode(true));
  for (const each of shown.querySelectorAll('form')) Object.assign(each, {method: 'dialog', noValidate: true});  // sends nothing
  const over = new AbortController();
  rememberPress(shown, over.signal);
  root.after(shown);
  shown.querySelector('input')?.focus();
  new MutationObserver((_, observer) => {
    observer.disconnect();
    over.abort();
    shown.remove();
  }).observe(root, {childList: true});
}

/** The button that was pressed last has `data-pressed`, until something else is typed or pressed, or one leaves. */
function rememberPress(shown: HTMLElement, signal: AbortSignal): void {
  const buttonOf = ({target}: Event) => target instanceof Element ? target.closest('button') : null;
  const remember = (button: HTMLElement | null) => {
    shown.querySelector('[data-pressed]')?.removeAttribute('data-pressed');
    if (button) button.dataset.pressed = 'true';
  };
  shown.addEventListener('click', (event) => remember(buttonOf(event)), {signal});
  // A mouse may go down before the console is there and up afterwards, which no button hears as a click.
  shown.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'mouse') remember(event.button === 0 ? buttonOf(event) : null);
  }, {signal});
  addEventListener('pointerup', (event) => {
    if (!buttonOf(event)?.dataset.pressed) remember(null);
  }, {signal});
  for (const other of ['pointercancel', 'input', 'pagehide']) addEventListener(other, () => remember(null), {signal});
}

/** What was typed in it; null where it is not shown. */
export function typedBefore(): {email: string; password: string} | null {
  const form = formOf();
  const typed = (autoComplete: string) => form?.querySelector<HTMLInputElement>(`[autocomplete="${autoComplete}"]`)?.value ?? '';
  return form ? {email: typed('username'), password: typed('current-password')} : null;
}

/** Where the same is in another page, by what it is: a password manager may have put its own beside it. */
function selectorOf(element: Element): string {
  const language = element.querySelector('[lang]')?.getAttribute('lang');
  if (element instanceof HTMLInputElement) return `[autocomplete="${element.autocomplete}"]`;
  if (element instanceof HTMLAnchorElement) return `a[href="${element.getAttribute('href')}"]`;
  return element.matches('[type=submit]') ? '[type=submit]' : language ? `button:has([lang="${language}"])` : 'form button[type=button]';
}

/** Puts the page that has the same fields and buttons in its place: the focus stays where it was. What is given back presses what was pressed. */
export function takeOver(): () => void {
  const form = formOf(), page = document.getElementById('root');
  if (!form || !page) return () => undefined;
  const focused = form.contains(document.activeElement) ? document.activeElement : null, pressed = form.querySelector('[data-pressed]');
  const [field, button] = [focused, pressed].map((each) => each && page.querySelector<HTMLElement>(selectorOf(each)));
  field?.focus();
  // Of an address browsers do not tell where the cursor is.
  if (field instanceof HTMLInputElement && focused instanceof HTMLInputElement && focused.selectionStart !== null)
    field.setSelectionRange(focused.selectionStart, focused.selectionEnd);
  for (const each of form.querySelectorAll('input')) each.value = '';
  form.remove();
  return () => button?.click();
}
