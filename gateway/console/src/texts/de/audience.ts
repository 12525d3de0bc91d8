import type {AudienceTexts} from '../en/audience.ts';
import {words} from '../format.ts';

const {plural, number} = words('de');
const contactsOf = (count: number) => plural(count, {one: '# Kontakt', other: '# Kontakte'});

export const audience: AudienceTexts = {
  cancel: 'Abbrechen', close: 'Schließen', save: 'Speichern', edit: 'Bearbeiten', rename: 'Umbenennen', delete: 'Löschen', loading: 'Wird geladen', showMore: 'Mehr zeigen',
  search: 'Suchen', clearSearch: 'Suche leeren', optional: 'optional', saved: 'Gespeichert', noMatch: 'Nichts heißt so',
  columns: {name: 'Name', contacts: 'Kontakte', campaigns: 'Gesendete Kampagnen', tags: 'Tags', created: 'Angelegt', actions: 'Aktionen', description: 'Beschreibung'},
  name: 'Name', description: 'Beschreibung',
  uses: {
    looking: 'Es wird nachgesehen, wo das verwendet wird',
    campaigns: {
      list: 'Offene Kampagnen, die damit niemanden mehr erreichen:', tag: 'Offene Kampagnen mit diesem Tag:', segment: 'Offene Kampagnen, die damit niemanden mehr erreichen:',
    },
    noCampaigns: 'In keiner offenen Kampagne verwendet.', campaignsUnknown: 'Welche Kampagnen betroffen sind, ist gerade nicht bekannt.', excluded: 'Offene Kampagnen, die diese Kontakte auslassen, danach nicht mehr:',
    segments: 'Segmente, in deren Bedingungen das vorkommt; wer sie erfüllt, ändert sich:', segmentsUnknown: 'Welche Segmente betroffen sind, ist gerade nicht bekannt.',
    more: (count) => `und ${number(count)} weitere`,
    statuses: {Draft: 'Entwurf', Scheduled: 'Geplant', Running: 'Läuft', Paused: 'Angehalten', Cancelled: 'Abgebrochen', Finished: 'Beendet'},
  },
  lists: {
    title: 'Listen', text: 'Kontakte, die Sie von Hand zusammenstellen, als Empfänger von Kampagnen.', create: 'Neue Liste', createAction: 'Liste anlegen', edit: 'Liste bearbeiten',
    empty: 'Noch keine Listen', emptyText: 'Eine Liste hält zusammen, wer zusammengehört, etwa die Kundschaft eines Geschäfts. Kampagnen gehen an Listen und Segmente.',
    deleteTitle: (name) => `Liste ${name} löschen?`,
    deleteText: (count) => count === 0 ? 'Sie hat keine Kontakte.' : plural(count, {one: 'Ihr Kontakt bleibt und steht in ihr nicht mehr.', other: 'Ihre # Kontakte bleiben und stehen in ihr nicht mehr.'}),
    deleteAction: '1 Liste löschen', deleted: 'Liste gelöscht', created: 'Liste angelegt',
  },
  tags: {
    title: 'Tags', text: 'Wörter, die Kontakte, Listen und Unterhaltungen tragen.', create: 'Neuer Tag', createAction: 'Tag anlegen', edit: 'Tag umbenennen', label: 'Wortlaut',
    empty: 'Noch keine Tags', emptyText: 'Ein Tag ist ein Wort, nach dem man Kontakte findet. Sie können auch beim Importieren und Antworten welche hinzufügen.',
    known: 'Diesen Tag gibt es schon.',
    deleteTitle: (name) => `Tag ${name} löschen?`,
    deleteText: (count) => count === 0 ? 'Kein Kontakt trägt ihn. Listen und Unterhaltungen, die ihn tragen, bleiben ohne ihn.'
      : plural(count, {one: '# Kontakt trägt ihn und bleibt ohne ihn, ebenso Listen und Unterhaltungen.', other: '# Kontakte tragen ihn und bleiben ohne ihn, ebenso Listen und Unterhaltungen.'}),
    deleteUnknown: 'Was ihn trägt, bleibt ohne ihn.',
    deleteAction: '1 Tag löschen', deleted: 'Tag gelöscht', created: 'Tag angelegt', show: 'Kontakte zeigen',
  },
  segments: {
    title: 'Segmente', text: 'Bedingungen, die Kontakte erfüllen oder nicht. Wer es tut, entscheidet sich bei jeder Verwendung neu.',
    create: 'Neues Segment', empty: 'Noch keine Segmente', emptyText: 'Zum Beispiel: hat in den letzten 30 Tagen gekauft und auf die letzte Kampagne nicht geantwortet.',
    show: 'Kontakte zeigen', saveAction: 'Segment speichern', saveChanges: 'Änderungen speichern', saved: 'Segment gespeichert', deleted: 'Segment gelöscht',
    known: 'Ein Segment mit diesem Namen gibt es schon.',
    deleteTitle: (name) => `Segment ${name} löschen?`, deleteText: 'Seine Kontakte bleiben.', deleteAction: '1 Segment löschen',
    count: contactsOf, counting: 'Wird gezählt', countUnknown: 'Anzahl unbekannt', unfinished: 'Vervollständigen Sie die Bedingungen, um zu sehen, wie viele es sind.',
    conditions: 'Bedingungen', all: 'alle davon', any: 'mindestens eine davon', fulfil: 'Kontakte erfüllen', not: 'nicht', negate: 'Umkehren',
    addCondition: 'Bedingung', addGroup: 'Gruppe', remove: 'Bedingung entfernen', removeGroup: 'Gruppe entfernen',
    type: 'Was', attribute: 'Merkmal', ofContacts: 'Vom Kontakt', didThings: 'Was sie taten',
    types: {
      text: 'Merkmal: Text', number: 'Merkmal: Zahl', date: 'Merkmal: Datum', yesNo: 'Merkmal: ja oder nein', present: 'Merkmal ist da',
      tag: 'Tag', list: 'Liste', status: 'Status', lastInbound: 'Schrieb uns', lastCampaign: 'Bekam eine Kampagne', campaign: 'Tat etwas mit einer Kampagne',
    },
    compare: 'Vergleich', operators: {is: 'ist eines von', contains: 'enthält eines von', startsWith: 'beginnt mit einem von'},
    values: 'Werte', valueAdd: 'Wert hinzufügen', from: 'von', to: 'bis', moreThan: 'mehr als', atLeast: 'mindestens', lessThan: 'weniger als', atMost: 'höchstens',
    yes: 'Ja', no: 'Nein', statuses: 'Status', when: 'Wann', days: 'Tage',
    modes: {
      any: 'jemals', last: 'in den letzten … Tagen', before: 'vor mehr als … Tagen', next: 'in den nächsten … Tagen', between: 'von … bis …', relative: 'von … bis … Tage ab heute',
    },
    did: {received: 'erhielt', read: 'las', clicked: 'folgte einem Link von', replied: 'antwortete auf'}, campaigns: 'Kampagnen', campaignsEmpty: 'Keine Kampagne heißt so',
    faults: {
      attribute: 'Welches Merkmal?', values: 'Mindestens eines ist nötig.', number: 'Mindestens eine Zahl ist nötig.', days: 'Tage sind nötig.', empty: 'Mindestens eine Bedingung ist nötig.',
      'too deep': 'Gruppen gehen höchstens 5 tief.', 'too many': 'Höchstens 50 Bedingungen.', 'too many values': 'Höchstens 500 Werte insgesamt.', 'too many texts': 'Höchstens 20 Texte zum Enthalten oder Beginnen.',
    },
    typesOf: (text, num, date, yesNo) =>
      [[text, 'Text'], [num, 'Zahl'], [date, 'Datum'], [yesNo, 'ja oder nein']].filter(([count]) => count !== 0).map(([count, name]) => `${number(count as number)} ${name}`).join(', '),
  },
};
