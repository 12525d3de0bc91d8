import {useState, type ReactNode} from 'react';
import {CalendarDate, parseTime, parseZonedDateTime} from '@internationalized/date';
import {I18nProvider} from 'react-aria-components/I18nProvider';
import {Avatar, Avatars} from '../../design/avatar.tsx';
import {Badge, Count, StatusDot, Tag, Tags, type Tone} from '../../design/badge.tsx';
import {Banner, Bar, type BannerKind} from '../../design/banner.tsx';
import {Button, ButtonLink, ButtonRow, IconButton, type ButtonKind} from '../../design/button.tsx';
import {Card, DescriptionList, Figure, Figures} from '../../design/card.tsx';
import {Checkbox, RadioGroup, RowCheckbox, Switch} from '../../design/choice.tsx';
import {Composer, ComposerClosed} from '../../design/composer.tsx';
import {CopyField} from '../../design/copy_field.tsx';
import {DateField, DatePicker, TimeField} from '../../design/date_field.tsx';
import {AlertDialog, Dialog, Drawer} from '../../design/dialog.tsx';
import {Fields} from '../../design/field.tsx';
import {FileDrop} from '../../design/file_drop.tsx';
import {Icon, type IconName} from '../../design/icon.tsx';
import {outline, solid} from '../../design/icons.ts';
import {Keys} from '../../design/keys.tsx';
import {LinePlot} from '../../design/line_plot.tsx';
import {Link} from '../../design/link.tsx';
import {List, ListEntry, Timeline, TimelineEntry} from '../../design/list.tsx';
import {Menu} from '../../design/menu.tsx';
import {AudioMedia, DayLine, DocumentMedia, ImageMedia, Message, SystemLine, UnreadLine, type MessageState} from '../../design/message.tsx';
import {FilterBar, FilterChip} from '../../design/filter_bar.tsx';
import {Columns, PageHeader, Section, Stack} from '../../design/page.tsx';
import {Palette} from '../../design/palette.tsx';
import {PlotCard, type Series} from '../../design/plot.tsx';
import {Popover} from '../../design/popover.tsx';
import {Loading, ProgressBar, Skeleton} from '../../design/progress.tsx';
import {ComboBox} from '../../design/combo_box.tsx';
import {SearchMenu} from '../../design/search_menu.tsx';
import {Select} from '../../design/select.tsx';
import {Mark} from '../../design/shell.tsx';
import {Spinner} from '../../design/spinner.tsx';
import {EmptyState, ErrorState, ForbiddenState} from '../../design/state.tsx';
import {Stepper} from '../../design/stepper.tsx';
import {Cell, Clip, HeaderCell, NewerPill, Row, SelectionBar, Table, TableBody, TableHead} from '../../design/table.tsx';
import {SegmentedControl, Tabs} from '../../design/tabs.tsx';
import {NumberField, SearchField, TextArea, TextField} from '../../design/text_field.tsx';
import {makeToasts, ToastRegion} from '../../design/toast.tsx';
import Tooltip from '../../design/tooltip.tsx';
import {scenes} from './scenes.tsx';
import s from './gallery.module.css';

/*
 * Every component in every state, for whoever makes pages, and for the tests: axe and the pictures. `?scene=` shows whole
 * pages that are made of them; `?theme=` and `?dir=` choose how. Its English words are its own.
 */

const toasts = makeToasts();
const kinds: readonly ButtonKind[] = ['primary', 'secondary', 'quiet', 'danger'];
const tones: readonly Tone[] = ['neutral', 'accent', 'ok', 'warning', 'danger', 'information'];
// The policy takes pictures of this origin and blobs, so this one is made here.
const picture = URL.createObjectURL(new Blob([
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30"><rect width="40" height="30" fill="#8fb7bd"/><circle cx="29" cy="9" r="4" fill="#fdf6e0"/><path d="M0 30V21l11-9 9 8 7-5 13 9v6z" fill="#1f5a66"/></svg>',
], {type: 'image/svg+xml'}));

const sections: readonly {id: string; title: string; body: () => ReactNode}[] = [
  {id: 'colour', title: 'Colour', body: () => <Colours />},
  {id: 'type', title: 'Type', body: () => <Type />},
  {id: 'icons', title: 'Icons', body: () => <Icons />},
  {id: 'buttons', title: 'Buttons and links', body: () => <Buttons />},
  {id: 'fields', title: 'Fields', body: () => <FieldsPart />},
  {id: 'choices', title: 'Choices', body: () => <Choices />},
  {id: 'dates', title: 'Dates', body: () => <Dates />},
  {id: 'overlays', title: 'Overlays', body: () => <Overlays />},
  {id: 'tabs', title: 'Tabs and segments', body: () => <TabsPart />},
  {id: 'badges', title: 'Badges, tags, avatars', body: () => <Badges />},
  {id: 'cards', title: 'Cards, figures, facts', body: () => <Cards />},
  {id: 'plots', title: 'Plots', body: () => <Plots />},
  {id: 'table', title: 'Table', body: () => <TablePart />},
  {id: 'filters', title: 'Page header and filters', body: () => <Filters />},
  {id: 'lists', title: 'Lists and timeline', body: () => <Lists />},
  {id: 'messages', title: 'Messages', body: () => <Messages />},
  {id: 'composer', title: 'Composer', body: () => <Composers />},
  {id: 'banners', title: 'Banners and toasts', body: () => <Banners />},
  {id: 'states', title: 'Empty, error, forbidden', body: () => <States />},
  {id: 'waiting', title: 'Waiting', body: () => <Waiting />},
  {id: 'wizard', title: 'Wizard', body: () => <Wizard />},
];

