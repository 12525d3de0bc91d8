import './page.css';
import {StrictMode} from 'react';
import {createRoot} from 'react-dom/client';

// The hash of what is served: another one after a reconnect tells that the gateway has another version.
const build = document.querySelector<HTMLMetaElement>('meta[name="parley-build"]')?.content ?? '';

const root = document.getElementById('root');
if (!root) throw new Error('page.html has no element "root"');
createRoot(root).render(
  <StrictMode>
    <h1>Parley {build}</h1>
  </StrictMode>,
);
