import type {HomeTexts} from '../en/home.ts';

export const home: HomeTexts = {
  title: 'الرئيسية',
};
