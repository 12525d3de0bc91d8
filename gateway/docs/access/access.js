// The pages that mails lead to. The token stands behind the #, which browsers send to no server.
'use strict';

const token = new URLSearchParams(location.hash.slice(1)).get('token');
const say = (text) => { document.getElementById('said').textContent = text; };

// Throws an Error with what the API said.
const post = async (path, body, session) => {
  const headers = {'Content-Type': 'application/json'};
  if (session) headers.Authorization = `Bearer ${session}`;
  const answer = await fetch(path, {method: 'POST', headers, body: JSON.stringify(body)});
  const text = await answer.text();
  const json = text ? JSON.parse(text) : {};
  if (!answer.ok) throw new Error(json.detail ?? `${answer.status}`);
  return json;
};

const joined = ({organization}) => `You are a member of ${organization.name}.`;
// What a form does; each returns what is then said.
const actions = {
  async password({password}) {
    await post('/api/auth/password', {token, password});
    return 'Your password is set. You can sign in with it.';
  },
  async join({name, password}) {
    return joined(await post('/api/auth/join-organization', {token, name, password}));
  },
  async login({email, password, code}) {
    const {session} = await post('/api/auth/login', code ? {email, password, code} : {email, password});
    return joined(await post('/api/auth/join-organization', {token}, session.token));
  },
};

for (const form of document.forms) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button');
    button.disabled = true;
    say('');
    try {
      say(await actions[form.id](Object.fromEntries(new FormData(form))));
      for (const each of document.forms) each.hidden = true;
      history.replaceState(null, '', location.pathname);
    } catch (error) {
      say(`That did not work: ${error.message}`);
    } finally {
      button.disabled = false;
    }
  });
}
if (!token) say('This link is not complete: open it as it stands in the mail.');