export default function Gallery() {
  const [query] = useState(() => new URLSearchParams(location.search));
  const [theme, setTheme] = useState(query.get('theme') ?? 'auto');
  const [direction, setDirection] = useState(query.get('dir') ?? 'ltr');
  const root = document.documentElement;
  if (theme === 'auto') delete root.dataset['theme']; else root.dataset['theme'] = theme;
  root.dir = direction;
  const scene = scenes[query.get('scene') ?? ''];
  return (
    <I18nProvider locale={direction === 'rtl' ? 'ar-EG-u-nu-latn' : 'en-GB'}>
      {scene ? scene() : (
        <div className={s.gallery}>
          <nav className={s.contents} aria-label="Contents">
            <p className={s.brand}><Mark /> Parley, the parts</p>
            <Stack gap={2}>
              <SegmentedControl
                label="Theme" selected={theme} onSelect={setTheme} wide
                segments={[{id: 'auto', text: 'Auto'}, {id: 'light', text: 'Light'}, {id: 'dark', text: 'Dark'}]}
              />
              <SegmentedControl label="Direction" selected={direction} onSelect={setDirection} wide segments={[{id: 'ltr', text: 'To the right'}, {id: 'rtl', text: 'To the left'}]} />
            </Stack>
            <ul className={s.links}>
              {sections.map(({id, title}) => <li key={id}><a href={`#${id}`}>{title}</a></li>)}
              {Object.keys(scenes).map((name) => <li key={name}><a href={`?scene=${name}`}>Scene: {name.replace('_', ' ')}</a></li>)}
            </ul>
          </nav>
          <main className={s.main}>
            <h1 className={s.title}>Every part in every state</h1>
            {sections.map(({id, title, body: Body}) => <section key={id} id={id} className={s.section}><h2 className={s.heading}>{title}</h2><Body /></section>)}
          </main>
          <ToastRegion toasts={toasts} label="Notices" close="Close" />
          <Tooltip />
        </div>
      )}
    </I18nProvider>
  );
}

/** A row of specimens under a small title. */
function Show({name, children, block}: {name: string; children: ReactNode; block?: boolean}) {
  return <div className={s.show}><h3 className={s.name}>{name}</h3><div className={block ? s.block : s.specimens}>{children}</div></div>;
}

function Colours() {
  const groups: readonly (readonly [string, readonly string[]])[] = [
    ['Grounds', ['ground', 'surface', 'raised', 'sunken', 'hover', 'note']],
    ['Lines and ink', ['line', 'line-strong', 'ink', 'ink-muted', 'ink-faint']],
    ['Accent', ['accent', 'accent-strong', 'accent-soft', 'accent-ink']],
    ['Meaning', ['ok', 'ok-soft', 'ok-ink', 'warning', 'warning-soft', 'warning-ink', 'danger', 'danger-soft', 'danger-ink', 'information', 'information-soft', 'information-ink']],
    ['Series of plots', ['series-1', 'series-2', 'series-3', 'series-4', 'series-5']],
  ];
  return groups.map(([name, tokens]) => (
    <Show key={name} name={name}>
      {tokens.map((token) => <figure key={token} className={s.swatch}><span ref={(element) => element?.style.setProperty('background', `var(--${token})`)} /><figcaption>{token}</figcaption></figure>)}
    </Show>
  ));
}

function Type() {
  return (
    <Show name="Sizes" block>
      {['xxl', 'xl', 'l', 'm', 's', 'xs'].map((size) => (
        <p key={size} ref={(element) => element?.style.setProperty('font-size', `var(--text-${size})`)}>{size}: 4,096 people heard from you in March <span lang="ar" dir="rtl">مرحبا بكم</span></p>
      ))}
    </Show>
  );
}

function Icons() {
  return (
    <Show name="heroicons, and three of our own">
      {[...Object.keys(outline), ...Object.keys(solid)].map((name) => <span key={name} className={s.icon}><Icon name={name as IconName} size={20} />{name}</span>)}
    </Show>
  );
}

