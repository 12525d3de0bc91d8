import {Page, PageHeader} from '../../design/page.tsx';
import {useTitle} from '../../shell/title.tsx';
import {useTexts} from '../../texts/index.tsx';

export default function InboxPage() {
  const {inbox} = useTexts();
  useTitle(inbox.title);
  return <Page header={<PageHeader title={inbox.title} />}>{null}</Page>;
}
