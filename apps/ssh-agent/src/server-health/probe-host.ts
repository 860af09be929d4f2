import type { HostProbe, ProbeAccess } from '@vigie/contracts/server-health';
import type { Connection } from '@vigie/ssh/connection';
import { dial } from '@vigie/ssh/dial';
import { SshFailure } from '@vigie/ssh/failure';
import { runScript } from '@vigie/ssh/script';
import { type Connections, ruleOf } from '../connections';
import { readVitals } from './read-vitals';
import { probeFromFailure } from './probe-from-failure';
import vitals from './vitals.sh';

const hostMs = 20_000;
const portMs = 8_000;
/** Enough for a screen of numbers, and for what the login prints before it. */
const bounds = { keep: { stdout: 65_536, stderr: 1_024 }, maxBytes: 1_048_576, limits: { totalMs: 10_000 } };

/** Probes a host over SSH, or its port alone. Undefined if that says nothing about the host. */
export async function probeHost(connections: Connections, access: ProbeAccess): Promise<HostProbe | undefined> {
  const emptyProbe = { host_key: null, vitals: null, failure: null };
  try {
    if (!access.tcp_only)
      return { ...emptyProbe, ...(await readVitalsOf(connections, access)), online: true, method: 'ssh' };
    await connectTcp(access);
    return { ...emptyProbe, online: true, method: 'tcp' };
  } catch (error) {
    if (!(error instanceof SshFailure)) throw error;
    return probeFromFailure(error);
  }
}

function readVitalsOf(connections: Connections, access: ProbeAccess): Promise<Pick<HostProbe, 'host_key' | 'vitals'>> {
  const work = async (connection: Connection) => {
    const startedAt = Date.now();
    const { stdout } = await runScript(connection, vitals, { ...bounds, name: 'vitals.sh' });
    const now = (startedAt + Date.now()) / 2;
    return { host_key: connection.hostKey, vitals: readVitals(stdout.bytes.toString(), now) };
  };
  return connections.use(access, { signal: AbortSignal.timeout(hostMs), work });
}

async function connectTcp(access: ProbeAccess): Promise<void> {
  const { host, port } = access;
  const address = { host, port, mayConnect: ruleOf(access) };
  const { socket } = await dial(address, { ms: portMs, signal: AbortSignal.timeout(portMs) });
  socket.destroy();
}
