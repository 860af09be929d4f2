import { useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useJobs } from '../features/jobs/useJobs';
import { useBrand } from '../ui/brand';

export function useDocumentTitle(): void {
  const { app_name: appName } = useBrand();
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  const open = useJobs().open.length;
  useEffect(() => {
    const name = title === undefined ? appName : `${title} · ${appName}`;
    document.title = open === 0 ? name : `(${open}) ⏳ ${name}`;
  }, [title, appName, open]);
}
