import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../start/build';
import { stopCommands } from '../start/command';
import { type Servers, startServers } from '../start/servers';
import { checkBundle } from './bundle';
import { checks } from './checks';
import { Children } from './children';
import { ensureChromium } from './chromium';
import { runEndToEnd } from './end-to-end';
import { runJest } from './jest';
import { closingLine, failed, isGood, passed, sum, type Tally } from './results';
import { ensureSshHosts } from './ssh-hosts';
import { choose, type Done, runSteps, type Step } from './steps';
import { ensureWordPress } from './wordpress';

const children = new Children();
const interruption = new AbortController();
let servers: Servers | undefined;

/** Every step, the long ones first: two cores are then rarely idle. */
function allSteps(folder: string, filter: readonly string[]): Step[] {
  const options = { children, folder, filter };
  return [
    { name: 'servers', isPreparation: true, run: () => prepareServers(folder) },
    // These may install packages, and only one can at a time.
    { name: 'chromium', isPreparation: true, after: ['servers'], run: () => ensureChromium(children) },
    { name: 'hosts', isPreparation: true, after: ['servers', 'chromium'], run: () => ensureSshHosts(children) },
    { name: 'wordpress', isPreparation: true, after: ['hosts'], run: () => ensureWordPress(children) },
    { name: 'build', run: () => build(print, process.env, interruption.signal).then(() => passed) },
    ...checks(children),
    { name: 'bundle', needs: ['build'], run: async () => checkBundle('dist/web') },
    { name: 'unit', isPatient: true, run: () => runJest('unit', options) },
    {
      name: 'medium',
      isAlone: true,
      needs: ['build', 'servers', 'hosts', 'wordpress'],
      run: () => runJest('medium', { ...options, env: addresses() }),
    },
    {
      name: 'e2e',
      isAlone: true,
      needs: ['build', 'chromium', 'hosts'],
      after: ['servers'],
      run: () => runEndToEnd(options),
    },
  ];
}

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

async function main([part, ...filter]: string[]): Promise<Tally> {
  // Readable by the unprivileged user that PostgreSQL runs as.
  const folder = mkdtempSync(join(tmpdir(), 'vigie-test-'));
  chmodSync(folder, 0o755);
  try {
    const steps = choose(allSteps(folder, filter), part === undefined ? [] : [part]);
    if (steps.length === 0) {
      print(
        `Partie inconnue : ${part}. Les parties sont ${allSteps('', [])
          .map(({ name }) => name)
          .join(', ')}.`,
      );
      return failed('').tally;
    }
    return await runSteps(steps, {
      slots: Math.max(2, availableParallelism()),
      signal: interruption.signal,
      onDone: tell,
    });
  } finally {
    await children.stopAll();
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
  void Promise.all([children.stopAll(), stopCommands()]);
}

process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
const tally = await main(process.argv.slice(2)).catch((error: unknown) => {
  print(String(error instanceof Error ? error.stack : error));
  return failed('').tally;
});
process.stdout.write(`${closingLine(tally)}\n`, () => process.exit(isGood(tally) ? 0 : 1));
