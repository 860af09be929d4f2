import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { diagnoseServer, lookAtServer } from '@vigie/contracts/servers';
import { Handles } from '@vigie/service-kit/handles';
import { dial } from '@vigie/ssh/dial';
import { SshFailure } from '@vigie/ssh/failure';
import { runScript } from '@vigie/ssh/script';
import { Connections, ruleOf } from '../connections';
import { diagnose, refusalOf } from './diagnosis';
import uptime from './uptime.sh';

type Look = Output<typeof lookAtServer>;

const lookMs = 20_000;
const portMs = 8_000;
/** The number of a few digits, and whatever the login prints before it. */
const uptimeOptions = { keep: { stdout: 1_024, stderr: 1_024 }, mostBytes: 1_048_576, limits: { totalMs: 10_000 } };
/** Nobody was reached; any other failure is that of somebody who answered. */
const unreached = ['unresolved', 'forbidden', 'unreachable', 'refused'];

@Controller()
export class ServersController {
  constructor(private readonly connections: Connections) {}

  @Handles(diagnoseServer)
  async diagnose(access: Input<typeof diagnoseServer>): Promise<Output<typeof diagnoseServer>> {
    const target = await this.connections.targetOf(access);
    const { steps, hostKey, stdout, stderr, failure } = await diagnose(target);
    // What the pool holds against this host is over when a person's own attempt has succeeded.
    if (!failure) this.connections.forget(access.row.id);
    return {
      steps,
      host_key: failure ? null : hostKey,
      method: 'password' in target.auth ? 'password' : 'key',
      stdout,
      stderr,
      failure: failure ? refusalOf(failure) : null,
    };
  }

  @Handles(lookAtServer)
  async look({ tcp_only: isPortOnly, ...access }: Input<typeof lookAtServer>): Promise<Look> {
    if (isPortOnly) return lookAtPort(access);
    try {
      const work = async (connection: Parameters<typeof runScript>[0]) => ({
        hostKey: connection.hostKey,
        result: await runScript(connection, uptime, uptimeOptions),
      });
      const { hostKey, result } = await this.connections.use(access, { signal: AbortSignal.timeout(lookMs), work });
      return {
        online: true,
        uptime_seconds: secondsOf(result.stdout.bytes),
        host_key: hostKey,
        method: 'ssh',
        failure: null,
      };
    } catch (error) {
      return refused(error);
    }
  }
}

async function lookAtPort(access: Input<typeof diagnoseServer>): Promise<Look> {
  try {
    const { host, port } = access;
    const { socket } = await dial(
      { host, port, mayConnect: ruleOf(access) },
      { ms: portMs, signal: AbortSignal.timeout(portMs) },
    );
    socket.destroy();
    return { ...nothing, online: true, method: 'tcp' };
  } catch (error) {
    return refused(error);
  }
}

const nothing = { uptime_seconds: null, host_key: null, failure: null };

function refused(failure: unknown): Look {
  if (!(failure instanceof SshFailure)) throw failure;
  const { reason } = failure;
  // Nothing was learnt: it only took too long for whoever asks.
  if (reason.kind === 'cancelled')
    throw new AppError('remote_too_slow', 'Le serveur n’a pas répondu à temps.', { cause: failure });
  const isAway =
    unreached.includes(reason.kind) || (reason.kind === 'timed-out' && ['resolve', 'connect'].includes(reason.phase));
  return { ...nothing, online: !isAway, method: isAway ? null : 'tcp', failure: refusalOf(failure) };
}

/** As /proc/uptime begins; a hundred years are a lie. */
function secondsOf(output: Buffer): number | null {
  const seconds = Math.floor(Number(/^\d{1,10}(?:\.\d+)?/.exec(output.toString())?.[0] ?? Number.NaN));
  return Number.isFinite(seconds) && seconds < 3_200_000_000 ? seconds : null;
}
