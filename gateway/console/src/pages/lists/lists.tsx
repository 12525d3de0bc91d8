import {Page, PageHeader} from '../../design/page.tsx';
import {useTitle} from '../../shell/title.tsx';
import {useTexts} from '../../texts/index.tsx';

export default function ListsPage() {
  const {shell} = useTexts();
  useTitle(shell.pages.lists);
  return <Page header={<PageHeader title={shell.pages.lists} />}>{null}</Page>;
}
