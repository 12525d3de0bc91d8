import {useState, type ReactNode} from 'react';
import {Avatar} from '../../design/avatar.tsx';
import {Badge, Count, StatusDot, Tag, Tags} from '../../design/badge.tsx';
import {Banner} from '../../design/banner.tsx';
import {Button, ButtonRow, IconButton} from '../../design/button.tsx';
import {Card, DescriptionList, Figure, Figures} from '../../design/card.tsx';
import {RowCheckbox} from '../../design/choice.tsx';
import {Composer} from '../../design/composer.tsx';
import {Fields, Form} from '../../design/field.tsx';
import {Icon} from '../../design/icon.tsx';
import {Keys} from '../../design/keys.tsx';
import {Link} from '../../design/link.tsx';
import {List, ListEntry, Timeline, TimelineEntry} from '../../design/list.tsx';
import {DayLine, Message, SystemLine} from '../../design/message.tsx';
import {FilterBar, FilterChip} from '../../design/filter_bar.tsx';
import {Columns, Page, PageHeader, Stack} from '../../design/page.tsx';
import {PaneBar, PaneBody, Panes} from '../../design/panes.tsx';
import {Select} from '../../design/select.tsx';
import {Gate, Mark, Shell} from '../../design/shell.tsx';
import {Stepper} from '../../design/stepper.tsx';
import {Cell, Clip, HeaderCell, Row, Table, TableBody, TableHead} from '../../design/table.tsx';
import {SegmentedControl, Tabs} from '../../design/tabs.tsx';
import {SearchField, TextField} from '../../design/text_field.tsx';

/** Whole pages made of the components, with invented people. */
export const scenes: Readonly<Record<string, () => ReactNode>> = {
  inbox: () => <InShell current="inbox"><Inbox shown="main" /></InShell>,
  inbox_list: () => <InShell current="inbox"><Inbox shown="list" /></InShell>,
  contacts: () => <InShell current="contacts"><Contacts /></InShell>,
  contact: () => <InShell current="contacts"><Contact /></InShell>,
  import: () => <InShell current="contacts"><Import /></InShell>,
  home: () => <InShell current="home"><Home /></InShell>,
  sign_in: () => <SignIn />,
};

function InShell({current, children}: {current: string; children: ReactNode}) {
  return (
    <Shell
      skip="To the content" navLabel="Areas" barLabel="Main areas" more="More" brand={<><Mark />Northwind Tea</>}
      search={<Button wide align="start" icon="search" size="s" end={<Keys keys="Ctrl K" />}>Search or do</Button>}
      groups={[
        {
          id: 'work', entries: [
            {id: 'home', text: 'Home', icon: 'home', href: '?scene=home', isCurrent: current === 'home', inBar: true},
            {id: 'inbox', text: 'Inbox', icon: 'inbox', href: '?scene=inbox_list', count: 12, countText: '12 unread', isCurrent: current === 'inbox', inBar: true},
            {id: 'contacts', text: 'Contacts', icon: 'contacts', href: '?scene=contacts', isCurrent: current === 'contacts', inBar: true},
            {id: 'campaigns', text: 'Campaigns', icon: 'campaign', href: '?scene=home', inBar: true},
          ],
        },
        {
          id: 'audience', text: 'Audience', entries: [
            {id: 'lists', text: 'Lists', icon: 'list', href: '?scene=home'}, {id: 'tags', text: 'Tags', icon: 'tag', href: '?scene=home'}, {id: 'imports', text: 'Imports', icon: 'upload', href: '?scene=import'},
          ],
        },
        {id: 'organization', text: 'Organization', entries: [{id: 'members', text: 'Members', icon: 'user_add', href: '?scene=home'}, {id: 'settings', text: 'Settings', icon: 'building', href: '?scene=home'}]},
      ]}
      foot={<Button kind="quiet" wide align="start" end={<Icon name="sort" />}><Stack row gap={2}><Avatar name="Grace Hopper" size="s" />Grace Hopper</Stack></Button>}
    >{children}</Shell>
  );
}

const conversations = [
  ['Ada Lovelace', '2 min', 'Is the blue one back in stock?', 2], ['منى الشاذلي', '14 min', 'شكرا جزيلا', 0], ['Łukasz Żak', '31 min', 'Perfect, see you then', 0], ['+49 1512 3456789', '1 h', 'Hello?', 1],
  ['Radia Perlman', '2 h', 'Could you send the invoice again, please?', 0], ['王小明', '3 h', '谢谢', 0], ['Katherine Johnson', '5 h', 'Audio, 0:42', 0], ['Edsger Dijkstra', 'Mon', 'No.', 0],
] as const;

