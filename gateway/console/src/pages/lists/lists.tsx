import {Page, PageHeader} from '../../design/page.tsx';
import {useTexts} from '../../texts/index.tsx';

export default function ListsPage() {
  const {shell} = useTexts();
  return <Page header={<PageHeader title={shell.pages.lists} />}>{null}</Page>;
}
