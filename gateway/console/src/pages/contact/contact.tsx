import {Page, PageHeader} from '../../design/page.tsx';
import {useTexts} from '../../texts/index.tsx';

export default function ContactPage() {
  const {contacts} = useTexts();
  return <Page header={<PageHeader title={contacts.title} />}>{null}</Page>;
}
