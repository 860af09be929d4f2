import { connect } from '@vigie/ssh/connection';
import type { ExecResult } from '@vigie/ssh/exec';
import { runScript, type ScriptOptions } from '@vigie/ssh/script';
import type { SshHost } from './sshd';

/** A host as the lib that reads sites wants it, by a real login. */
export async function logIn({ port, privateKey }: Pick<SshHost, 'port' | 'privateKey'>, user = 'sh') {
  const target = { host: '127.0.0.1', port, user, auth: { privateKey }, hostKey: null, mayConnect: () => true };
  const connection = await connect(target);
  return {
    run: (script: string, options: ScriptOptions): Promise<ExecResult> => runScript(connection, script, options),
    close: () => connection.close(),
  };
}
