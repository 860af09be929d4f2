import { type FileStore, noRoom } from '@vigie/files/file-store';

/** The last tenth of a disk is what its other users need to go on. */
const keptShare = 0.1;

/** Throws where a file of that many bytes would not fit. */
export async function roomIn(store: Pick<FileStore, 'freeBytes'>, bytes: number): Promise<void> {
  if (bytes > (await store.freeBytes()) * (1 - keptShare)) throw noRoom();
}
