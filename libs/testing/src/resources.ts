import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { WebSocket } from 'ws';
import type { TestProcess } from './processes';

/** What a process needs of the machine: memory in megabytes, open files, and those of them that are connections. */
export type HeldResources = { megabytes: number; descriptors: number; connections: number };

/** A process that is started with these says to this machine what it has in memory. */
export const inspected = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/** One that was stopped says nothing, and is asked again another time. */
const patienceMs = 4_000;

type Looked = Pick<TestProcess, 'pid' | 'output'>;

/** Undefined where it is over, or says nothing. */
export async function resourcesOf(process: Looked): Promise<HeldResources | undefined> {
  const megabytes = await neededMegabytes(process);
  const files = openFiles(process.pid);
  return megabytes === undefined || !files ? undefined : { megabytes, ...files };
}

/** Garbage, which is kept for as long as there is room, is collected before. */
async function neededMegabytes({ output }: Looked): Promise<number | undefined> {
  const [, address] = /Debugger listening on (ws:\S+)/.exec(output) ?? [];
  if (address === undefined) return undefined;
  const socket = new WebSocket(address, { handshakeTimeout: patienceMs }).on('error', () => undefined);
  try {
    const signal = AbortSignal.timeout(patienceMs);
    await once(socket, 'open', { signal });
    await ask(socket, signal, 'HeapProfiler.collectGarbage');
    const bytes = await ask(socket, signal, 'Runtime.evaluate', {
      expression: '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())',
    });
    return typeof bytes === 'number' ? bytes / 1_048_576 : undefined;
  } catch {
    return undefined;
  } finally {
    // Not before it is closed: a process waits at its end for whoever looks into it.
    socket.terminate();
  }
}

/** One question at a time. */
async function ask(socket: WebSocket, signal: AbortSignal, method: string, params = {}): Promise<unknown> {
  const answered = once(socket, 'message', { signal });
  socket.send(JSON.stringify({ id: 1, method, params }));
  const [text] = await answered;
  return JSON.parse(String(text)).result?.result?.value;
}

/** How many files a process has open, and how many of them are sockets; undefined where it ended. */
function openFiles(pid: number): { descriptors: number; connections: number } | undefined {
  try {
    const links = readdirSync(`/proc/${pid}/fd`).map((name) => linkOf(`/proc/${pid}/fd/${name}`));
    return { descriptors: links.length, connections: links.filter((link) => link.startsWith('socket:')).length };
  } catch {
    return undefined;
  }
}

/** It may be closed by now. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
