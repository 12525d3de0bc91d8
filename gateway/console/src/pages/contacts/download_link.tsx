import {Button} from '../../design/button.tsx';

/** A file that the gateway makes while it is sent. Its answer is an attachment, so the page stays as it is. */
export function DownloadLink({href, isDisabled = false, children}: {href: string; isDisabled?: boolean; children: string}) {
  const download = () => {
    const link = document.createElement('a');
    link.href = href;
    link.download = '';
    link.click();
  };
  return <Button icon="download" isDisabled={isDisabled} onPress={download}>{children}</Button>;
}
