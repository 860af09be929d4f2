import { sentenceOf } from '../../kit/query/failures';
import { archivesApi } from './backups.api';

type Part = { path: string; kind: 'file' | 'table' };

/** Lets the browser itself download from a link, so that it streams gigabytes to disk and can resume. */
export function useSave(siteId: string) {
  const [link, { isLoading, originalArgs, error }] = archivesApi.useLinkBackupMutation();
  const save = async (filename: string, part?: Part): Promise<void> => {
    const { data } = await link({ id: siteId, filename, ...part });
    if (!data) return;
    const anchor = document.createElement('a');
    anchor.href = data.url;
    anchor.download = '';
    anchor.click();
  };
  return {
    save: (filename: string, part?: Part) => void save(filename, part),
    pendingPath: isLoading ? (originalArgs?.path ?? originalArgs?.filename) : undefined,
    failure: sentenceOf(error),
  };
}
