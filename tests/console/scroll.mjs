// What a scroll costs: how long each frame took, and how much is drawn.
import {figure} from './bed.mjs';

/** Scrolls an element for so long, by so many pixels a frame. `row`: the selector of its rows; of rows without `filled` nothing is seen. */
export const scrolled = (element, {seconds, pixels, row, filled = '*'}) => element.evaluate((each, {seconds, pixels, row, filled}) => new Promise((resolve) => {
  const tasks = [];
  const watch = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({duration}) => Math.round(duration))));
  watch.observe({type: 'longtask'});
  const end = performance.now() + seconds * 1000;
  const frames = [];
  let last = 0, rows = 0, bare = 0;
  const step = (now) => {
    if (last) frames.push(now - last);
    last = now;
    const drawn = [...each.querySelectorAll(row)];
    rows = Math.max(rows, drawn.length);
    if (!drawn.some((one) => one.querySelector(filled))) ++bare;
    each.scrollTop += pixels;
    if (now < end) return requestAnimationFrame(step);
    watch.disconnect();
    resolve({frames: frames.sort((a, b) => a - b), tasks, rows, bare});
  };
  requestAnimationFrame(step);
}), {seconds, pixels, row, filled});

/** Prints that beside the bars of all long lists. */
export function tellScroll(what, {frames, tasks, rows, bare}) {
  figure(`${what}: frames over 50 ms, of ${frames.length}`, frames.filter((each) => each > 50).length, 0, '');
  figure(`${what}: the longest frame`, frames.at(-1), 50, 'ms');
  figure(`${what}: tasks over 50 ms${tasks.length > 0 ? ` (${tasks.join(', ')})` : ''}`, tasks.length, 0, '');
  figure(`${what}: frames without anything to see`, bare, 0, '');
  figure(`${what}: rows drawn`, rows, 60, '');
}
