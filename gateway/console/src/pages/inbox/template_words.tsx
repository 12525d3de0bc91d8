import {useTemplates} from '../../api/templates.ts';
import {useScope} from '../../api/scope.tsx';
import type {Contact} from '../../api/entities.ts';
import {useHeld} from '../../session/provider.tsx';
import {useTexts} from '../../texts/index.tsx';
import s from './inbox.module.css';
import {Linked} from './linked.tsx';
import type {Said} from './message_words.ts';
import {filled, partsOf} from './template_values.ts';

/** The words of a template as the contact reads them; its name where the template is not known. */
export function TemplateWords({said}: {said: Said; contact: Contact | null | undefined}) {
  const {inbox} = useTexts();
  const {store} = useScope();
  const {name = '', language = ''} = said;
  const mayRead = useHeld('Get:MessageTemplates') ?? false;
  const {ids} = useTemplates({name, language}, mayRead && name !== '');
  const template = ids[0] === undefined ? undefined : store.get('template', ids[0]);
  const values: Record<string, string> = {};
  const given: string[] = [];
  for (const component of said.components ?? []) {
    component.parameters?.forEach((each, place) => {
      const part = component.type?.toLowerCase() ?? '';
      if (each.text === undefined) return;
      values[`${part}/${each.parameter_name ?? place + 1}`] = each.text;
      if (part !== 'button') given.push(each.text);
    });
  }
  if (!template) return <>{inbox.types.Template}: <bdi>{name}</bdi>{given.length > 0 && '\n' + given.join('\n')}</>;
  const {header, body, footer, buttons} = partsOf(template);
  const wordsOf = (text: string | undefined, part: string) => filled(text ?? '', part, values).map((each) => each.text).join('');
  return (
    <>
      {header?.text && <strong className={s.template_part}>{wordsOf(header.text, 'header')}</strong>}
      <Linked text={wordsOf(body?.text, 'body')} />
      {footer?.text && <span className={s.template_foot}>{footer.text}</span>}
      {buttons.length > 0 && <span className={s.template_buttons}>{buttons.map((each, place) => <span key={place}>{each.text}</span>)}</span>}
    </>
  );
}
