// tests/console/units/css.test.mjs finds names that a stylesheet lacks, and names that nobody uses.
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}
declare module '*.css';
