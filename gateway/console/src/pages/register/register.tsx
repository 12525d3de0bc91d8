import {Gate, Mark} from '../../design/shell.tsx';
import {useTexts} from '../../texts/index.tsx';

export default function RegisterPage() {
  const {access, shell} = useTexts();
  return <Gate brand={<><Mark size={32} />{shell.name}</>} title={access.signIn}>{null}</Gate>;
}
