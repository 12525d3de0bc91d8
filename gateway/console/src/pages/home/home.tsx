import {Page, PageHeader} from '../../design/page.tsx';
import {useTexts} from '../../texts/index.tsx';

export default function HomePage() {
  const {home} = useTexts();
  return <Page header={<PageHeader title={home.title} />}>{null}</Page>;
}
