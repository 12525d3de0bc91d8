/** Round numbers from 0 to at least `most`, about `count` steps apart; whole ones, as what is counted is whole. */
export function ticksOf(most: number, count = 4): number[] {
  const rough = Math.max(1, most / count);
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 2.5, 5, 10].map((each) => each * size).find((each) => each >= rough && Number.isInteger(each)) ?? 10 * size);
  const last = Math.max(1, Math.ceil(most / step));
  return Array.from({length: last + 1}, (_, place) => place * step);
}

/** A line through the points; it breaks where nothing is known. */
export function pathOf(values: readonly (number | null)[], x: (place: number) => number, y: (value: number) => number): string {
  let path = '';
  let isDrawing = false;
  values.forEach((value, place) => {
    if (value !== null) path += `${isDrawing ? 'L' : 'M'}${rounded(x(place))} ${rounded(y(value))}`;
    isDrawing = value !== null;
  });
  return path;
}

/** Places whose labels do not touch: the last and every n-th before it. */
export function labelledOf(count: number, width: number, labelWidth: number): number[] {
  const fitting = Math.max(1, Math.floor(width / labelWidth));
  const step = Math.max(1, Math.ceil(count / fitting));
  const places: number[] = [];
  for (let place = count - 1; place >= 0; place -= step) places.unshift(place);
  return places;
}

/** The place that a pixel is nearest to. */
export function placeAt(pixel: number, width: number, count: number): number {
  if (count < 2 || width <= 0) return 0;
  return Math.min(count - 1, Math.max(0, Math.round((pixel / width) * (count - 1))));
}

/** Where a key moves the cursor; null for keys that do not. `isMirrored`: time runs to the left. */
export function movedBy(key: string, from: number, count: number, isMirrored: boolean): number | null {
  const last = count - 1;
  const forward = isMirrored ? 'ArrowLeft' : 'ArrowRight';
  const back = isMirrored ? 'ArrowRight' : 'ArrowLeft';
  const to: Record<string, number> = {
    [forward]: from + 1, ArrowUp: from + 1, [back]: from - 1, ArrowDown: from - 1, PageUp: from + 7, PageDown: from - 7, Home: 0, End: last,
  };
  const wanted = to[key];
  return wanted === undefined ? null : Math.min(last, Math.max(0, wanted));
}

const rounded = (pixel: number) => Math.round(pixel * 10) / 10;