function Buttons() {
  return (
    <>
      {kinds.map((kind) => (
        <Show key={kind} name={kind}>
          <Button kind={kind}>Save changes</Button>
          <Button kind={kind} icon="plus">New list</Button>
          <Button kind={kind} isPending>Save changes</Button>
          <Button kind={kind} isDisabled>Save changes</Button>
          <Button kind={kind} size="s">Small</Button>
          <Button kind={kind} size="l">Large</Button>
        </Show>
      ))}
      <Show name="Of icons">
        <IconButton icon="more" label="More" /><IconButton icon="filter" label="Filter" kind="secondary" /><IconButton icon="attach" label="Attach" keys="Ctrl U" />
        <IconButton icon="edit" label="Notes" isOn /><IconButton icon="retry" label="Reload" isPending /><IconButton icon="trash" label="Delete" isDisabled />
        <IconButton icon="close" label="Close" size="s" /><IconButton icon="send" label="Send" kind="primary" size="l" />
      </Show>
      <Show name="Links">
        <ButtonLink href="#buttons" icon="download">Export</ButtonLink><Link href="#buttons">A link in a sentence</Link><Link href="#buttons" quiet>A quiet link</Link>
        <Link href="https://example.com" external="(opens a new tab)">Elsewhere</Link>
      </Show>
      <Show name="Keys"><Keys keys="Ctrl K" /><Keys keys="?" /><Keys keys="j" /></Show>
    </>
  );
}

const countries = [{id: 'de', text: 'Germany'}, {id: 'eg', text: 'Egypt'}, {id: 'gb', text: 'United Kingdom'}, {id: 'in', text: 'India'}];
const members = [
  {id: 'm', text: 'Members', options: [{id: '1', text: 'Ada Lovelace', description: '3 open', picture: <Avatar name="Ada Lovelace" size="s" />}, {id: '2', text: 'منى الشاذلي', description: '12 open', picture: <Avatar name="منى الشاذلي" size="s" />}]},
  {id: 'o', text: 'Others', options: [{id: '0', text: 'Nobody', icon: 'user' as const}]},
];

function FieldsPart() {
  const [text, setText] = useState('spring sale');
  return (
    <>
      <Show name="Text" block>
        <Fields columns>
          <TextField label="Name" placeholder="As your team knows it" />
          <TextField label="Name" hint="Optional" description="Only members see it." defaultValue="Spring sale" />
          <TextField label="Phone number" type="tel" icon="phone" defaultValue="+44 7700 900321" error="This number is already a contact." />
          <TextField label="Name" isDisabled defaultValue="Cannot be changed" />
          <TextField label="Identifier" isReadOnly code direction="ltr" defaultValue="0192d3f4-7a11" />
          <TextField label="Password" reveal={{show: 'Show password', hide: 'Hide password'}} defaultValue="correct horse" autoComplete="off" />
          <NumberField label="Messages a second" suffix="/ s" defaultValue={80} minValue={1} />
          <NumberField label="Budget" defaultValue={1250} formatOptions={{style: 'currency', currency: 'EUR'}} error="More than is left this month." />
          <TextArea label="Note" placeholder="What the next one should know" />
          <TextArea label="Note" defaultValue="Prefers calls after four." error="Too long by 12 characters." />
        </Fields>
      </Show>
      <Show name="To copy" block>
        <Fields columns>
          <CopyField label="Key" value="pk_live_0192d3f47a11b5c8" copy="Copy" copied="Copied" description="It is shown this once." />
          <CopyField label="Recovery codes" lines value={'4f2a-91bc\n77de-0c35\nb1e0-5a92\n39cc-f481'} copy="Copy" copied="Copied" />
        </Fields>
      </Show>
      <Show name="Search" block>
        <Fields columns>
          <SearchField label="Search contacts" placeholder="Name or number" clear="Empty the search" />
          <SearchField label="Search contacts" value={text} onChange={setText} clear="Empty the search" />
        </Fields>
      </Show>
      <Show name="Select and combo box" block>
        <Fields columns>
          <Select label="Country" placeholder="Choose one" options={countries} />
          <Select label="Country" defaultValue="eg" options={countries} description="Sets the time zone." />
          <Select label="Country" placeholder="Choose one" options={countries} error="Choose a country." />
          <Select label="Country" defaultValue="de" options={countries} isDisabled />
          <ComboBox label="Assign to" placeholder="Type a name" options={members} empty="Nobody of that name" icon="user" />
          <ComboBox label="Assign to" defaultSelectedKey="1" options={members} empty="Nobody of that name" error="She has left." />
        </Fields>
      </Show>
    </>
  );
}

function Choices() {
  const answers = [{value: 'all', text: 'Everyone on the list', description: '8,204 people'}, {value: 'new', text: 'Only those who joined since', description: '312 people'}, {value: 'none', text: 'Nobody yet', isDisabled: true}];
  return (
    <>
      <Show name="Checkbox">
        <Checkbox>Off</Checkbox><Checkbox defaultSelected>On</Checkbox><Checkbox isIndeterminate>Some</Checkbox><Checkbox isDisabled defaultSelected>Disabled</Checkbox>
        <Checkbox description="One message a month, at most.">Tell me by mail</Checkbox><Checkbox error="You have to agree.">I agree to the terms</Checkbox>
        <RowCheckbox label="Select Ada Lovelace" defaultSelected />
      </Show>
      <Show name="Switch">
        <Switch>Off</Switch><Switch defaultSelected>On</Switch><Switch isDisabled>Disabled</Switch><Switch defaultSelected description="Single keys act while nothing is typed.">Shortcuts</Switch>
      </Show>
      <Show name="Radio group" block>
        <Columns>
          <RadioGroup label="Who receives it" choices={answers} defaultValue="all" />
          <RadioGroup label="Who receives it" choices={answers} defaultValue="new" cards />
          <RadioGroup label="Who receives it" choices={answers.slice(0, 2)} error="Choose one." />
        </Columns>
      </Show>
    </>
  );
}

