import {Page, PageHeader} from '../../design/page.tsx';
import {useTitle} from '../../shell/title.tsx';
import {useTexts} from '../../texts/index.tsx';

export default function ImportPage() {
  const {shell} = useTexts();
  useTitle(shell.pages.import);
  return <Page header={<PageHeader title={shell.pages.import} />}>{null}</Page>;
}
