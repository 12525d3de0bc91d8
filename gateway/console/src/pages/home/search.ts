import {oneOf, present, whole, type Search} from '../../shell/search.ts';
import {kSpans, type Days} from './spans.ts';

/** Which figures are shown, and how. */
export interface HomeSearch {
  days?: Days;
  view?: 'plot' | 'table';
}

export const homeSearch = (search: Search): HomeSearch => present({
  days: kSpans.find((each) => each === whole(search.days)),
  view: oneOf(search.view, ['plot', 'table']),
});