function Dates() {
  return (
    <Show name="Fields" block>
      <Fields columns>
        <DateField label="Birthday" />
        <DateField label="Birthday" defaultValue={new CalendarDate(1990, 2, 28)} error="Lies in the future." />
        <TimeField label="Quiet from" defaultValue={parseTime('21:30')} />
        <DatePicker label="From" defaultValue={new CalendarDate(2026, 3, 9)} />
        <DatePicker label="Starts" granularity="minute" defaultValue={parseZonedDateTime('2026-03-29T09:30[Europe/Berlin]')} description="The clocks change on this day." />
        <DatePicker label="Starts" isDisabled defaultValue={new CalendarDate(2026, 3, 9)} />
      </Fields>
    </Show>
  );
}

function Overlays() {
  const [palette, setPalette] = useState(false);
  const [found, setFound] = useState('');
  return (
    <Show name="Open them">
      <Dialog
        trigger={<Button>Dialog</Button>} title="New list" close="Close" onSubmit={(close) => close()}
        actions={(close) => <><Button onPress={close}>Cancel</Button><Button kind="primary" type="submit">Create list</Button></>}
      >
        <Fields><TextField label="Name" autoFocus /><TextArea label="Description" hint="Optional" /></Fields>
      </Dialog>
      <Dialog trigger={<Button>Large dialog</Button>} title="Fields of the file" close="Close" size="l" actions={(close) => <Button kind="primary" onPress={close}>Done</Button>}>
        <TablePart />
      </Dialog>
      <AlertDialog trigger={<Button>Alert</Button>} title="Delete 1,204 contacts?" cancel="Keep them" action="Delete 1,204 contacts" onAction={() => undefined}>
        Their conversations are deleted too. This cannot be taken back.
      </AlertDialog>
      <Drawer trigger={<Button>Drawer</Button>} label="Filters"><Fields><Select label="Country" placeholder="Any" options={countries} /><Switch>Opted out</Switch></Fields></Drawer>
      <Popover trigger={<Button icon="filter">Popover</Button>} label="Filter by tag">
        {(close) => <Stack><TextField label="Tag" /><ButtonRow end><Button kind="primary" size="s" onPress={close}>Apply</Button></ButtonRow></Stack>}
      </Popover>
      <Menu
        trigger={<Button icon="more">Menu</Button>} label="Actions"
        groups={[
          {id: 'do', actions: [{id: 'edit', text: 'Edit', icon: 'edit', keys: 'e'}, {id: 'tag', text: 'Add a tag', icon: 'tag', keys: 't'}, {id: 'block', text: 'Opt out', icon: 'block', isDisabled: true}]},
          {id: 'sort', text: 'Sort by', selectionMode: 'single', selectedKeys: ['name'], actions: [{id: 'name', text: 'Name'}, {id: 'last', text: 'Last message'}]},
          {id: 'end', label: 'Remove', actions: [{id: 'delete', text: 'Delete contact', icon: 'trash', isDanger: true}]},
        ]}
      />
      <SearchMenu
        trigger={<Button icon="filter">Menu of many</Button>} label="Countries" search={{label: 'Search a country', clear: 'Empty'}} empty="There is no such country" onInput={setFound}
        groups={[{id: 'countries', text: 'Countries', actions: countries.filter(({text}) => text.toLowerCase().includes(found.toLowerCase()))}]}
      />
      <Button data-tooltip="Says the same in other words" data-tooltip-keys="Ctrl K">Tooltip</Button>
      <Button icon="search" onPress={() => setPalette(true)}>Palette</Button>
      <Palette
        label="Go to or do" placeholder="Where to, or what to do?" isOpen={palette} onOpenChange={setPalette} onAction={() => undefined} empty="Nothing of that name"
        groups={[
          {id: 'go', text: 'Go to', actions: [{id: 'inbox', text: 'Inbox', icon: 'inbox', keys: 'g i'}, {id: 'contacts', text: 'Contacts', icon: 'contacts', keys: 'g c'}, {id: 'campaigns', text: 'Campaigns', icon: 'campaign'}]},
          {id: 'do', text: 'Do', actions: [{id: 'import', text: 'Import contacts', icon: 'upload'}, {id: 'list', text: 'New list', icon: 'plus'}]},
          {id: 'people', text: 'Contacts', actions: [{id: 'c1', text: 'Ada Lovelace', description: '+44 7700 900321', picture: <Avatar name="Ada Lovelace" size="s" />}]},
        ]}
        foot={<><span><Keys keys="↑ ↓" /> choose</span><span><Keys keys="↵" /> open</span></>}
      />
    </Show>
  );
}

