import { useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { archivesApi } from './backups.api';
import { saveFailed } from './words';

type Part = { path: string; kind: 'file' | 'table' };

/** Through an address that the browser opens itself: it saves gigabytes as they come, and goes on where it was cut. */
export function useSave(site: string) {
  const [link] = archivesApi.useLinkBackupMutation();
  const [asking, setAsking] = useState<string>();
  const save = async (filename: string, part?: Part): Promise<void> => {
    setAsking(part?.path ?? filename);
    const { data, error } = await link({ site, filename, part });
    setAsking(undefined);
    if (!data) return void tellFailure(error, saveFailed);
    const way = document.createElement('a');
    way.href = data.url;
    way.download = '';
    way.click();
  };
  return { save: (filename: string, part?: Part) => void save(filename, part), asking };
}
