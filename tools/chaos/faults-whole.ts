import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Caller } from '@vigie/contracts/contract';
import { mayMount } from '@vigie/testing/mounts';
import { type Fault, flush, freeze, kill, type Need, restart } from './faults';
import type { Random } from './random';
import type { Stage } from './stage';
import type { Whole } from './whole';

const findLibfaketime = () =>
  ['x86_64', 'aarch64']
    .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
    .find((file) => existsSync(file));

/** In seconds: what the products' envelopes forgive, and what they do not. */
const steps = ['+8', '-20', '+3600', '-3600', '+86400'] as const;

type Strike = (whole: Whole, random: Random, stage: Stage) => Promise<void>;
const ofWhole = (name: string, strike: Strike): Fault => ({
  name,
  strike: async (stage, random) => {
    if (stage.whole) await strike(stage.whole, random, stage);
  },
});

/** As a deployment does it: each replica of each service, one after the other, with time to end what it does. */
const roll: Fault = {
  name: 'redémarrage de tous les services, un par un',
  strike: async (stage) => {
    for (const entry of stage.mortals()) {
      await stage.fell(entry, 'SIGTERM');
      await stage.product.add(entry.app);
    }
  },
};

const rebootHost: Fault = {
  name: 'sshd redémarré',
  strike: async ({ hosts, whole }, random) => {
    const sshd = random.one([...hosts.map((host) => host.sshd), ...(whole ? [whole.fleet.host] : [])]);
    await sshd.restart(() => wait(random.between(500, 6_000)));
  },
};

const slowRoads: Fault = {
  name: 'réseau lent vers les serveurs',
  strike: async ({ hosts, whole }, random) => {
    const roads = [...hosts.map(({ road }) => road), ...(whole ? [whole.road] : [])];
    const ms = random.between(80, 400);
    for (const road of roads) road.slow(ms);
    await wait(random.between(3_000, 8_000));
    for (const road of roads) road.slow(0);
  },
};

const cutFleet = ofWhole('connexion SSH au parc coupée', async ({ road }, random) => {
  road.cutAfter(Math.floor(random.between(0, 60_000)));
});

const cutServices: Fault = {
  name: 'connexions de PostgreSQL, Redis et NATS coupées',
  strike: async ({ serviceRoads }, random) => {
    for (const road of serviceRoads) road.cutAfter(Math.floor(random.between(0, 20_000)));
  },
};

const slowServices: Fault = {
  name: 'PostgreSQL, Redis et NATS lents',
  strike: async ({ serviceRoads }, random) => {
    for (const road of serviceRoads) road.slow(random.between(20, 120));
    await wait(random.between(2_000, 5_000));
    for (const road of serviceRoads) road.slow(0);
  },
};

const fillDisk = (which: 'host' | 'store', name: string): Fault => ({
  ...ofWhole(name, async ({ disks }, random) => {
    disks[which].fill();
    await wait(random.between(1_500, 6_000));
    disks[which].empty();
  }),
  needs: 'disks',
});

/** One replica gives way to one whose clock jumps while it works, and comes back to the right time. */
const stepClock = (app: Caller): Fault => ({
  name: `horloge décalée ${app}`,
  needs: 'clocks',
  strike: async (stage, random) => {
    const libfaketime = findLibfaketime();
    if (!libfaketime) throw new Error('no libfaketime');
    const { product, folder } = stage;
    const file = join(folder, `clock-${Math.floor(random.next() * 1e9)}`);
    writeFileSync(file, '+0');
    await stage.fell(random.one(stage.mortals(app)), 'SIGTERM');
    // Timers go by the monotonic clock, which nobody can step.
    const env = { FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' };
    await product.add(app, { LD_PRELOAD: libfaketime, DONT_FAKE_MONOTONIC: '1', ...env });
    writeFileSync(file, random.one(steps));
    await wait(random.between(4_000, 12_000));
    writeFileSync(file, '+0');
  },
});

/** What is asked takes place, and nobody hears of it; then Cloudflare has had enough for a while. */
const loseAnswers = ofWhole('réponses de Cloudflare perdues', async ({ cloudflare }) => {
  cloudflare.failures.push(
    { of: /(POST|PATCH|PUT) .*dns_records/, status: 500, takesPlace: true },
    { of: /(POST|DELETE) .*dns_records/, status: 200, takesPlace: true, isCut: true },
    { of: /dns_records/, status: 429, retryAfter: 2 },
  );
});

const restartDatabase = ofWhole('MariaDB redémarré', ({ fleet }, random) =>
  fleet.restartDatabase(() => wait(random.between(200, 3_000))),
);

const reloadPhp = ofWhole('php-fpm redémarré', async ({ fleet }) => fleet.reloadPhp());

export const longWholeFaults: readonly Fault[] = [freeze('auth-svc'), freeze('dns-svc')];

/** Beside those of every trial. */
export const wholeFaults: readonly Fault[] = [
  cutFleet,
  restartDatabase,
  kill('dns-svc', 'SIGKILL'),
  loseAnswers,
  fillDisk('host', 'disque du parc plein'),
  roll,
  slowRoads,
  reloadPhp,
  cutServices,
  rebootHost,
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

/** What there is not on this machine. */
export const findLacking = (): readonly Need[] => [
  ...(findLibfaketime() === undefined ? (['clocks'] as const) : []),
  ...(mayMount() ? [] : (['disks'] as const)),
];

/** What is not tried then, and why. */
export const needWords: Record<Need, string> = {
  clocks: 'horloges décalées (libfaketime n’est pas installé)',
  disks: 'disques pleins (il faut pouvoir en monter)',
};
