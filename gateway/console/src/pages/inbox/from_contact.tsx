import {IconButton} from '../../design/button.tsx';
import {Menu} from '../../design/menu.tsx';
import {useTexts} from '../../texts/index.tsx';

/** Fills a field with what is known of the contact. */
export function FromContact({fields, label, onValue}: {fields: readonly {id: string; value: string}[]; label: string; onValue: (value: string) => void}) {
  const {inbox} = useTexts();
  const nameOf = (id: string) => id === 'name' ? inbox.name : id === 'phone' ? inbox.phone : id;
  return (
    <Menu label={inbox.fromContact} trigger={<IconButton icon="user" kind="secondary" label={`${inbox.fromContact}: ${label}`} />}
          groups={[{id: 'fields', text: inbox.fromContact, actions: fields.map(({id, value}) => ({id, text: value, description: nameOf(id)}))}]}
          onAction={(id) => onValue(fields.find((each) => each.id === id)?.value ?? '')} />
  );
}
