import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Caller } from '@vigie/contracts/contract';
import { mayMount } from '@vigie/testing/mounts';
import { type Fault, flush, freeze, kill, type Need, restart } from './faults';
import type { Random } from './random';
import type { Stage } from './stage';
import type { WholeStage } from './whole-stage';

const findLibfaketime = () =>
  ['x86_64', 'aarch64']
    .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
    .find((file) => existsSync(file));

/** Clock changes in seconds, some within the tolerance of signed messages and some beyond it. */
const clockSteps = ['+8', '-20', '+3600', '-3600', '+86400'] as const;

type Strike = (whole: WholeStage, random: Random, stage: Stage) => Promise<void>;
const wholeFault = (name: string, strike: Strike): Fault => ({
  name,
  strike: async (stage, random) => {
    if (stage.whole) await strike(stage.whole, random, stage);
  },
});

/** Restarts all replicas one by one, as a deployment does. */
const rollingRestart: Fault = {
  name: 'redémarrage de tous les services, un par un',
  strike: async (stage) => {
    for (const entry of stage.killable()) {
      await stage.stopProcess(entry, 'SIGTERM');
      await stage.product.add(entry.app);
    }
  },
};

const restartSshd: Fault = {
  name: 'sshd redémarré',
  strike: async ({ hosts, whole }, random) => {
    const sshd = random.one([...hosts.map((host) => host.sshd), ...(whole ? [whole.fleet.host] : [])]);
    await sshd.restart(() => wait(random.between(500, 6_000)));
  },
};

const slowHosts: Fault = {
  name: 'réseau lent vers les serveurs',
  strike: async ({ hosts, whole }, random) => {
    const proxies = [...hosts.map(({ proxy }) => proxy), ...(whole ? [whole.proxy] : [])];
    const ms = random.between(80, 400);
    for (const proxy of proxies) proxy.slow(ms);
    await wait(random.between(3_000, 8_000));
    for (const proxy of proxies) proxy.slow(0);
  },
};

const cutFleet = wholeFault('connexion SSH au parc coupée', async ({ proxy }, random) => {
  proxy.cutAfter(Math.floor(random.between(0, 60_000)));
});

const cutServices: Fault = {
  name: 'connexions de PostgreSQL, Redis et NATS coupées',
  strike: async ({ serviceProxies }, random) => {
    for (const proxy of serviceProxies) proxy.cutAfter(Math.floor(random.between(0, 20_000)));
  },
};

const slowServices: Fault = {
  name: 'PostgreSQL, Redis et NATS lents',
  strike: async ({ serviceProxies }, random) => {
    for (const proxy of serviceProxies) proxy.slow(random.between(20, 120));
    await wait(random.between(2_000, 5_000));
    for (const proxy of serviceProxies) proxy.slow(0);
  },
};

const fillDisk = (which: 'host' | 'store', name: string): Fault => ({
  ...wholeFault(name, async ({ disks }, random) => {
    disks[which].fill();
    await wait(random.between(1_500, 6_000));
    disks[which].empty();
  }),
  needs: 'disks',
});

/** Replaces a replica by one whose clock jumps and later returns to the right time. */
const stepClock = (app: Caller): Fault => ({
  name: `horloge décalée ${app}`,
  needs: 'clocks',
  strike: async (stage, random) => {
    const libfaketime = findLibfaketime();
    if (!libfaketime) throw new Error('no libfaketime');
    const { product, folder } = stage;
    const file = join(folder, `clock-${Math.floor(random.next() * 1e9)}`);
    writeFileSync(file, '+0');
    await stage.stopProcess(random.one(stage.killable(app)), 'SIGTERM');
    // The monotonic clock, which timers use, is not changed.
    const env = { FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' };
    await product.add(app, { LD_PRELOAD: libfaketime, DONT_FAKE_MONOTONIC: '1', ...env });
    writeFileSync(file, random.one(clockSteps));
    await wait(random.between(4_000, 12_000));
    writeFileSync(file, '+0');
  },
});

/** Cloudflare carries out requests but loses the answers, then limits the rate. */
const loseAnswers = wholeFault('réponses de Cloudflare perdues', async ({ cloudflare }) => {
  cloudflare.failures.push(
    { of: /(POST|PATCH|PUT) .*dns_records/, status: 500, takesPlace: true },
    { of: /(POST|DELETE) .*dns_records/, status: 200, takesPlace: true, isCut: true },
    { of: /dns_records/, status: 429, retryAfter: 2 },
  );
});

const restartDatabase = wholeFault('MariaDB redémarré', ({ fleet }, random) =>
  fleet.restartDatabase(() => wait(random.between(200, 3_000))),
);

const reloadPhp = wholeFault('php-fpm redémarré', async ({ fleet }) => fleet.reloadPhp());

export const longWholeFaults: readonly Fault[] = [freeze('auth-svc'), freeze('dns-svc')];

/** Faults of a whole product, in addition to those of every trial. */
export const wholeFaults: readonly Fault[] = [
  cutFleet,
  restartDatabase,
  kill('dns-svc', 'SIGKILL'),
  loseAnswers,
  fillDisk('host', 'disque du parc plein'),
  rollingRestart,
  slowHosts,
  reloadPhp,
  cutServices,
  restartSshd,
  fillDisk('store', 'disque des sauvegardes plein'),
  stepClock('ssh-agent'),
  slowServices,
  kill('dns-svc', 'SIGTERM'),
  loseAnswers,
  stepClock('sites-svc'),
  restart('postgresql', 'SIGKILL'),
  stepClock('auth-svc'),
  flush,
  stepClock('gateway'),
  stepClock('dns-svc'),
  restart('nats', 'SIGTERM'),
  restart('redis', 'SIGTERM'),
];

export const findMissingNeeds = (): readonly Need[] => [
  ...(findLibfaketime() === undefined ? (['clocks'] as const) : []),
  ...(mayMount() ? [] : (['disks'] as const)),
];

/** The faults that are skipped without a requirement. */
export const skippedFaults: Record<Need, string> = {
  clocks: 'horloges décalées (libfaketime n’est pas installé)',
  disks: 'disques pleins (il faut pouvoir en monter)',
};
