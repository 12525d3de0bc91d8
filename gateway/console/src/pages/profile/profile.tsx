import {Page, PageHeader} from '../../design/page.tsx';
import {useTitle} from '../../shell/title.tsx';
import {useTexts} from '../../texts/index.tsx';

export default function ProfilePage() {
  const {shell} = useTexts();
  useTitle(shell.pages.profile);
  return <Page header={<PageHeader title={shell.pages.profile} />}>{null}</Page>;
}
