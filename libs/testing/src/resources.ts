import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { WebSocket } from 'ws';
import type { TestProcess } from './processes';

/** Resources of a process: memory in megabytes, open files, and how many of these are sockets. */
export type ProcessResources = { megabytes: number; descriptors: number; connections: number };

/** Environment of a process whose memory can be read through its inspector. */
export const inspectorEnv = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/** A stopped process does not answer and is measured another time. */
const maxWaitMs = 4_000;

type MeasuredProcess = Pick<TestProcess, 'pid' | 'output'>;

/** Undefined when the process has ended or does not answer. */
export async function resourcesOf(process: MeasuredProcess): Promise<ProcessResources | undefined> {
  const megabytes = await usedMegabytes(process);
  const files = openFiles(process.pid);
  return megabytes === undefined || !files ? undefined : { megabytes, ...files };
}

/** Collects garbage first, which Node keeps while there is room. */
async function usedMegabytes({ output }: MeasuredProcess): Promise<number | undefined> {
  const [, address] = /Debugger listening on (ws:\S+)/.exec(output) ?? [];
  if (address === undefined) return undefined;
  const socket = new WebSocket(address, { handshakeTimeout: maxWaitMs }).on('error', () => undefined);
  try {
    const signal = AbortSignal.timeout(maxWaitMs);
    await once(socket, 'open', { signal });
    await sendCommand(socket, signal, 'HeapProfiler.collectGarbage');
    const bytes = await sendCommand(socket, signal, 'Runtime.evaluate', {
      expression: '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())',
    });
    return typeof bytes === 'number' ? bytes / 1_048_576 : undefined;
  } catch {
    return undefined;
  } finally {
    // Close the inspector in any case, because a process waits for its clients before it exits.
    socket.terminate();
  }
}

/** Sends one inspector request and returns its value; one at a time. */
async function sendCommand(socket: WebSocket, signal: AbortSignal, method: string, params = {}): Promise<unknown> {
  const answer = once(socket, 'message', { signal });
  socket.send(JSON.stringify({ id: 1, method, params }));
  const [text] = await answer;
  return JSON.parse(String(text)).result?.result?.value;
}

/** Counts a process's open files and sockets; undefined when it has ended. */
function openFiles(pid: number): { descriptors: number; connections: number } | undefined {
  try {
    const links = readdirSync(`/proc/${pid}/fd`).map((name) => linkOf(`/proc/${pid}/fd/${name}`));
    return { descriptors: links.length, connections: links.filter((link) => link.startsWith('socket:')).length };
  } catch {
    return undefined;
  }
}

/** Target of a link, or an empty text when the file was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