function TabsPart() {
  const [tab, setTab] = useState('open');
  const [segment, setSegment] = useState('mine');
  return (
    <>
      <Show name="Tabs" block>
        <Tabs label="Conversations" selected={tab} onSelect={setTab} tabs={[{id: 'open', text: 'Open', count: 128}, {id: 'closed', text: 'Closed'}, {id: 'spam', text: 'Opted out', count: 3}]}><p>The panel of “{tab}”.</p></Tabs>
      </Show>
      <Show name="Segmented control">
        <SegmentedControl label="Whose" selected={segment} onSelect={setSegment} segments={[{id: 'mine', text: 'Mine', count: 4}, {id: 'nobody', text: 'Nobody’s', count: 12}, {id: 'all', text: 'All'}]} />
        <SegmentedControl label="View" selected={segment} onSelect={setSegment} segments={[{id: 'mine', text: 'Plot', icon: 'chart', iconOnly: true}, {id: 'all', text: 'Table', icon: 'list', iconOnly: true}]} />
      </Show>
    </>
  );
}

function Badges() {
  const [tags, setTags] = useState(['vip', 'wholesale', 'عميل مميز', 'a tag whose name is too long for the place it has here']);
  const words: Readonly<Record<Tone, string>> = {neutral: 'Draft', accent: 'Scheduled', ok: 'Approved', warning: 'Paused', danger: 'Failed', information: 'Running'};
  return (
    <>
      <Show name="Badges">{tones.map((tone) => <Badge key={tone} tone={tone}>{words[tone]}</Badge>)}<Badge tone="danger" icon="block">Opted out</Badge></Show>
      <Show name="Status dots">{tones.map((tone) => <StatusDot key={tone} tone={tone}>{words[tone]}</StatusDot>)}<StatusDot tone="ok" live>Live</StatusDot></Show>
      <Show name="Counts"><Count>3</Count><Count>1,204</Count><Count strong label="12 unread">12</Count></Show>
      <Show name="Tags"><Tags label="Tags">{tags.map((tag) => <Tag key={tag} remove={`Remove ${tag}`} onRemove={() => setTags(tags.filter((one) => one !== tag))}>{tag}</Tag>)}</Tags><Tag icon="tag">not removable</Tag></Show>
      <Show name="Avatars">
        {['Ada Lovelace', 'Grace Hopper', 'منى الشاذلي', 'Łukasz Żak', '+44 7700 900321', 'Radia', '王小明', '🎉'].map((name) => <Avatar key={name} name={name} />)}
        <Avatar name="Ada Lovelace" size="s" /><Avatar name="Ada Lovelace" size="l" /><Avatars label="Grace Hopper and Radia Perlman look at this" names={['Grace Hopper', 'Radia Perlman']} />
      </Show>
    </>
  );
}

function Cards() {
  return (
    <Columns>
      <Card title="This week" description="Messages to and from contacts" actions={<IconButton icon="more" label="More about this week" />} flush>
        <Figures>
          <Figure label="Sent" value="48,210" note="12 % more than the week before" trend="up" href="#cards" />
          <Figure label="Read" value="71 %" note="34,229 people" />
          <Figure label="Replied" value="unknown" isUnknown note="Conversations could not be asked" />
        </Figures>
      </Card>
      <Card title="Contact">
        <DescriptionList facts={[{term: 'Phone', value: <span dir="ltr">+44 7700 900321</span>}, {term: 'Language', value: 'English'}, {term: 'City', value: 'القاهرة'}, {term: 'Since', value: '9 March 2026'}]} />
      </Card>
      <Card title="In a side pane"><DescriptionList narrow facts={[{term: 'Phone', value: <span dir="ltr">+44 7700 900321</span>}, {term: 'Lists', value: 'Newsletter, Wholesale'}]} /></Card>
      <Card>A card without a title.</Card>
    </Columns>
  );
}

