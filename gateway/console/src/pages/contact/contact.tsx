import {Page, PageHeader} from '../../design/page.tsx';
import {useTitle} from '../../shell/title.tsx';
import {useTexts} from '../../texts/index.tsx';

export default function ContactPage() {
  const {contacts} = useTexts();
  useTitle(contacts.title);
  return <Page header={<PageHeader title={contacts.title} />}>{null}</Page>;
}
