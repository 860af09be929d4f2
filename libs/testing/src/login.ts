import { connect } from '@vigie/ssh/connection';
import type { ExecResult } from '@vigie/ssh/exec';
import { runScript, type ScriptOptions } from '@vigie/ssh/script';
import { targetOf } from './ssh-targets';
import type { SshHost } from './sshd';

/** Logs in and returns a host for the wordpress lib. */
export async function logInAsHost(host: Pick<SshHost, 'port' | 'privateKey'>, user = 'sh') {
  const connection = await connect(targetOf(host, { user }));
  return {
    run: (script: string, options: ScriptOptions): Promise<ExecResult> => runScript(connection, script, options),
    close: () => connection.close(),
  };
}
