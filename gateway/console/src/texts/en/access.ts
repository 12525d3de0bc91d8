export const access = {
  signIn: 'Sign in',
  email: 'E-mail address',
  password: 'Password',
  showPassword: 'Show the password',
  hidePassword: 'Hide the password',
};
export type AccessTexts = typeof access;
