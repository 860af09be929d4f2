import { useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { appName } from '../ui/brand';

export function useDocumentTitle(): void {
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  useEffect(() => {
    document.title = title === undefined ? appName : `${title} · ${appName}`;
  }, [title]);
}