function Inbox({shown}: {shown: 'list' | 'main'}) {
  const [text, setText] = useState('');
  const [whose, setWhose] = useState('mine');
  return (
    <Panes
      title="Inbox" shown={shown} labels={{list: 'Conversations', main: 'Conversation', side: 'Contact'}}
      list={
        <>
          <PaneBar actions={<><IconButton icon="search" label="Search" /><IconButton icon="filter" label="Filter" /></>}><SegmentedControl label="Whose" selected={whose} onSelect={setWhose} segments={[{id: 'mine', text: 'Mine', count: 4}, {id: 'nobody', text: 'Nobody’s', count: 12}, {id: 'all', text: 'All'}]} /></PaneBar>
          <PaneBody label="Conversations">
            <List label="Conversations">
              {conversations.map(([name, time, last, unread], place) => (
                <ListEntry
                  key={name} href="?scene=inbox" picture={<Avatar name={name} />} title={name} time={time} text={last} isUnread={unread > 0} isCurrent={place === 0 && shown === 'main'}
                  {...((place === 1 || place === 2) && {before: place === 1 ? <Icon name="check_double" size={14} /> : 'You:'})} {...(unread && {end: <Count strong label={`${unread} unread`}>{unread}</Count>})}
                >{place === 3 && <Badge tone="warning" icon="clock">38 min left</Badge>}</ListEntry>
              ))}
            </List>
          </PaneBody>
        </>
      }
      main={
        <>
          <PaneBar back={<IconButton icon="arrow_back" label="To the list" />} actions={<><Button size="s" icon="check">Close</Button><IconButton icon="more" label="More" /></>}>
            <Stack row gap={2}><Avatar name="Ada Lovelace" size="s" /><span dir="auto">Ada Lovelace</span></Stack>
          </PaneBar>
          <PaneBody label="Messages">
            <div role="log" aria-label="Conversation with Ada Lovelace">
              <DayLine>Today</DayLine>
              <Message kind="campaign" author="Campaign" head={<Link href="?scene=home">Spring sale</Link>} text={'Hello Ada, the spring collection is here: 24 new teas, and the blue pot you asked for.\nReply STOP and you hear no more from us.'} time="14:02" state="read" stateText="Read" />
              <Message kind="inbound" author="Ada Lovelace" text="Oh nice. Is the blue one back in stock?" time="14:05" />
              <Message kind="inbound" author="Ada Lovelace" follows text="The small one, not the one for six" time="14:05" />
              <SystemLine icon="user_add" time="14:06">Grace Hopper took the conversation</SystemLine>
              <Message kind="note" author="Grace Hopper" showsAuthor head="Note" text="Warehouse says Thursday. She had trouble with the last delivery, so be generous." time="14:07" />
              <Message kind="outbound" author="Grace Hopper" text="It arrives on Thursday! Shall I put one aside for you? Delivery is on us this time." time="14:08" state="delivered" stateText="Delivered" />
              <Message kind="inbound" author="Ada Lovelace" text="Yes please 🙏" time="14:12" />
            </div>
          </PaneBody>
          <Composer
            label="Message to Ada Lovelace" value={text} onChange={setText} onSend={() => setText('')} placeholder="Write to Ada" tools={<><IconButton icon="attach" label="Attach a file" /><IconButton icon="document" label="Templates" /></>}
            head={<><SegmentedControl label="What is written" selected="message" onSelect={() => undefined} segments={[{id: 'message', text: 'Message'}, {id: 'note', text: 'Note'}]} /><StatusDot tone="information">23 h left to answer</StatusDot></>}
            end={<Button kind="primary" icon="send">Send</Button>}
          />
        </>
      }
      side={
        <>
          <PaneBar>Contact</PaneBar>
          <PaneBody label="Contact" padded>
            <Stack gap={5}>
              <Stack row gap={3}><Avatar name="Ada Lovelace" size="l" /><Stack gap={1}><strong>Ada Lovelace</strong><span dir="ltr">+44 7700 900321</span></Stack></Stack>
              <Tags label="Tags"><Tag>vip</Tag><Tag>wholesale</Tag></Tags>
              <DescriptionList narrow facts={[{term: 'Assigned to', value: 'Grace Hopper'}, {term: 'Language', value: 'English'}, {term: 'City', value: 'London'}, {term: 'Lists', value: 'Newsletter, Spring'}, {term: 'Contact since', value: '9 March 2024'}]} />
            </Stack>
          </PaneBody>
        </>
      }
    />
  );
}

