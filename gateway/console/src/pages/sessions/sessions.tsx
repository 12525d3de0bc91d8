import {Page, PageHeader} from '../../design/page.tsx';
import {useTitle} from '../../shell/title.tsx';
import {useTexts} from '../../texts/index.tsx';

export default function SessionsPage() {
  const {shell} = useTexts();
  useTitle(shell.pages.sessions);
  return <Page header={<PageHeader title={shell.pages.sessions} />}>{null}</Page>;
}
