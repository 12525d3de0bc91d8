import './design/tokens.css';
import './design/base.css';
import {StrictMode} from 'react';
import {createRoot} from 'react-dom/client';
import {begin} from './live/browser.ts';
import {tellNotLoaded} from './not_loaded.ts';
import {App} from './shell/app.tsx';
import {applyPreferences, preferences} from './shell/preferences.ts';
import {makeRouter} from './shell/routes.tsx';
import {loadTexts} from './texts/index.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('page.html has no element "root"');

// Who is signed in, and the words, are asked for at once; the page waits for the words alone.
applyPreferences(preferences());
const {session, queries} = begin();
const router = makeRouter();
const {language} = preferences();
loadTexts(language).then((texts) => createRoot(root).render(
  <StrictMode>
    <App {...{session, queries, router}} spoken={{language, texts}} />
  </StrictMode>,
), tellNotLoaded);