function Plots() {
  const [shown, setShown] = useState<'plot' | 'table'>('plot');
  const days = [[40, 62, 55, 70, 88, 92, 84], [34, 50, 47, 61, 75, 80, 71], [12, 20, 16, 25, 31, 28, 30]];
  const names = ['Sent', 'Read', 'Replied'];
  return (
    <PlotCard
      title="By day of sending" description="9 to 15 March" view={{label: 'View', plot: 'Plot', table: 'Table', shown, onShow: setShown}}
      legend={names.map((text, place) => ({series: (place + 1) as Series, text, value: days[place]?.at(-1)}))}
      plot={
        <LinePlot
          label="Messages by day of sending" tick={String} value={(count) => (count === null ? 'unknown' : String(count))} height={200}
          marks={(days[0] ?? []).map((_, day) => ({short: `${day + 9} Mar`, long: `${day + 9} March`}))}
          lines={days.map((values, place) => ({series: (place + 1) as Series, text: names[place] ?? '', values: values.map((value, day) => (place === 2 && day === 3 ? null : value))}))}
          spoken={(day) => `${day + 9} March: ${names.map((name, place) => `${name} ${days[place]?.[day] ?? 'unknown'}`).join(', ')}`}
        />
      }
      table={
        <Table label="By day of sending" columns="6rem repeat(3, minmax(0, 1fr))">
          <TableHead><HeaderCell>Day</HeaderCell>{names.map((name) => <HeaderCell key={name} align="end">{name}</HeaderCell>)}</TableHead>
          <TableBody>{days[0]?.map((_, day) => <Row key={day}><Cell isName>{day + 9} March</Cell>{days.map((line, place) => <Cell key={names[place]} align="end">{line[day]}</Cell>)}</Row>)}</TableBody>
        </Table>
      }
    />
  );
}

const people = [
  {name: 'Ada Lovelace', phone: '+44 7700 900321', tags: ['vip'], state: 'ok', word: 'Reachable', last: '2 min'},
  {name: 'منى الشاذلي', phone: '+20 100 555 0134', tags: ['عميل مميز', 'wholesale'], state: 'ok', word: 'Reachable', last: '1 h'},
  {name: 'Konstantin Wolfeschlegelsteinhausenbergerdorff', phone: '+49 1512 3456789', tags: [], state: 'warning', word: 'Not confirmed', last: '3 d'},
  {name: 'Radia Perlman', phone: '+1 202 555 0117', tags: ['newsletter'], state: 'danger', word: 'Opted out', last: '12 Feb'},
] as const;

function TablePart() {
  const [sort, setSort] = useState<'ascending' | 'descending'>('ascending');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(['Ada Lovelace']));
  const toggle = (name: string, on: boolean) => setChosen(new Set(on ? [...chosen, name] : [...chosen].filter((one) => one !== name)));
  return (
    <Card flush>
      {chosen.size > 0 && <SelectionBar actions={<><Button size="s" icon="tag">Tag</Button><Button size="s" icon="trash">Delete</Button></>}>{chosen.size} selected</SelectionBar>}
      <Table label="Contacts" columns="1.5rem minmax(10rem, 2fr) minmax(8rem, 1fr) minmax(7rem, 1fr) minmax(7rem, 1fr) 5rem" narrow="1.5rem minmax(0, 1fr) auto" rows={101}>
        <TableHead>
          <HeaderCell><RowCheckbox label="Select all" isSelected={chosen.size === people.length} isIndeterminate={chosen.size > 0 && chosen.size < people.length} onChange={(on) => setChosen(new Set(on ? people.map(({name}) => name) : []))} /></HeaderCell>
          <HeaderCell sort={sort} onSort={() => setSort(sort === 'ascending' ? 'descending' : 'ascending')}>Name</HeaderCell>
          <HeaderCell wide>Phone</HeaderCell><HeaderCell wide>Tags</HeaderCell><HeaderCell wide>State</HeaderCell>
          <HeaderCell sort="none" onSort={() => undefined} align="end">Last</HeaderCell>
        </TableHead>
        <TableBody>
          {people.map(({name, phone, tags, state, word, last}, place) => (
            <Row key={name} place={place + 2} isSelected={chosen.has(name)} isCurrent={place === 1} onPress={() => undefined}>
              <Cell><RowCheckbox label={`Select ${name}`} isSelected={chosen.has(name)} onChange={(on) => toggle(name, on)} /></Cell>
              <Cell isName><Avatar name={name} size="s" /><Clip><Link quiet href="#table">{name}</Link></Clip></Cell>
              <Cell wide isMuted><span dir="ltr">{phone}</span></Cell>
              <Cell wide>{tags.length > 0 && <Tags>{tags.map((tag) => <Tag key={tag}>{tag}</Tag>)}</Tags>}</Cell>
              <Cell wide><StatusDot tone={state}>{word}</StatusDot></Cell>
              <Cell align="end" isMuted>{last}</Cell>
            </Row>
          ))}
        </TableBody>
      </Table>
    </Card>
  );
}

function Filters() {
  return (
    <Stack gap={5}>
      <PageHeader
        title="Contacts" count="104,233" description="Everyone you may write to, and those who asked you not to."
        actions={<><Button icon="upload">Import</Button><Button kind="primary" icon="plus">New contact</Button></>}
      />
      <PageHeader back={{href: '#filters', text: 'Contacts'}} picture={<Avatar name="Ada Lovelace" size="l" />} title="Ada Lovelace" description={<span dir="ltr">+44 7700 900321</span>} actions={<Button icon="inbox">Write</Button>} />
      <FilterBar label="Filters" search={<SearchField label="Search contacts" placeholder="Name or number" clear="Empty the search" />} end="312 of 104,233">
        <FilterChip name="Tag" value="عميل مميز" icon="tag" onPress={() => undefined} remove="Remove the filter by tag" onRemove={() => undefined} />
        <FilterChip name="List" value="Newsletter" remove="Remove the filter by list" onRemove={() => undefined} />
        <Button kind="quiet" size="s" icon="filter">Filter</Button>
      </FilterBar>
      <div><Section title="Profile" description="How other members see you."><TextField label="Name" defaultValue="Ada Lovelace" /><ButtonRow end><Button kind="primary">Save</Button></ButtonRow></Section>
        <Section title="Second factor" description="A code from your phone when you sign in."><Switch defaultSelected>Ask for a code</Switch></Section></div>
    </Stack>
  );
}

