import type {ImportsTexts} from '../en/imports.ts';
import {words} from '../format.ts';

const {plural, number} = words('de');
const rowsOf = (count: number) => plural(count, {one: '# Zeile', other: '# Zeilen'});

export const imports: ImportsTexts = {
  title: 'Importe', wizard: 'Kontakte importieren', loading: 'Wird geladen', back: 'Zurück',
  empty: 'Noch keine Importe', emptyText: 'Ein Import macht aus den Zeilen einer CSV-Datei Kontakte, etwa einer, die eine Tabellenkalkulation speichert.',
  newer: 'Es gibt andere Importe: anzeigen',
  columns: {when: 'Wann', status: 'Status', rows: 'Zeilen', made: 'Neu', updated: 'Geändert', skipped: 'Übergangen', failed: 'Fehlerhaft'},
  statuses: {Uploading: 'Wird gesendet', Queued: 'Wartet', Running: 'Läuft', Finished: 'Fertig', Failed: 'Vorzeitig beendet', Cancelled: 'Abgebrochen'},
  steps: {label: 'Schritte des Imports', file: 'Datei', columns: 'Spalten', check: 'Prüfung', done: '(erledigt)', current: '(jetzt)', open: '(noch nicht)'},
  drop: 'CSV-Datei hier ablegen', choose: 'Datei auswählen', dropText: 'UTF-8, mit Kommas, Semikolons oder Tabulatoren getrennt, beliebig groß. Die erste Zeile nennt die Spalten.',
  notCsv: 'Das ist keine CSV-Datei. Speichern Sie die Tabelle zuerst als CSV (UTF-8).', noRows: 'Die Datei hat unter ihrer ersten Zeile nichts.',
  readAs: (encoding) => `Die Datei ist nicht UTF-8. Sie wird als ${encoding} gelesen`, readAsNote: 'Sehen Sie unten, ob Umlaute stimmen. Sonst speichern Sie sie als CSV (UTF-8) und wählen sie noch einmal aus.',
  broken: (line) => `Nach Zeile ${number(line)} ist nichts lesbar: Dort beginnt ein Anführungszeichen, das nicht endet, oder die Zeile ist zu lang.`,
  brokenText: 'Die Zeilen davor werden importiert, dann endet der Import vorzeitig.',
  unreadable: 'Die Datei ließ sich nicht lesen. Wählen Sie sie noch einmal aus.',
  fileNote: (rows, isExact, size) => `${isExact ? '' : 'etwa '}${rowsOf(rows)}, ${size}`,
  mapping: 'Welche Spalte ist was', nothing: 'Leer',
  targets: {name: 'Name', phone: 'Telefonnummer', tags: 'Tags', attribute: 'Merkmal', none: 'Weglassen'}, key: 'Name des Merkmals', unnamed: (place) => `Spalte ${number(place)}`,
  options: 'Wie importiert wird', country: 'Nummern ohne Land sind aus', countryNone: 'Wie die Installation es hat', countryNote: 'Um Zeilen hier zu prüfen, muss es bekannt sein.',
  conflict: 'Wessen Nummer schon bekannt ist', skip: 'Lassen, wie es ist', skipNote: 'Die Zeilen zählen als übergangen.', update: 'Ändern', updateNote: 'Mit Name, Merkmalen und Tags der Zeile; leere Zellen ändern nichts.',
  takes: (permission) => `Braucht die Berechtigung ${permission}.`, list: 'Alle kommen in die Liste', listNone: 'Keine Liste', listGone: 'Diese Liste gibt es nicht mehr. Wählen Sie eine andere oder keine.',
  faults: {
    noPhone: 'Wählen Sie die Spalte mit der Telefonnummer.', twice: (name) => `Zwei Spalten sind „${name}“.`, sameHeader: (name) => `Zwei Spalten heißen „${name}“. Benennen Sie eine in der Datei um.`,
    noKey: (name) => `Wie heißt das Merkmal von „${name}“?`, tooMany: 'Eine Datei hat höchstens 256 Spalten.',
  },
  toCheck: 'Zeilen prüfen', checked: (count) => plural(count, {one: 'Die erste Zeile', other: 'Die ersten # Zeilen'}), good: (count, of) => `Übernommen werden können ${number(count)} von ${number(of)}`,
  allGood: 'Alle können übernommen werden.', bad: (count) => plural(count, {one: '# davon wäre fehlerhaft', other: '# davon wären fehlerhaft'}), badText: 'Sie werden weggelassen und genannt, die anderen hält das nicht auf.',
  onlyFirst: 'Zeilen dahinter werden beim Importieren geprüft.', line: 'Zeile', result: 'Ergebnis', taken: 'Kann übernommen werden', repeats: (line) => `Dieselbe Nummer wie Zeile ${number(line)}`,
  rowFaults: {
    fields: (fields, columns) => `Hat ${number(fields)} Felder, die erste Zeile hat ${number(columns)}`, 'text behind quote': 'Hinter einem schließenden Anführungszeichen steht Text', 'zero character': 'Enthält das Zeichen U+0000',
    'long name': 'Der Name ist länger als 255 Zeichen', 'no phone': 'Hat keine Telefonnummer', 'long tag': 'Ein Tag ist länger als 255 Zeichen', 'id as tag': 'Ein Tag sieht aus wie eine Kennung', 'many tags': 'Mehr als 100 Tags',
    shortened: 'eine Tabellenkalkulation hat sie gekürzt. Formatieren Sie die Spalte als Text und speichern Sie erneut',
    'long attributes': 'Die Merkmale sind länger als 16 KiB', phone: (cell) => `„${cell}“ ist keine Telefonnummer`, needsCountry: 'ohne Land, es sei denn, die Installation hat eines',
    length: (code, lengths, digits) => `Auf +${code} folgen ${lengths} Ziffern, nicht ${digits}`,
  },
  start: (rows, isExact) => `${isExact ? '' : 'Etwa '}${rowsOf(rows)} importieren`, startSome: (taken, of) => `${number(taken)} von ${rowsOf(of)} importieren`,
  sending: 'Die Datei wird gesendet', sent: (share) => `${share} gesendet`, stop: 'Senden anhalten',
  begun: 'Die Datei wurde gesendet, der Import hat begonnen', show: 'Anzeigen',
  report: 'Import', reportOf: (when) => `Import vom ${when}`, progress: 'Fortschritt', percent: (rows, percent) => `${rowsOf(rows)} gelesen, ${number(percent)} %`,
  figures: {rowsRead: 'Gelesene Zeilen', imported: 'Neue Kontakte', updated: 'Geändert', skipped: 'Übergangen', failed: 'Fehlerhaft'},
  skippedNote: 'ihre Nummern waren bekannt', cancelImport: 'Import abbrechen', cancelTitle: 'Diesen Import abbrechen?', cancelText: (rows) => `Was aus bisher ${rowsOf(rows)} wurde, bleibt.`, keepGoing: 'Weitermachen',
  failedRows: 'Fehlerhafte Zeilen', failedShown: (shown, of) => `Die ersten ${number(shown)} von ${number(of)}`, download: (count) => `${rowsOf(count)} herunterladen`,
  downloadNote: 'Berichtigen Sie die Datei und importieren Sie sie erneut: Die ersten drei Spalten fallen dabei weg.', column: 'Spalte', detail: 'Was nicht stimmt',
  toContacts: 'Zu den Kontakten', facts: {list: 'Liste', conflict: 'Bekannte Nummern', country: 'Land', began: 'Begonnen', ended: 'Beendet'}, none: 'Keine', failedTitle: 'Der Import endete vor seiner Datei',
};
