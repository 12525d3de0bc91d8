import {oneOf, present, whole, type Search} from '../../shell/search.ts';
import {kSpans} from './spans.ts';

/** Which figures are shown, and how. */
export const homeSearch = (search: Search) => present({
  days: kSpans.find((each) => each === whole(search.days)),
  view: oneOf(search.view, ['plot', 'table']),
});
export type HomeSearch = ReturnType<typeof homeSearch>;
