import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Caller } from '@vigie/contracts/contract';
import { until } from '@vigie/testing/until';
import { Redis } from 'ioredis';
import { pidFile } from '../start/child';
import type { Random } from './random';
import type { Stage } from './stage';

/** Longer than a lease, so that a process must not continue its jobs when it wakes up. */
const frozenMs = 36_000;

/** Requirements of some faults: clocks that can be changed, disks that can be filled. */
export type Need = 'clocks' | 'disks';

/** A fault; `strike` resolves once it is over and stopped processes are running again. */
export type Fault = { name: string; needs?: Need; strike: (stage: Stage, random: Random) => Promise<void> };

export const kill = (app: Caller, signal: 'SIGKILL' | 'SIGTERM'): Fault => ({
  name: `${signal} ${app}`,
  strike: async (stage, random) => {
    await stage.stopProcess(random.one(stage.killable(app)), signal);
    await wait(random.between(200, 2_500));
    await stage.product.add(app);
  },
});

export const freeze = (app: Caller): Fault => ({
  name: `SIGSTOP ${app}, ${frozenMs / 1_000} s`,
  strike: async ({ product }, random) => {
    const { process: frozen } = random.one(product.processes.filter((entry) => entry.app === app));
    await frozen.kill('SIGSTOP');
    await wait(frozenMs);
    await frozen.kill('SIGCONT');
  },
});

/** Kills a server, which its starter restarts. */
export const restart = (name: 'nats' | 'postgresql' | 'redis', signal: NodeJS.Signals): Fault => ({
  name: `${signal} ${name}`,
  strike: async ({ folder }) => {
    const file = pidFile(join(folder, 'servers'), name);
    // The server may still be starting after the previous kill.
    await until(() => existsSync(file));
    const { pid }: { pid: number } = JSON.parse(readFileSync(file, 'utf8'));
    process.kill(pid, signal);
    await until(() => !existsSync(file));
    await until(() => existsSync(file));
  },
});

export const flush: Fault = {
  name: 'FLUSHALL',
  strike: async ({ servers }) => {
    const redis = new Redis(servers.redisUrl, { maxRetriesPerRequest: 1 });
    redis.on('error', () => undefined);
    await redis.flushall().catch(() => undefined);
    redis.disconnect();
  },
};

const cutConnections: Fault = {
  name: 'connexions SSH coupées',
  strike: async ({ hosts }, random) => {
    for (const { proxy } of hosts) proxy.cutAfter(Math.floor(random.between(0, 4_000)));
  },
};

const cutSessions: Fault = {
  name: 'sessions sshd tuées',
  strike: async ({ hosts }, random) => random.one(hosts).sshd.cutSessions(),
};

/** Long faults begin early and overlap with the others. */
export const longFaults: readonly Fault[] = [freeze('ssh-agent'), freeze('sites-svc')];

export const shortFaults: readonly Fault[] = [
  kill('ssh-agent', 'SIGKILL'),
  cutConnections,
  kill('sites-svc', 'SIGKILL'),
  flush,
  kill('ssh-agent', 'SIGTERM'),
  restart('nats', 'SIGKILL'),
  cutSessions,
  kill('ssh-agent', 'SIGKILL'),
  restart('postgresql', 'SIGINT'),
  kill('gateway', 'SIGKILL'),
  kill('sites-svc', 'SIGTERM'),
  restart('redis', 'SIGKILL'),
  kill('auth-svc', 'SIGKILL'),
];
