import {Page, PageHeader} from '../../design/page.tsx';
import {useTitle} from '../../shell/title.tsx';
import {useTexts} from '../../texts/index.tsx';

export default function HomePage() {
  const {home} = useTexts();
  useTitle(home.title);
  return <Page header={<PageHeader title={home.title} />}>{null}</Page>;
}
