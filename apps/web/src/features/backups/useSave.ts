import { useState } from 'react';
import { reportFailure } from '../../kit/query/failures';
import { archivesApi } from './backups.api';
import { saveFailed } from './words';

type Part = { path: string; kind: 'file' | 'table' };

/** Lets the browser itself download from a link, so that it streams gigabytes to disk and can resume. */
export function useSave(siteId: string) {
  const [link] = archivesApi.useLinkBackupMutation();
  const [pendingPath, setPendingPath] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const save = async (filename: string, part?: Part): Promise<void> => {
    setPendingPath(part?.path ?? filename);
    setFailure(undefined);
    const { data, error } = await link({ id: siteId, filename, ...part });
    setPendingPath(undefined);
    if (!data) return setFailure(reportFailure(error, saveFailed));
    const anchor = document.createElement('a');
    anchor.href = data.url;
    anchor.download = '';
    anchor.click();
  };
  return { save: (filename: string, part?: Part) => void save(filename, part), pendingPath, failure };
}