function Lists() {
  return (
    <Columns>
      <Card flush>
        <NewerPill onPress={() => undefined}>12 newer</NewerPill>
        <List label="Conversations">
          <ListEntry href="#lists" picture={<Avatar name="Ada Lovelace" />} title="Ada Lovelace" time="2 min" text="Is the blue one back in stock?" end={<Count strong label="2 unread">2</Count>} isUnread />
          <ListEntry href="#lists" picture={<Avatar name="منى الشاذلي" />} title="منى الشاذلي" time="14 min" text="شكرا جزيلا" before="You:" isCurrent><Badge tone="warning" icon="clock">38 min left</Badge><Tag>vip</Tag></ListEntry>
          <ListEntry href="#lists" picture={<Avatar name="+49 1512 3456789" />} title="+49 1512 3456789" time="Mon" text="A message that goes on for longer than the pane is wide, as they do" before={<><Icon name="check_double" size={14} /></>} />
        </List>
      </Card>
      <Card title="Timeline">
        <Timeline label="What happened">
          <TimelineEntry icon="campaign" tone="accent" time="14:02">Received <Link href="#lists">Spring sale</Link></TimelineEntry>
          <TimelineEntry icon="reply" tone="ok" time="14:05" detail="Is the blue one back in stock?">Answered</TimelineEntry>
          <TimelineEntry icon="tag" time="14:06">Grace Hopper added the tag “vip”</TimelineEntry>
          <TimelineEntry icon="block" tone="danger" time="9 March">Opted out</TimelineEntry>
        </Timeline>
      </Card>
    </Columns>
  );
}

const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

export function Messages() {
  const states: readonly (readonly [MessageState, string])[] = [['queued', 'Waiting'], ['sent', 'Sent'], ['delivered', 'Delivered'], ['read', 'Read']];
  return (
    <div className={s.thread}>
      <div role="log" aria-label="Conversation with Ada Lovelace">
        <DayLine>Monday, 9 March</DayLine>
        <Message kind="campaign" author="Campaign" head={<Link href="#messages">Spring sale</Link>} text={'Hello Ada, the spring collection is here.\nReply STOP and you hear no more from us.'} time="14:02" state="read" stateText="Read" />
        <Message kind="inbound" author="Ada Lovelace" text="Is the blue one back in stock?" time="14:05" quote={{author: 'Spring sale', text: 'Hello Ada, the spring collection is here.'}} />
        <Message kind="inbound" author="Ada Lovelace" follows text="لو سمحت، أريد مقاس ٤٢" time="14:05" />
        <SystemLine icon="user_add" time="14:06">Grace Hopper took the conversation</SystemLine>
        <Message kind="note" author="Grace Hopper" showsAuthor head="Note" text="She wants size 42. The warehouse says Thursday." time="14:07" />
        {states.map(([state, word], place) => <Message key={state} kind="outbound" author="Grace Hopper" showsAuthor={place === 0} follows={place > 0} text={place === 0 ? 'On Thursday! Shall I put one aside?' : word} time="14:08" state={state} stateText={word} />)}
        <Message kind="outbound" author="Grace Hopper" text="It is 49 EUR with delivery." time="14:09" state="failed" stateText="Failed" failure="She cannot be reached on WhatsApp." actions={<Button size="s" icon="retry">Send again as a new message</Button>} />
        <UnreadLine>New</UnreadLine>
        <Message kind="inbound" author="Ada Lovelace" text="This one" time="15:20" media={<ImageMedia src={picture} alt="A picture of Ada Lovelace" width={4} height={3} open="Open the picture" onOpen={() => undefined} />} />
        <Message kind="inbound" author="Ada Lovelace" follows time="15:21" media={<ImageMedia alt="A picture is loaded" />} />
        <Message kind="inbound" author="Ada Lovelace" follows time="15:21" media={<ImageMedia alt="" missing="The channel has deleted this picture." />} />
        <Message kind="inbound" author="Ada Lovelace" time="15:22" media={<AudioMedia labels={{play: 'Play', pause: 'Pause', position: 'Position'}} format={clock} duration={42} />} />
        <Message kind="outbound" author="Grace Hopper" time="15:24" state="delivered" stateText="Delivered" text="The invoice" media={<DocumentMedia name="invoice-2026-0309-ada-lovelace.pdf" note="PDF, 1.2 MB" download="Download" onDownload={() => undefined} />} />
      </div>
    </div>
  );
}

