// What bundle.mjs makes of files that are imported.
declare module '*.module.css' {
  const names: Readonly<Record<string, string>>;
  export default names;
}
declare module '*.css';

// An icon: its path.
declare module 'heroicons/*.svg' {
  const path: string;
  export default path;
}
