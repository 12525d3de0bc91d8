import {Page, PageHeader} from '../../design/page.tsx';
import {useTitle} from '../../shell/title.tsx';
import {useTexts} from '../../texts/index.tsx';

export default function ImportReportPage() {
  const {shell} = useTexts();
  useTitle(shell.pages.imports);
  return <Page header={<PageHeader title={shell.pages.imports} />}>{null}</Page>;
}
