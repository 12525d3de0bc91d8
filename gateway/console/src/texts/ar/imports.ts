import type {ImportsTexts} from '../en/imports.ts';
import {words} from '../format.ts';

const {plural, number} = words('ar');
const rowsOf = (count: number) => plural(count, {zero: 'لا صفوف', one: 'صف واحد', two: 'صفان', few: '# صفوف', many: '# صفًا', other: '# صف'});

export const imports: ImportsTexts = {
  title: 'عمليات الاستيراد', wizard: 'استيراد جهات اتصال', loading: 'يجري التحميل', back: 'السابق',
  empty: 'لا عمليات استيراد بعد', emptyText: 'يصنع الاستيراد جهات اتصال من صفوف ملف CSV، كالذي تحفظه برامج الجداول.',
  newer: 'هناك عمليات استيراد أخرى: اعرضها',
  columns: {when: 'متى', status: 'الحالة', rows: 'الصفوف', made: 'جديدة', updated: 'محدّثة', skipped: 'متروكة', failed: 'فاشلة'},
  statuses: {Uploading: 'يُرفع', Queued: 'بالانتظار', Running: 'جارٍ', Finished: 'انتهى', Failed: 'انتهى قبل أوانه', Cancelled: 'أُلغي'},
  steps: {label: 'خطوات الاستيراد', file: 'الملف', columns: 'الأعمدة', check: 'الفحص', done: '(تم)', current: '(الآن)', open: '(ليس بعد)'},
  drop: 'أسقط ملف CSV هنا', choose: 'اختر ملفًا', dropText: 'بترميز UTF-8، تفصل بين حقوله فواصل أو فواصل منقوطة أو علامات جدولة، وبأي حجم. السطر الأول يسمّي الأعمدة.',
  notCsv: 'هذا ليس ملف CSV. احفظ الجدول أولًا بصيغة CSV (UTF-8).', noRows: 'لا صفوف في الملف تحت سطره الأول.',
  readAs: (encoding) => `الملف ليس بترميز UTF-8. يُقرأ بترميز ${encoding}`, readAsNote: 'انظر أدناه هل الحروف صحيحة. وإلا فاحفظه بصيغة CSV (UTF-8) واختره مرة أخرى.',
  broken: (line) => `لا يمكن قراءة ما بعد السطر ${number(line)}: تُفتح فيه علامة اقتباس ولا تُغلق، أو الصف أطول مما يجوز.`,
  brokenText: 'تُستورد الصفوف التي قبله، ثم ينتهي الاستيراد قبل أوانه.',
  unreadable: 'تعذّرت قراءة الملف. اختره مرة أخرى.',
  fileNote: (rows, isExact, size) => `${isExact ? '' : 'نحو '}${rowsOf(rows)}، ${size}`,
  mapping: 'ما هو كل عمود', nothing: 'فارغ',
  targets: {name: 'الاسم', phone: 'رقم الهاتف', tags: 'الوسوم', attribute: 'سمة', none: 'يُترك'}, key: 'اسم السمة', unnamed: (place) => `العمود ${number(place)}`,
  options: 'كيفية الاستيراد', country: 'الأرقام بلا رمز بلد هي من', countryNone: 'كما هو مضبوط في النظام', countryNote: 'يلزم ذلك لفحص الصفوف هنا.',
  conflict: 'من رقمه معروف من قبل', skip: 'يبقى كما هو', skipNote: 'تُحسب الصفوف متروكة.', update: 'يُحدّث', updateNote: 'باسم الصف وسماته ووسومه، والخلايا الفارغة لا تغيّر شيئًا.',
  takes: (permission) => `يلزم الإذن ${permission}.`, list: 'ينضم الجميع إلى القائمة', listNone: 'بلا قائمة', listGone: 'لم تعد هذه القائمة موجودة. اختر غيرها أو أفرغ الحقل.',
  faults: {
    noPhone: 'اختر العمود الذي فيه رقم الهاتف.', twice: (name) => `عمودان هما «${name}».`, sameHeader: (name) => `عمودان اسمهما «${name}». غيّر اسم أحدهما في الملف.`,
    noKey: (name) => `ما اسم سمة «${name}»؟`, tooMany: 'في الملف 256 عمودًا على الأكثر.',
  },
  toCheck: 'افحص الصفوف', checked: (count) => `أول ${rowsOf(count)}`, good: (count, of) => `يمكن قبول ${number(count)} من ${number(of)}`,
  allGood: 'يمكن قبولها كلها.', bad: (count) => `يفشل منها ${rowsOf(count)}`, badText: 'تُترك ويُذكر سببها، ولا تعطّل غيرها.',
  onlyFirst: 'تُفحص الصفوف التي بعدها في أثناء الاستيراد.', line: 'السطر', result: 'النتيجة', taken: 'يمكن قبوله', repeats: (line) => `الرقم نفسه في السطر ${number(line)}`,
  rowFaults: {
    fields: (fields, columns) => `فيه ${number(fields)} حقول، وفي السطر الأول ${number(columns)}`, 'text behind quote': 'بعد علامة اقتباس مغلقة نص', 'zero character': 'فيه الحرف U+0000',
    'long name': 'الاسم أطول من 255 حرفًا', 'no phone': 'ليس فيه رقم هاتف', 'long tag': 'وسم أطول من 255 حرفًا', 'id as tag': 'وسم يشبه معرّفًا', 'many tags': 'أكثر من 100 وسم',
    shortened: 'اختصره برنامج الجداول. اجعل العمود نصًا واحفظ من جديد',
    'long attributes': 'السمات أطول من 16 KiB', phone: (cell) => `«${cell}» ليس رقم هاتف`, needsCountry: 'بلا رمز بلد، إلا إذا كان للنظام بلد',
    length: (code, lengths, digits) => `يتبع ‎+${code} عدد أرقام ${lengths} لا ${digits}`,
  },
  start: (rows, isExact) => `استورد ${isExact ? '' : 'نحو '}${rowsOf(rows)}`, startSome: (taken, of) => `استورد ${number(taken)} من ${rowsOf(of)}`,
  sending: 'يُرسل الملف', sent: (share) => `أُرسل ${share}`, stop: 'أوقف الإرسال',
  begun: 'أُرسل الملف وبدأ الاستيراد', show: 'اعرض',
  report: 'استيراد', reportOf: (when) => `استيراد ${when}`, progress: 'التقدم', percent: (rows, percent) => `قُرئ ${rowsOf(rows)}، ${number(percent)}٪`,
  figures: {rowsRead: 'صفوف مقروءة', imported: 'جهات جديدة', updated: 'محدّثة', skipped: 'متروكة', failed: 'فاشلة'},
  skippedNote: 'أرقامها معروفة', cancelImport: 'ألغِ الاستيراد', cancelTitle: 'إلغاء هذا الاستيراد؟', cancelText: (rows) => `يبقى ما تم حتى الآن (${rowsOf(rows)}).`, keepGoing: 'تابع',
  failedRows: 'الصفوف الفاشلة', failedShown: (shown, of) => `أول ${number(shown)} من ${number(of)}`, download: (count) => `نزّل ${rowsOf(count)}`,
  downloadNote: 'صحّح الملف واستورده مرة أخرى: تُترك عندئذ أعمدته الثلاثة الأولى.', column: 'العمود', detail: 'ما الخطأ',
  toContacts: 'إلى جهات الاتصال', facts: {list: 'القائمة', conflict: 'الأرقام المعروفة', country: 'البلد', began: 'بدأ', ended: 'انتهى'}, none: 'لا شيء', failedTitle: 'انتهى الاستيراد قبل ملفه',
};
