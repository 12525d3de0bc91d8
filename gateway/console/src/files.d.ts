// What bundle.mjs makes of files that are imported.
declare module '*.module.css' {
  const names: Readonly<Record<string, string>>;
  export default names;
}
declare module '*.css';

// An icon: import Plus from 'heroicons/24/outline/plus.svg'
declare module 'heroicons/*.svg' {
  const Icon: (properties: import('react').SVGProps<SVGSVGElement>) => import('react').ReactElement;
  export default Icon;
}

// Any other picture: its address.
declare module '*.svg' {
  const address: string;
  export default address;
}
declare module '*.png' {
  const address: string;
  export default address;
}
declare module '*.webp' {
  const address: string;
  export default address;
}
