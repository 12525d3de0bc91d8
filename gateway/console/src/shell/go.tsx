import {useEffect} from 'react';
import {useRouter} from '@tanstack/react-router';

/** Goes to an address of the console in place of this one. */
export function Go({href}: {href: string}) {
  const router = useRouter();
  useEffect(() => void router.navigate({href, replace: true}), [router, href]);
  return null;
}
