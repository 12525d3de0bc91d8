import {Avatar} from '../design/avatar.tsx';
import {Button} from '../design/button.tsx';
import {Icon} from '../design/icon.tsx';
import {Mark} from '../design/shell.tsx';
import {Spoken} from '../design/spoken.tsx';
import {useWho} from '../session/provider.tsx';
import {useTexts} from '../texts/index.tsx';
import {useOrganizationId} from './address.ts';

/** What opens the menus of the shell; they are there before these. */
export function OrganizationButton() {
  const {shell} = useTexts();
  const current = useOrganizationId();
  const name = useWho()?.organizations.find((each) => each.uniqueId === current)?.name ?? shell.name;
  return (
    <Button kind="quiet" wide align="start" start={<Mark />} end={<Icon name="sort" />}>
      <bdi>{name}</bdi><Spoken>: {shell.switchOrganization}</Spoken>
    </Button>
  );
}

export function ProfileButton() {
  const {shell} = useTexts();
  const name = useWho()?.user.name ?? '';
  return (
    <Button kind="quiet" wide align="start" start={<Avatar name={name} size="s" />} end={<Icon name="sort" />}>
      <bdi>{name}</bdi><Spoken>: {shell.profileAndSettings}</Spoken>
    </Button>
  );
}
