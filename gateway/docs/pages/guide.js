'use strict';
// Examples call this host.
for (const code of document.querySelectorAll('main pre code')) {
  for (const node of code.childNodes) node.textContent = node.textContent.replaceAll('https://parley.example', location.origin);
}
// Gives each block of code a button that copies it.
for (const block of document.querySelectorAll('main pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  });
  const frame = document.createElement('div');
  frame.className = 'code';
  block.replaceWith(frame);
  frame.append(block, button);
}
// Without a pointer to hover with, and on a wide screen, the list of guides is open.
const guides = document.querySelector('.guides details');
if (guides) guides.open = matchMedia('(min-width: 60rem)').matches;
