import { restoreWord } from '@vigie/contracts/restores';
import { useState } from 'react';
import { reportFailure } from '../../kit/query/failures';
import { backupCommandsApi } from './backups.api';
import type { Archive, RestoreOptions } from './restore-request';
import { locationParams, restoreFailed } from './words';

/** Starts a restore and returns the id of its job, or undefined when it was refused. */
export function useRestore(siteId: string) {
  const [send, { isLoading }] = backupCommandsApi.useRestoreBackupMutation();
  const [failure, setFailure] = useState<string>();
  const restore = async ({ filename, location }: Archive, options: RestoreOptions): Promise<string | undefined> => {
    setFailure(undefined);
    const form = {
      id: siteId,
      filename,
      location: locationParams[location],
      confirm: restoreWord,
      ...options,
    } as const;
    const { data, error } = await send(form);
    if (!data) {
      setFailure(reportFailure(error, restoreFailed));
      return undefined;
    }
    return data.job_id;
  };
  return { restore, failure, isSending: isLoading };
}
