import type {AccessTexts} from '../en/access.ts';

export const access: AccessTexts = {
  signIn: 'Anmelden',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  showPassword: 'Passwort zeigen',
  hidePassword: 'Passwort verbergen',
};
