// The sign-in that page.html has, prerendered in each language: one can type and press in it before the console is there, which goes
// on from there.

const kControls = 'input, button';
const kId = 'prerendered';
/** None while it is prerendered. */
const form = () => globalThis.document?.getElementById(kId);

/** Shows it until the console shows something. */
export function showPrerendered(language: string): void {
  const template = document.getElementById(`sign-in-${language}`), root = document.getElementById('root');
  if (!(template instanceof HTMLTemplateElement) || !root) return;
  const shown = document.createElement('div');
  shown.id = kId;
  shown.append(template.content.cloneNode(true));
  for (const each of shown.querySelectorAll('form')) Object.assign(each, {method: 'dialog', noValidate: true});  // sends nothing
  shown.addEventListener('click', ({target}) => {
    const button = target instanceof Element && target.closest('button');
    if (!button) return;
    shown.querySelector('[data-pressed]')?.removeAttribute('data-pressed');
    button.dataset.pressed = 'true';
  });
  root.after(shown);
  shown.querySelector('input')?.focus();
  new MutationObserver(() => shown.remove()).observe(root, {childList: true});
}

/** What was typed in it, in the field of this type. */
export const typedBefore = (type: 'email' | 'password'): string => form()?.querySelector<HTMLInputElement>(`input[type=${type}]`)?.value ?? '';

/** Puts a page with the same fields and buttons in its place: the focus stays where it was, and what was pressed last is pressed. */
export function takeOver(): void {
  const before = form();
  if (!before) return;
  const controls = [...before.querySelectorAll<HTMLElement>(kControls)];
  const focused = controls.findIndex((each) => each === document.activeElement), pressed = controls.findIndex((each) => each.dataset.pressed);
  before.remove();
  const own = document.querySelectorAll<HTMLElement>(kControls);
  own[focused]?.focus();
  own[pressed]?.click();
}
