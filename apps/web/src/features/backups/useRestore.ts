import { useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { backupCommandsApi } from './backups.api';
import type { Archive, Wanted } from './restoring';
import { places, restoreFailed } from './words';

/** Starts a restore and returns the id of its job, or undefined when it was refused. */
export function useRestore(site: string) {
  const [send, { isLoading }] = backupCommandsApi.useRestoreBackupMutation();
  const { keyFor, renewKey } = useIdempotencyKey();
  const [failure, setFailure] = useState<string>();
  const restore = async ({ filename, location }: Archive, wanted: Wanted): Promise<string | undefined> => {
    setFailure(undefined);
    const form = { site, filename, location: places[location], ...wanted };
    const { data, error } = await send({ ...form, idempotencyKey: keyFor(form) });
    if (!data) {
      setFailure(tellFailure(error, restoreFailed));
      return undefined;
    }
    renewKey();
    return data.job_id;
  };
  return { restore, failure, isSending: isLoading };
}
