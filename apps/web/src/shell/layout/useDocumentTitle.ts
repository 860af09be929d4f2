import { useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useJobs } from '../../kit/job/useJobs';
import { useBrand } from '../../ui/brand';
import { useSignal } from '../../ui/signal';
import { pageTitle } from '../../ui/pageTitle';

export function useDocumentTitle(): void {
  const { app_name: appName } = useBrand();
  const pageName = useSignal(pageTitle);
  const route = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  const title = pageName ?? route;
  const open = useJobs().open.length;
  useEffect(() => {
    const name = title === undefined ? appName : `${title} · ${appName}`;
    document.title = open === 0 ? name : `(${open}) ⏳ ${name}`;
  }, [title, appName, open]);
}
