import type { JobError } from '@vigie/contracts/jobs';
import type { Connection } from '@vigie/ssh/connection';
import { SshFailure } from '@vigie/ssh/failure';
import { runScript } from '@vigie/ssh/script';
import { type Host, SiteFailure } from '@vigie/wordpress/host';
import { errorOf } from '../error-of';

export const hostOf = (connection: Connection): Host => ({
  run: (script, options) => runScript(connection, script, options),
});

export type CommandOutput = { stdout: string; stderr: string };

/** A host that records the output of its last command in `last`, without the standard output of one that succeeded. */
export const recordOutput = (host: Host, last: CommandOutput, show: (text: string) => string): Host => ({
  run: async (script, options) => {
    Object.assign(last, { stdout: '', stderr: '' } satisfies CommandOutput);
    const result = await host.run(script, options);
    if (result.outcome !== 'succeeded') last.stdout = show(result.stdout.bytes.toString());
    last.stderr = show(result.stderr.bytes.toString());
    return result;
  },
});

/** The failure of a host or site as the error of a job; undefined for an internal error. */
export function failureOf(error: unknown): JobError | undefined {
  if (error instanceof SshFailure) return errorOf(error);
  if (error instanceof SiteFailure) return { message: error.message, remedy: error.remedy, code: error.code };
  return undefined;
}
