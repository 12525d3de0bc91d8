import {Page, PageHeader} from '../../design/page.tsx';
import {useTitle} from '../../shell/title.tsx';
import {useTexts} from '../../texts/index.tsx';

export default function TagsPage() {
  const {shell} = useTexts();
  useTitle(shell.pages.tags);
  return <Page header={<PageHeader title={shell.pages.tags} />}>{null}</Page>;
}
