import {Page, PageHeader} from '../../design/page.tsx';
import {useTexts} from '../../texts/index.tsx';

export default function InboxPage() {
  const {inbox} = useTexts();
  return <Page header={<PageHeader title={inbox.title} />}>{null}</Page>;
}