const people = ['Ada Lovelace', 'منى الشاذلي', 'Grace Hopper', 'Konstantin Wolfeschlegelsteinhausenbergerdorff', 'Radia Perlman', 'Łukasz Żak', '王小明', 'Katherine Johnson', 'Edsger Dijkstra', 'Barbara Liskov', 'Tony Hoare', 'Frances Allen', 'Ken Thompson', 'Lynn Conway', 'Donald Knuth', 'Shafi Goldwasser'];

function Contacts() {
  return (
    <Page
      wide fills
      header={
        <PageHeader title="Contacts" count="104,233" actions={<><Button icon="upload">Import</Button><Button icon="download">Export 312</Button><Button kind="primary" icon="plus">New contact</Button></>}>
          <FilterBar label="Filters" search={<SearchField label="Search contacts" placeholder="Name or number" clear="Empty the search" />} end="312 contacts">
            <FilterChip name="Tag" value="vip" icon="tag" onPress={() => undefined} remove="Remove the filter by tag" onRemove={() => undefined} />
            <Button kind="quiet" size="s" icon="filter">Filter</Button>
          </FilterBar>
        </PageHeader>
      }
    >
      <Table scrolls label="Contacts" columns="1.5rem minmax(12rem, 2fr) minmax(9rem, 1fr) minmax(9rem, 1.5fr) minmax(8rem, 1fr) 6rem" narrow="1.5rem minmax(0, 1fr) auto" rows={312}>
        <TableHead>
          <HeaderCell><RowCheckbox label="Select all" /></HeaderCell><HeaderCell sort="ascending" onSort={() => undefined}>Name</HeaderCell><HeaderCell wide>Phone</HeaderCell><HeaderCell wide>Tags</HeaderCell>
          <HeaderCell wide>State</HeaderCell><HeaderCell sort="none" onSort={() => undefined} align="end">Last</HeaderCell>
        </TableHead>
        <TableBody>
          {people.map((name, place) => (
            <Row key={name} place={place + 2} isSelected={place === 2} isCurrent={place === 4} onPress={() => undefined}>
              <Cell><RowCheckbox label={`Select ${name}`} defaultSelected={place === 2} /></Cell>
              <Cell isName><Avatar name={name} size="s" /><Clip><Link quiet href="?scene=contact">{name}</Link></Clip></Cell>
              <Cell wide isMuted><span dir="ltr">+44 7700 900{String(321 + place * 17)}</span></Cell>
              <Cell wide>{place % 3 !== 2 && <Tags>{(place % 2 ? ['vip'] : ['vip', 'wholesale']).map((tag) => <Tag key={tag}>{tag}</Tag>)}</Tags>}</Cell>
              <Cell wide><StatusDot tone={place === 6 ? 'danger' : place === 9 ? 'warning' : 'ok'}>{place === 6 ? 'Opted out' : place === 9 ? 'Unconfirmed' : 'Reachable'}</StatusDot></Cell>
              <Cell align="end" isMuted>{place + 2} min</Cell>
            </Row>
          ))}
        </TableBody>
      </Table>
    </Page>
  );
}

function Contact() {
  const [tab, setTab] = useState('timeline');
  return (
    <Page header={<PageHeader back={{href: '?scene=contacts', text: 'Contacts'}} picture={<Avatar name="Ada Lovelace" size="l" />} title="Ada Lovelace" description={<span dir="ltr">+44 7700 900321</span>} actions={<><IconButton icon="more" kind="secondary" label="More" /><Button icon="edit">Edit</Button><Button kind="primary" icon="inbox">Write</Button></>} />}>
      <Tabs label="About Ada Lovelace" selected={tab} onSelect={setTab} tabs={[{id: 'timeline', text: 'Timeline'}, {id: 'fields', text: 'Fields'}, {id: 'lists', text: 'Lists', count: 2}]}>
        <Columns>
          <Card title="What happened">
            <Timeline label="What happened">
              <TimelineEntry icon="reply" tone="ok" time="14:05" detail="Is the blue one back in stock?">Answered</TimelineEntry>
              <TimelineEntry icon="campaign" tone="accent" time="14:02">Received <Link href="?scene=home">Spring sale</Link></TimelineEntry>
              <TimelineEntry icon="tag" time="9 March">Grace Hopper added the tag “vip”</TimelineEntry>
              <TimelineEntry icon="upload" time="2 March">Imported from <span dir="auto">customers.csv</span></TimelineEntry>
            </Timeline>
          </Card>
          <Card title="Contact" actions={<Badge tone="ok">Reachable</Badge>}><DescriptionList facts={[{term: 'Language', value: 'English'}, {term: 'City', value: 'London'}, {term: 'Tags', value: <Tags><Tag>vip</Tag><Tag>wholesale</Tag></Tags>}, {term: 'Since', value: '2 March 2026'}]} /></Card>
        </Columns>
      </Tabs>
    </Page>
  );
}

