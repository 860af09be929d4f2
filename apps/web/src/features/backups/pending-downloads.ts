import { z } from 'zod';
import { createSignal } from '../../ui/signal';

const storageKey = 'downloads';
const Downloads = z.array(z.object({ jobId: z.string(), siteId: z.string(), filename: z.string() }));
export type PendingDownload = z.infer<typeof Downloads>[number];

function readDownloads(): PendingDownload[] {
  try {
    return Downloads.parse(JSON.parse(sessionStorage.getItem(storageKey) ?? '[]'));
  } catch {
    return [];
  }
}

/** The archives that this tab downloads once the host's copy is in Vigie. Session storage survives a reload. */
export const pendingDownloads = createSignal<readonly PendingDownload[]>(readDownloads());

function store(downloads: readonly PendingDownload[]): void {
  pendingDownloads.set(downloads);
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(downloads));
  } catch {
    // Without storage, a reload forgets the download, and the archive stays in Vigie.
  }
}

export function addDownload(download: PendingDownload): void {
  removeDownload(download.jobId);
  store([...pendingDownloads.get(), download]);
}

export const removeDownload = (jobId: string): void =>
  store(pendingDownloads.get().filter((download) => download.jobId !== jobId));
