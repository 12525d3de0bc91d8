import {Page, PageHeader} from '../../design/page.tsx';
import {useTexts} from '../../texts/index.tsx';

export default function SessionsPage() {
  const {shell} = useTexts();
  return <Page header={<PageHeader title={shell.pages.sessions} />}>{null}</Page>;
}
