import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { isAlive, markOf } from './lock.mjs';
import { processesIn } from './processes.mjs';
import { waitFor } from './start/wait';

const reaper = new URL('./reaper.mjs', import.meta.url).href;
const promised = { timeoutMs: 10_000, everyMs: 50 };

/** Starts a daemon that nothing leads back to but the folder in which it works, and that does not hear a SIGTERM. */
const tool = (isDeaf: boolean, ending: string) => `
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, symlinkSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
const own = mkdtempSync(tmpdir() + '/own-');
const elsewhere = process.env.ELSEWHERE;
symlinkSync(elsewhere, tmpdir() + '/elsewhere-1');
mkdirSync(elsewhere);
writeFileSync(elsewhere + '/file', '');
if (${isDeaf}) process.on('SIGTERM', () => {});
const daemon = 'trap "" TERM; echo $$ >pid.new; mv pid.new pid; while :; do sleep 0.2; done';
const env = { PATH: process.env.PATH, DAEMON: daemon };
spawn('sh', ['-c', '(setsid sh -c "$DAEMON" &)'], { cwd: own, env, stdio: 'ignore' });
while (!existsSync(own + '/pid')) await new Promise((resolve) => setTimeout(resolve, 20));
console.log('ready', own);
${ending}`;
const forEver = 'setInterval(() => undefined, 1_000)';

let folder: string;
let parent: ChildProcess;
let printed: string;
const place = (name: string) => join(folder, name);

beforeEach(() => {
  folder = testFolder('reaper');
  printed = '';
});
afterEach(() => {
  parent.kill('SIGKILL');
  for (const { pid } of processesIn([folder])) process.kill(pid, 'SIGKILL');
});

/** As npm does it: a shell in between, which waits. */
function start(text: string): void {
  writeFileSync(place('tool.mjs'), text);
  const program = `import { Reaper } from '${reaper}'; process.exit(await new Reaper().run('${place('tool.mjs')}', []));`;
  writeFileSync(place('reaper.mjs'), program);
  const env = { PATH: process.env['PATH'] ?? '', TMPDIR: folder, ELSEWHERE: place('elsewhere') };
  const script = '"$0" "$1" & echo $! >"$TMPDIR/reaper.pid"; wait $!; exit $?';
  parent = spawn('sh', ['-c', script, process.execPath, place('reaper.mjs')], {
    env: { ...env, npm_lifecycle_event: 'trial' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [parent.stdout, parent.stderr])
    stream?.setEncoding('utf8').on('data', (words: string) => (printed += words));
}

const isReady = () => waitFor(async () => printed.includes('ready'), { timeoutMs: 60_000 });
const pidIn = (file: string) => Number(readFileSync(file, 'utf8'));
const reaperPid = () => pidIn(place('reaper.pid'));
const daemon = () => {
  const pid = pidIn(join(/ready (\S+)/.exec(printed)?.[1] ?? '', 'pid'));
  return { pid, mark: markOf(pid) };
};
const runs = () => readdirSync(folder).filter((name) => name.startsWith('vigie-run-'));
const isNothingLeft = () =>
  waitFor(
    async () => runs().length === 0 && processesIn([folder]).length === 0 && !existsSync(place('elsewhere')),
    promised,
  );

describe('a reaper', () => {
  const kill = (signal: NodeJS.Signals) => () => process.kill(reaperPid(), signal);
  it.each([
    ['a SIGINT', kill('SIGINT'), false],
    ['a SIGTERM, also where the tool does not hear it', kill('SIGTERM'), true],
    ['the sudden death of npm', () => parent.kill('SIGKILL'), false],
  ])('ends all at %s', async (_, interrupt, isDeaf) => {
    start(tool(isDeaf, forEver));
    expect(await isReady()).toBe(true);
    const left = daemon();
    expect(isAlive(left)).toBe(true);
    interrupt();
    expect(await isNothingLeft()).toBe(true);
    expect(isAlive(left)).toBe(false);
  });

  it('ends what a tool leaves at its own end, says so, and gives its code', async () => {
    start(tool(false, 'process.exit(3)'));
    const [code] = await once(parent, 'close');
    expect(code).toBe(3);
    expect(printed).toMatch(/Restait à la fin, et a été arrêté.*sh \(\d+\)/);
    expect(await isNothingLeft()).toBe(true);
  });

  it('ends what a reaper left that was killed', async () => {
    start(tool(true, forEver));
    expect(await isReady()).toBe(true);
    const left = daemon();
    process.kill(reaperPid(), 'SIGKILL');
    await once(parent, 'exit');
    expect([isAlive(left), runs().length]).toEqual([true, 1]);
    rmSync(place('elsewhere'), { recursive: true });
    start('');
    await once(parent, 'close');
    expect(isAlive(left)).toBe(false);
    expect(await isNothingLeft()).toBe(true);
  });
});
