import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../start/build';
import { stopCommands } from '../start/command';
import { type Servers, startServers } from '../start/servers';
import { reasonOf, Refusal } from '../terminal';
import { checkBudget } from './budget';
import { checkBundles } from './bundle';
import { checks } from './checks';
import { ensureChromium } from './chromium';
import { runEndToEnd } from './end-to-end';
import { readOptions } from './options';
import { closingLine, failed, isGood, passed, sum, type Tally } from './results';
import { ensureSshHosts } from './ssh-hosts';
import { selectSteps, countStep, type StepResult, runSteps, type Step } from './steps';
import { summary } from './summary';
import { runVitest } from './vitest';
import { ensureWordPress } from './wordpress';

const minMemoryBytes = 12 * 1024 ** 3;
const interruption = new AbortController();
let servers: Servers | undefined;

/** Lists all steps, long ones first, so that two cores are rarely idle. */
function allSteps(options: { folder: string; filter: readonly string[]; repeat: number }): Step[] {
  return [
    { name: 'servers', isPreparation: true, run: () => prepareServers(options.folder) },
    // These may install packages, which only one process can do at a time.
    { name: 'chromium', isPreparation: true, after: ['servers'], run: ensureChromium },
    { name: 'hosts', isPreparation: true, after: ['servers', 'chromium'], run: ensureSshHosts },
    { name: 'wordpress', isPreparation: true, after: ['hosts'], run: ensureWordPress },
    { name: 'build', run: () => build(print, process.env, interruption.signal).then(() => passed) },
    ...checks(),
    { name: 'bundle', needs: ['build'], run: async () => checkBundles('dist') },
    { name: 'unit', run: (children) => runVitest('unit', children, options) },
    {
      name: 'medium',
      isExclusive: true,
      needs: ['build', 'servers', 'hosts', 'wordpress'],
      run: (children) =>
        runVitest('medium', children, { ...options, env: { ...addresses(), VIGIE_TEST_LEFT: options.folder } }),
    },
    {
      name: 'e2e',
      isExclusive: true,
      needs: ['build', 'chromium', 'hosts', 'wordpress'],
      after: ['servers'],
      run: (children) => runEndToEnd(children, options),
    },
    // Only a whole run starts every kind that the budget counts.
    { name: 'budget', after: ['medium', 'e2e'], run: async () => checkBudget(countsFolder(options.folder)) },
  ];
}

/** Uses memory if there is enough, because the tests copy WordPress a hundred times, and all of it is temporary. */
function testRoot(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return Math.min(bavail * bsize, freemem()) > minMemoryBytes ? memory : tmpdir();
}

const countsFolder = (folder: string) => join(folder, 'counts');

async function prepareServers(folder: string) {
  // Ignores the addresses of the shell, because a test must never use the operator's servers.
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
  // The unprivileged user of PostgreSQL must be able to read it.
  const folder = mkdtempSync(join(testRoot(), 'vigie-test-'));
  chmodSync(folder, 0o755);
  mkdirSync(countsFolder(folder));
  process.env.VIGIE_TEST_COUNTS = countsFolder(folder);
  process.env.TMPDIR = join(folder, 'tmp');
  mkdirSync(process.env.TMPDIR);
  chmodSync(process.env.TMPDIR, 0o1777);
  try {
    const allParts = allSteps({ folder, filter, repeat });
    const steps = selectSteps(allParts, part === undefined ? [] : [part]);
    if (steps.length === 0) {
      print(`Partie inconnue : ${part}. Les parties sont ${allParts.map(({ name }) => name).join(', ')}.`);
      return failed('').tally;
    }
    const slots = Math.max(2, availableParallelism());
    const results = await runSteps(steps, { slots, signal: interruption.signal, onDone: printStep });
    for (const line of summary(results)) print(line);
    return sum(results.map(countStep));
  } finally {
    await servers?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function printStep({ name, outcome: { tally, output }, seconds, isPreparation }: StepResult): void {
  const counts = sum([tally]);
  const hasPassed = counts.failed === 0;
  const details = counts.passed + counts.failed > 1 ? ` ${closingLine(counts)}` : '';
  if (!hasPassed) print(`\n──── ${name}\n${output.trim()}\n────`);
  print(
    `${hasPassed ? '✓' : '✗'} ${name.padEnd(10)} ${seconds.toFixed(1).padStart(6)} s${isPreparation ? ' (préparation)' : details}`,
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