function Import() {
  const fields = [{id: 'name', text: 'Name'}, {id: 'phone', text: 'Phone number'}, {id: 'city', text: 'Attribute: city'}, {id: 'none', text: 'Leave out'}];
  return (
    <Page header={<PageHeader back={{href: '?scene=contacts', text: 'Contacts'}} title="Import contacts" />}>
      <Stepper label="Steps of the import" steps={[{id: 'file', text: 'File', state: 'done', stateText: '(done)', href: '?scene=import'}, {id: 'fields', text: 'Fields', state: 'current', stateText: '(current)'}, {id: 'check', text: 'Check', state: 'open', stateText: '(not yet)'}, {id: 'import', text: 'Import', state: 'open', stateText: '(not yet)'}]} />
      <Card title="Which column is what" description="customers.csv, 8,000 rows">
        <Stack>
          <Fields columns>
            <Select label="Kunde" options={fields} defaultValue="name" description={<bdi>Ada Lovelace, Grace Hopper, …</bdi>} />
            <Select label="Mobil" options={fields} defaultValue="phone" description={<bdi>07700 900321, 07700 900338, …</bdi>} />
            <Select label="Ort" options={fields} defaultValue="city" description={<bdi>London, القاهرة, …</bdi>} />
            <Select label="Notiz" options={fields} defaultValue="none" />
          </Fields>
          <Banner kind="warning" title="3 of the first 50 rows would fail">Their numbers have no country. <Link href="?scene=import">Look at them</Link></Banner>
        </Stack>
      </Card>
      <ButtonRow end><Button>Back</Button><Button kind="primary">Check 8,000 rows</Button></ButtonRow>
    </Page>
  );
}

function Home() {
  return (
    <Page wide header={<PageHeader title="Good morning, Grace" />}>
      <Banner kind="danger" title="+44 20 7946 0321 cannot send until 14:00" actions={<Button size="s">Look at the number</Button>}>The channel refuses its access token.</Banner>
      <Card title="Last seven days" actions={<SegmentedControl label="Span" selected="7" onSelect={() => undefined} segments={[{id: '7', text: '7 days'}, {id: '30', text: '30 days'}]} />} flush>
        <Figures>
          <Figure label="Sent" value="48,210" note="12 % more" trend="up" href="?scene=home" /><Figure label="Delivered" value="97.2 %" note="46,860" /><Figure label="Read" value="71 %" note="34,229" /><Figure label="Replied" value="unknown" isUnknown note="Not asked" />
        </Figures>
      </Card>
      <Columns>
        <Card title="Want an answer" flush>
          <List label="Conversations that want an answer">
            {conversations.slice(0, 4).map(([name, time, last, unread]) => <ListEntry key={name} href="?scene=inbox" picture={<Avatar name={name} />} title={name} time={time} text={last} {...(unread && {end: <Count strong label={`${unread} unread`}>{unread}</Count>})} />)}
          </List>
        </Card>
        <Card title="Campaigns" flush>
          <List label="Campaigns">
            <ListEntry href="?scene=home" title="Spring sale" time={<StatusDot tone="information" live>Running</StatusDot>} text="6,120 of 8,204 sent" />
            <ListEntry href="?scene=home" title="عرض الربيع" time={<StatusDot tone="warning">Paused</StatusDot>} text="The number’s limit of today is used up" />
          </List>
        </Card>
      </Columns>
    </Page>
  );
}

function SignIn() {
  return (
    <Gate brand={<><Mark size={32} />Parley</>} title="Sign in" foot={<>Trouble? Ask an admin of your organization.</>}>
      <Stack gap={5}>
        <Form label="Sign in" onSubmit={() => undefined}>
          <TextField label="E-mail" type="email" autoComplete="username" defaultValue="grace@northwind.example" />
          <TextField label="Password" reveal={{show: 'Show password', hide: 'Hide password'}} autoComplete="current-password" error="This is not the password of that address." />
          <Button kind="primary" wide size="l" type="submit">Sign in</Button>
        </Form>
        <p>New here? <Link href="?scene=sign_in">Make an organization</Link></p>
      </Stack>
    </Gate>
  );
}
