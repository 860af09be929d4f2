import type { JobError } from '@vigie/contracts/jobs';
import type { Connection } from '@vigie/ssh/connection';
import { SshFailure } from '@vigie/ssh/failure';
import { runScript } from '@vigie/ssh/script';
import { type Host, SiteFailure } from '@vigie/wordpress/host';
import { errorOf } from '../error-of';

export const hostOf = (connection: Connection): Host => ({
  run: (script, options) => runScript(connection, script, options),
});

/** Why nothing is known of a site; undefined for what is a fault of ours. */
export function failureOf(error: unknown): JobError | undefined {
  if (error instanceof SshFailure) return errorOf(error);
  if (error instanceof SiteFailure) return { message: error.message, remedy: error.remedy, code: error.code };
  return undefined;
}
