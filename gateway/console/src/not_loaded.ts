/** Says, in the one language that is there without its file, that the console is not. */
export function tellNotLoaded(): void {
  const root = document.getElementById('root');
  if (root) root.textContent = 'Parley could not be loaded. Check the connection and load the page again.';
}
