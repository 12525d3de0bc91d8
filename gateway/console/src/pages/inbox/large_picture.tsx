import {Dialog} from '../../design/dialog.tsx';
import {Link} from '../../design/link.tsx';
import {useTexts} from '../../texts/index.tsx';
import s from './inbox.module.css';

/** A picture as large as there is room. */
export function LargePicture({src, alt, onClose}: {src: string; alt: string; onClose: () => void}) {
  const {inbox} = useTexts();
  return (
    <Dialog isOpen onOpenChange={(isOpen) => isOpen || onClose()} title={inbox.picture} close={inbox.closePicture} size="l"
            actions={<Link href={src} target="_blank">{inbox.download}</Link>}>
      <img className={s.large} src={src} alt={alt} />
    </Dialog>
  );
}
