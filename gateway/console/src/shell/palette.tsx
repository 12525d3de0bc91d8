import {useEffect, useState} from 'react';
import {useRouter} from '@tanstack/react-router';
import {ask, usePart} from '../api/hooks.ts';
import {Avatar} from '../design/avatar.tsx';
import type {MenuAction} from '../design/menu.tsx';
import {Palette} from '../design/palette.tsx';
import {addressIn} from '../session/address.ts';
import {useHeldPermissions, useWho} from '../session/provider.tsx';
import {useTexts} from '../texts/index.tsx';
import {knownActions} from './actions.ts';
import {useAddress, useOrganizationId} from './address.ts';
import {printed} from './keys.ts';
import {isHeld, shownAreas} from './navigation.ts';

interface Entry extends MenuAction {
  readonly run: () => void;
}

const kPause = 180;
const kShortest = 2;

/** Ctrl+K: what can be done here, pages, organizations; contacts and conversations as the server finds them. */
export default function ConsolePalette({onClose}: {onClose: () => void}) {
  const {shell: {palette: words, ...shell}} = useTexts();
  const router = useRouter();
  const to = useAddress();
  const current = useOrganizationId();
  const who = useWho();
  const {held} = useHeldPermissions();
  const [typed, setTyped] = useState('');
  const [actions] = useState(knownActions);
  const found = useFound(typed);
  const go = (href: string) => () => void router.navigate({href});

  const pages: Entry[] = [
    ...shownAreas(held).map(({page, icon}) => ({id: 'page ' + page, text: shell.pages[page], icon, run: go(to(page))})),
    {id: 'page profile', text: shell.profile, icon: 'user', run: go(to('profile'))},
    {id: 'page sessions', text: shell.sessions, icon: 'computer', run: go(to('sessions'))},
  ];
  const organizations: Entry[] = (who?.organizations ?? []).filter((each) => each.uniqueId !== current).map((each) => (
    {id: 'organization ' + each.uniqueId, text: each.name, icon: 'building', run: go(addressIn(each.uniqueId, 'home'))}));
  const doable: Entry[] = actions.map(({keys, ...rest}) => ({...rest, id: 'action ' + rest.id, ...(keys && {keys: printed(keys, shell.ctrl)})}));
  const people: Entry[] = found.contacts.map((each) => ({
    id: 'contact ' + each.uniqueId, text: each.name || each.phone, description: each.phone,
    picture: <Avatar name={each.name || each.phone} seed={each.uniqueId} size="s" />, run: go(to('contacts/' + each.uniqueId)),
  }));
  const talks: Entry[] = found.conversations.map((each) => ({
    id: 'conversation ' + each.uniqueId, text: each.contact?.name || each.contact?.phone || words.unknown, icon: 'inbox',
    ...(each.contact && {description: each.contact.phone}), run: go(to('inbox/' + each.uniqueId)),
  }));
  const fits = ({text}: Entry) => text.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase());
  const groups = [
    {id: 'actions', text: words.actions, actions: doable.filter(fits)},
    {id: 'pages', text: words.pages, actions: pages.filter(fits)},
    {id: 'contacts', text: words.contacts, actions: people},
    {id: 'conversations', text: words.conversations, actions: talks},
    {id: 'organizations', text: shell.organizations, actions: organizations.filter(fits)},
  ].filter((each) => each.actions.length > 0);
  const act = (id: unknown) => {
    const wanted = groups.flatMap((each) => each.actions).find((each) => each.id === id);
    if (wanted) queueMicrotask(wanted.run);  // after the palette has given the focus back
  };
  return (
    <Palette isOpen onOpenChange={(isOpen) => isOpen || onClose()} label={shell.search} placeholder={isHeld(held, ['Get:Contact']) ? words.placeholder : shell.search}
             groups={groups} onInput={setTyped} onAction={act} empty={found.isLoading ? shell.loading : words.nothing} foot={words.foot} />
  );
}

/** What the server finds, once one pauses to type. */
function useFound(typed: string) {
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), kPause);
    return () => clearTimeout(timer);
  }, [typed]);
  const {held} = useHeldPermissions();
  const isLong = search.length >= kShortest;
  const query = {search, per_page: 5};
  const mayContacts = isLong && isHeld(held, ['Get:Contact']);
  const mayTalks = isLong && isHeld(held, ['Get:Conversation']);
  const contacts = usePart(['palette', 'contacts', search], async (scope, signal) =>
    ask(scope, scope.api.GET('/api/contacts', {params: {query}, signal})), {enabled: mayContacts});
  const conversations = usePart(['palette', 'conversations', search], async (scope, signal) =>
    ask(scope, scope.api.GET('/api/conversations', {params: {query}, signal})), {enabled: mayTalks});
  return {
    contacts: mayContacts ? contacts.value?.contacts ?? [] : [],
    conversations: mayTalks ? conversations.value?.conversations ?? [] : [],
    isLoading: (mayContacts && contacts.isLoading) || (mayTalks && conversations.isLoading) || typed.trim() !== search,
  };
}
