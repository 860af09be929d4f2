import { useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useBrand } from '../ui/brand';

export function useDocumentTitle(): void {
  const { app_name: appName } = useBrand();
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  useEffect(() => {
    document.title = title === undefined ? appName : `${title} · ${appName}`;
  }, [title, appName]);
}
