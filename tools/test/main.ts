import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../start/build';
import { stopCommands } from '../start/command';
import { type Servers, startServers } from '../start/servers';
import { reasonOf, Refusal } from '../terminal';
import { checkBudget } from './budget';
import { checkBundle } from './bundle';
import { checks } from './checks';
import { ensureChromium } from './chromium';
import { runEndToEnd } from './end-to-end';
import { readOptions } from './options';
import { closingLine, failed, isGood, passed, sum, type Tally } from './results';
import { ensureSshHosts } from './ssh-hosts';
import { choose, counted, type Done, runSteps, type Step } from './steps';
import { summary } from './summary';
import { runVitest } from './vitest';
import { ensureWordPress } from './wordpress';

const roomyBytes = 12 * 1024 ** 3;
const interruption = new AbortController();
let servers: Servers | undefined;

/** Every step, the long ones first: two cores are then rarely idle. */
function allSteps(options: { folder: string; filter: readonly string[]; repeat: number }): Step[] {
  return [
    { name: 'servers', isPreparation: true, run: () => prepareServers(options.folder) },
    // These may install packages, and only one can at a time.
    { name: 'chromium', isPreparation: true, after: ['servers'], run: ensureChromium },
    { name: 'hosts', isPreparation: true, after: ['servers', 'chromium'], run: ensureSshHosts },
    { name: 'wordpress', isPreparation: true, after: ['hosts'], run: ensureWordPress },
    { name: 'build', run: () => build(print, process.env, interruption.signal).then(() => passed) },
    ...checks(),
    { name: 'bundle', needs: ['build'], run: async () => checkBundle('dist/web') },
    { name: 'unit', isPatient: true, run: (children) => runVitest('unit', children, options) },
    {
      name: 'medium',
      isAlone: true,
      needs: ['build', 'servers', 'hosts', 'wordpress'],
      run: (children) =>
        runVitest('medium', children, { ...options, env: { ...addresses(), VIGIE_TEST_LEFT: options.folder } }),
    },
    {
      name: 'e2e',
      isAlone: true,
      needs: ['build', 'chromium', 'hosts', 'wordpress'],
      after: ['servers'],
      run: (children) => runEndToEnd(children, options),
    },
    // It must run whole: only then is what is not started not missed.
    { name: 'budget', after: ['medium', 'e2e'], run: async () => checkBudget(countsIn(options.folder)) },
  ];
}

/** In memory where there is plenty: the tests copy WordPress a hundred times, and nothing of it is to outlive them. */
function placeOfTests(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return Math.min(bavail * bsize, freemem()) > roomyBytes ? memory : tmpdir();
}

const countsIn = (folder: string) => join(folder, 'counts');

async function prepareServers(folder: string) {
  // Private ones, whatever the shell says: a test never touches the operator's.
  servers = await startServers({
    home: join(folder, 'servers'),
    log: print,
    durable: false,
    addresses: {},
    signal: interruption.signal,
  });
  return passed;
}

function addresses() {
  return servers && { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, NATS_URL: servers.natsUrl };
}

async function main(args: readonly string[]): Promise<Tally> {
  const { part, filter, repeat } = readOptions(args);
  // Readable by the unprivileged user that PostgreSQL runs as.
  const folder = mkdtempSync(join(placeOfTests(), 'vigie-test-'));
  chmodSync(folder, 0o755);
  mkdirSync(countsIn(folder));
  process.env.VIGIE_TEST_COUNTS = countsIn(folder);
  process.env.TMPDIR = join(folder, 'tmp');
  mkdirSync(process.env.TMPDIR);
  chmodSync(process.env.TMPDIR, 0o1777);
  try {
    const all = allSteps({ folder, filter, repeat });
    const steps = choose(all, part === undefined ? [] : [part]);
    if (steps.length === 0) {
      print(`Partie inconnue : ${part}. Les parties sont ${all.map(({ name }) => name).join(', ')}.`);
      return failed('').tally;
    }
    const slots = Math.max(2, availableParallelism());
    const done = await runSteps(steps, { slots, signal: interruption.signal, onDone: tell });
    for (const line of summary(done)) print(line);
    return sum(done.map(counted));
  } finally {
    await servers?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function tell({ name, outcome: { tally, output }, seconds, isPreparation }: Done): void {
  const counts = sum([tally]);
  const isFine = counts.failed === 0;
  const details = counts.passed + counts.failed > 1 ? ` ${closingLine(counts)}` : '';
  if (!isFine) print(`\n──── ${name}\n${output.trim()}\n────`);
  print(
    `${isFine ? '✓' : '✗'} ${name.padEnd(10)} ${seconds.toFixed(1).padStart(6)} s${isPreparation ? ' (préparation)' : details}`,
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function interrupt(): void {
  if (interruption.signal.aborted) return;
  print('Interrompu : arrête ce qui est en cours…');
  interruption.abort();
  void stopCommands();
}

process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
const tally = await main(process.argv.slice(2)).catch((error: unknown) => {
  print(String(error instanceof Error && !(error instanceof Refusal) ? error.stack : reasonOf(error)));
  return failed('').tally;
});
process.stdout.write(`${closingLine(tally)}\n`, () => process.exit(isGood(tally) ? 0 : 1));