function Composers() {
  const [text, setText] = useState('');
  const tools = <><IconButton icon="attach" label="Attach a file" /><IconButton icon="document" label="Templates" /></>;
  return (
    <div className={s.thread}>
      <Composer
        label="Message to Ada Lovelace" value={text} onChange={setText} onSend={() => setText('')} placeholder="Write a message" tools={tools}
        head={<><SegmentedControl label="What is written" selected="message" onSelect={() => undefined} segments={[{id: 'message', text: 'Message'}, {id: 'note', text: 'Note'}]} /><Badge tone="information" icon="clock">5 h 12 min left to answer</Badge></>}
        end={<><Keys keys="Ctrl ↵" /><Button kind="primary" icon="send">Send</Button></>}
      />
      <Composer label="Note about Ada Lovelace" kind="note" value="She wants size 42." onChange={() => undefined} onSend={() => undefined} end={<Button kind="primary">Add note</Button>} />
      <ComposerClosed actions={<Button kind="primary" icon="document">Choose a template</Button>}>More than 24 hours have passed since she wrote. A template may still be sent.</ComposerClosed>
    </div>
  );
}

function Banners() {
  const banners: readonly (readonly [BannerKind, string, string])[] = [
    ['information', 'Import is running', 'You may leave this page.'], ['ok', 'Your address is confirmed', ''], ['warning', 'The number’s quality is low', 'Below 250 messages a day it is stopped.'],
    ['danger', 'Sending is stopped until 14:00', 'The channel refuses the access token.'], ['degraded', 'Conversations could not be asked', 'Unread counts are unknown; all else is right.'],
  ];
  return (
    <Stack gap={3}>
      {banners.map(([kind, title, text]) => <Banner key={kind} kind={kind} title={title} actions={kind === 'danger' && <Button size="s">Look at the number</Button>} {...(kind === 'information' && {close: 'Close', onClose: () => undefined})}>{text}</Banner>)}
      <Bar icon="offline" end="What you see is 4 minutes old.">No connection.</Bar>
      <ButtonRow>
        <Button onPress={() => toasts.add({title: '312 contacts tagged', action: {text: 'Undo', onPress: () => undefined}}, {timeout: 8000})}>Toast with undo</Button>
        <Button onPress={() => toasts.add({kind: 'danger', title: 'The list could not be saved', text: 'Request 01JNX4T3'})}>Toast of a fault</Button>
      </ButtonRow>
    </Stack>
  );
}

function States() {
  return (
    <Columns>
      <Card><EmptyState level={3} icon="contacts" title="No contacts yet" actions={<><Button kind="primary" icon="upload">Import a file</Button><Button>Add one</Button></>}>Bring those who agreed to hear from you.</EmptyState></Card>
      <Card><EmptyState level={3} small icon="search" title="Nobody fits these filters" actions={<Button size="s">Remove the filters</Button>} /></Card>
      <Card><ErrorState level={3} title="Contacts could not be loaded" actions={<Button icon="retry">Try again</Button>} reference={{label: 'Request', text: '01JNX4T3M8Q2'}}>The service did not answer in time.</ErrorState></Card>
      <Card><ForbiddenState level={3} title="You may not see campaigns" permission="Get:Campaign">An owner or admin can give you a role with this permission.</ForbiddenState></Card>
    </Columns>
  );
}

function Waiting() {
  return (
    <Columns>
      <Card title="Skeletons"><Loading label="Loading contacts"><Stack gap={3}><Skeleton kind="title" /><Skeleton lines={3} /><Skeleton kind="row" lines={3} /><Skeleton kind="avatar" /></Stack></Loading></Card>
      <Card title="Progress"><Stack><ProgressBar label="Importing" value={37} valueText="2,960 of 8,000" /><ProgressBar label="Sent" value={100} tone="ok" /><ProgressBar label="Failed" value={12} tone="danger" /><ProgressBar label="Counting" /></Stack></Card>
      <Card title="Spinners"><Stack row><Spinner label="Loading" /><Spinner label="Loading" size={20} /><Spinner label="Loading" size={32} /></Stack></Card>
    </Columns>
  );
}

function Wizard() {
  return (
    <Stack gap={5}>
      <Stepper
        label="Steps of the import"
        steps={[{id: 'file', text: 'File', state: 'done', stateText: '(done)', href: '#wizard'}, {id: 'fields', text: 'Fields', state: 'current', stateText: '(current)'}, {id: 'check', text: 'Check', state: 'wrong', stateText: '(has faults)'}, {id: 'import', text: 'Import', state: 'open', stateText: '(not yet)'}]}
      />
      <FileDrop label="Drop a CSV file here" choose="Choose a file" description="UTF-8, up to 50 MB; the first line names the columns." accept={['.csv', 'text/csv']} onFile={() => undefined} />
      <FileDrop label="Drop another file here" choose="Choose a file" accept={['.csv', 'text/csv']} onFile={() => undefined} error="This is a spreadsheet. Save it as CSV." />
    </Stack>
  );
}
