import { backupCodes } from './backups';
import { changeCodes } from './change-codes';
import { AppError, type ErrorCode } from './errors';
import type { JobError } from './jobs';

/** How a line of a log ends that says why an attempt failed. What stands before may name the host. */
export const willRetry = 'Nouvel essai dans un instant.';

/** Maps a job's error to the error that a synchronous call would have thrown. */
export const appErrorOfJob = (error: JobError) => new AppError(codes[error.code ?? ''] ?? 'remote_failed', error);

const codes: Readonly<Record<string, ErrorCode>> = {
  not_found: 'not_found',
  conflict: 'conflict',
  host_key_changed: 'conflict',
  timed_out: 'remote_too_slow',
  forbidden: 'invalid',
  [changeCodes.licence]: 'conflict',
  [changeCodes.copyGone]: 'conflict',
  [changeCodes.noRoom]: 'conflict',
  [changeCodes.busy]: 'conflict',
  [changeCodes.forbidden]: 'conflict',
  [changeCodes.nothingToDo]: 'conflict',
  [backupCodes.exists]: 'conflict',
  [backupCodes.damaged]: 'invalid',
};
