import {Suspense, useState, type ReactNode} from 'react';
import {Avatar} from '../design/avatar.tsx';
import {Button} from '../design/button.tsx';
import {Icon} from '../design/icon.tsx';
import {Mark} from '../design/shell.tsx';
import {Spoken} from '../design/spoken.tsx';
import {useWho} from '../session/provider.tsx';
import {useTexts} from '../texts/index.tsx';
import {useOrganizationId} from './address.ts';

/** What opens the menus of the shell. */
export type MenuButton = (properties: {onPress?: () => void}) => ReactNode;

/** A menu that is loaded after its button, which is there at once: who presses that meanwhile gets it opened. */
export function LaterMenu({button: Waiting, children}: {button: MenuButton; children: (isWanted: boolean) => ReactNode}) {
  const [isWanted, setWanted] = useState(false);
  return <Suspense fallback={<Waiting onPress={() => setWanted(true)} />}>{children(isWanted)}</Suspense>;
}

export const OrganizationButton: MenuButton = ({onPress}) => {
  const {shell} = useTexts();
  const current = useOrganizationId();
  const name = useWho()?.organizations.find((each) => each.uniqueId === current)?.name ?? shell.name;
  return (
    <Button kind="quiet" wide align="start" start={<Mark />} end={<Icon name="sort" />} {...(onPress && {onPress})}>
      <bdi>{name}</bdi><Spoken>: {shell.switchOrganization}</Spoken>
    </Button>
  );
};

export const ProfileButton: MenuButton = ({onPress}) => {
  const {shell} = useTexts();
  const name = useWho()?.user.name ?? '';
  return (
    <Button kind="quiet" wide align="start" start={<Avatar name={name} size="s" />} end={<Icon name="sort" />} {...(onPress && {onPress})}>
      <bdi>{name}</bdi><Spoken>: {shell.profileAndSettings}</Spoken>
    </Button>
  );
};
