import {Page, PageHeader} from '../../design/page.tsx';
import {useTexts} from '../../texts/index.tsx';

export default function ProfilePage() {
  const {shell} = useTexts();
  return <Page header={<PageHeader title={shell.pages.profile} />}>{null}</Page>;
}
