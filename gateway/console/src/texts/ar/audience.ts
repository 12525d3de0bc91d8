import type {AudienceTexts} from '../en/audience.ts';
import {words} from '../format.ts';

const {plural, number} = words('ar');
const contactsOf = (count: number) => plural(count, {
  zero: 'لا جهات اتصال', one: 'جهة اتصال واحدة', two: 'جهتا اتصال', few: '# جهات اتصال', many: '# جهة اتصال', other: '# جهة اتصال',
});

export const audience: AudienceTexts = {
  cancel: 'إلغاء', close: 'إغلاق', save: 'حفظ', edit: 'تعديل', rename: 'إعادة تسمية', delete: 'حذف', loading: 'يجري التحميل', showMore: 'اعرض المزيد',
  search: 'بحث', clearSearch: 'امسح البحث', optional: 'اختياري', saved: 'حُفظ', noMatch: 'لا شيء بهذا الاسم',
  columns: {name: 'الاسم', contacts: 'جهات الاتصال', campaigns: 'الحملات المرسلة', tags: 'الوسوم', created: 'أُنشئت', actions: 'الإجراءات', description: 'الوصف'},
  name: 'الاسم', description: 'الوصف',
  uses: {
    looking: 'يجري البحث عن مواضع استعماله',
    campaigns: {list: 'حملات مفتوحة لن تصل به إلى أحد بعد ذلك:', tag: 'حملات مفتوحة تحمل هذا الوسم:', segment: 'حملات مفتوحة لن تصل به إلى أحد بعد ذلك:'},
    noCampaigns: 'غير مستعمل في أي حملة مفتوحة.', campaignsUnknown: 'لا يُعرف الآن أي الحملات تتأثر.', excluded: 'حملات مفتوحة تستثني جهات الاتصال هذه، ثم لا تستثنيها:',
    segments: 'شرائح يرد في شروطها، فيتغيّر من يستوفيها:', segmentsUnknown: 'لا يُعرف الآن أي الشرائح تتأثر.',
    more: (count) => `و${number(count)} أخرى`,
    statuses: {Draft: 'مسودة', Scheduled: 'مجدولة', Running: 'جارية', Paused: 'متوقفة', Cancelled: 'ملغاة', Finished: 'منتهية'},
  },
  lists: {
    title: 'القوائم', text: 'جهات اتصال تجمعها بنفسك لتصلها الحملات.', create: 'قائمة جديدة', createAction: 'أنشئ القائمة', edit: 'تعديل القائمة',
    empty: 'لا قوائم بعد', emptyText: 'تجمع القائمة جهات الاتصال التي ينتمي بعضها إلى بعض، مثل زبائن متجر واحد. وتُرسل الحملات إلى القوائم والشرائح.',
    deleteTitle: (name) => `حذف القائمة ${name}؟`,
    deleteText: (count) => count === 0 ? 'ليس فيها جهات اتصال.' : `تبقى جهات اتصالها (${contactsOf(count)}) ولا تعود فيها.`,
    deleteAction: 'حذف قائمة واحدة', deleted: 'حُذفت القائمة', created: 'أُنشئت القائمة',
  },
  tags: {
    title: 'الوسوم', text: 'كلمات توسم بها جهات الاتصال والقوائم والمحادثات.', create: 'وسم جديد', createAction: 'أنشئ الوسم', edit: 'إعادة تسمية الوسم', label: 'نص الوسم',
    empty: 'لا وسوم بعد', emptyText: 'الوسم كلمة تجد بها جهات الاتصال. ويمكنك إضافة الوسوم في أثناء الاستيراد أو الرد.',
    known: 'يوجد وسم بهذا النص.',
    deleteTitle: (name) => `حذف الوسم ${name}؟`,
    deleteText: (count) => count === 0 ? 'لا تحمله أي جهة اتصال. والقوائم والمحادثات التي تحمله تبقى من دونه.' : `تحمله ${contactsOf(count)}، وتبقى من دونه، وكذلك القوائم والمحادثات.`,
    deleteUnknown: 'يبقى كل ما يحمله من دونه.',
    deleteAction: 'حذف وسم واحد', deleted: 'حُذف الوسم', created: 'أُنشئ الوسم', show: 'اعرض جهات اتصاله',
  },
  segments: {
    title: 'الشرائح', text: 'شروط تستوفيها جهات الاتصال أو لا تستوفيها. ويُحدَّد ذلك كلما استُعملت الشريحة.',
    create: 'شريحة جديدة', empty: 'لا شرائح بعد', emptyText: 'مثلًا: من اشترى في آخر 30 يومًا ولم يرد على الحملة الأخيرة.',
    show: 'اعرض جهات اتصالها', saveAction: 'احفظ الشريحة', saveChanges: 'احفظ التغييرات', saved: 'حُفظت الشريحة', deleted: 'حُذفت الشريحة',
    known: 'توجد شريحة بهذا الاسم.',
    deleteTitle: (name) => `حذف الشريحة ${name}؟`, deleteText: 'تبقى جهات اتصالها.', deleteAction: 'حذف شريحة واحدة',
    count: contactsOf, counting: 'يجري العدّ', countUnknown: 'العدد غير معروف', unfinished: 'أكمل الشروط لترى كم جهة اتصال تستوفيها.',
    conditions: 'الشروط', all: 'كل ما يلي', any: 'واحدًا مما يلي على الأقل', fulfil: 'جهات الاتصال تستوفي', not: 'ليس', negate: 'اعكس الشرط',
    addCondition: 'شرط', addGroup: 'مجموعة', remove: 'أزل الشرط', removeGroup: 'أزل المجموعة',
    type: 'ماذا', attribute: 'السمة', ofContacts: 'عن جهة الاتصال', didThings: 'ما فعلته',
    types: {
      text: 'سمة: نص', number: 'سمة: رقم', date: 'سمة: تاريخ', yesNo: 'سمة: نعم أو لا', present: 'السمة موجودة',
      tag: 'وسم', list: 'قائمة', status: 'الحالة', lastInbound: 'راسلتنا', lastCampaign: 'تلقّت حملة', campaign: 'تفاعلت مع حملة',
    },
    compare: 'المقارنة', operators: {is: 'هي إحدى', contains: 'تحتوي إحدى', startsWith: 'تبدأ بإحدى'},
    values: 'القيم', valueAdd: 'أضف قيمة', from: 'من', to: 'إلى', moreThan: 'أكثر من', atLeast: 'على الأقل', lessThan: 'أقل من', atMost: 'على الأكثر',
    yes: 'نعم', no: 'لا', statuses: 'الحالات', when: 'متى', days: 'الأيام',
    modes: {
      any: 'في أي وقت', last: 'في آخر … يومًا', before: 'قبل أكثر من … يومًا', next: 'في الأيام … القادمة', between: 'من … إلى …', relative: 'من … إلى … يومًا من اليوم',
    },
    did: {received: 'تلقّت', read: 'قرأت', clicked: 'نقرت رابطًا في', replied: 'ردّت على'}, campaigns: 'الحملات', campaignsEmpty: 'لا حملة بهذا الاسم',
    faults: {
      attribute: 'أي سمة؟', values: 'لا بد من واحدة على الأقل.', number: 'لا بد من رقم على الأقل.', days: 'لا بد من الأيام.', empty: 'لا بد من شرط على الأقل.',
      'too deep': 'خمسة مستويات من المجموعات على الأكثر.', 'too many': '50 شرطًا على الأكثر.', 'too many values': '500 قيمة على الأكثر.', 'too many texts': '20 نصًا للاحتواء أو البداية على الأكثر.',
    },
    typesOf: (text, num, date, yesNo) =>
      [[text, 'نص'], [num, 'رقم'], [date, 'تاريخ'], [yesNo, 'نعم أو لا']].filter(([count]) => count !== 0).map(([count, name]) => `${number(count as number)} ${name}`).join('، '),
  },
};
