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
const limits = { timeoutMs: 10_000, everyMs: 50 };

/** Starts a daemon that ignores SIGTERM and that only its working folder connects to the tool. */
const tool = (ignoresSigterm: boolean, ending: string) => `
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, symlinkSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
const own = mkdtempSync(tmpdir() + '/own-');
const elsewhere = process.env.ELSEWHERE;
symlinkSync(elsewhere, tmpdir() + '/elsewhere-1');
mkdirSync(elsewhere);
writeFileSync(elsewhere + '/file', '');
if (${ignoresSigterm}) process.on('SIGTERM', () => {});
const daemon = 'trap "" TERM; echo $$ >pid.new; mv pid.new pid; while :; do sleep 0.2; done';
const env = { PATH: process.env.PATH, DAEMON: daemon };
spawn('sh', ['-c', '(setsid sh -c "$DAEMON" &)'], { cwd: own, env, stdio: 'ignore' });
while (!existsSync(own + '/pid')) await new Promise((resolve) => setTimeout(resolve, 20));
console.log('ready', own);
${ending}`;
const keepRunning = 'setInterval(() => undefined, 1_000)';

let folder: string;
let parent: ChildProcess;
let printed: string;
const pathOf = (name: string) => join(folder, name);

beforeEach(() => {
  folder = testFolder('reaper');
  printed = '';
});
afterEach(() => {
  parent.kill('SIGKILL');
  for (const { pid } of processesIn([folder])) process.kill(pid, 'SIGKILL');
});

/** Starts the reaper as npm does, with a waiting shell between. */
function start(text: string): void {
  writeFileSync(pathOf('tool.mjs'), text);
  const program = `import { Reaper } from '${reaper}'; process.exit(await new Reaper().run('${pathOf('tool.mjs')}', []));`;
  writeFileSync(pathOf('reaper.mjs'), program);
  const env = { PATH: process.env['PATH'] ?? '', TMPDIR: folder, ELSEWHERE: pathOf('elsewhere') };
  const script = '"$0" "$1" & echo $! >"$TMPDIR/reaper.pid"; wait $!; exit $?';
  parent = spawn('sh', ['-c', script, process.execPath, pathOf('reaper.mjs')], {
    env: { ...env, npm_lifecycle_event: 'trial' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [parent.stdout, parent.stderr])
    stream?.setEncoding('utf8').on('data', (words: string) => (printed += words));
}

const waitUntilReady = () => waitFor(async () => printed.includes('ready'), { timeoutMs: 60_000 });
const readPid = (file: string) => Number(readFileSync(file, 'utf8'));
const reaperPid = () => readPid(pathOf('reaper.pid'));
const daemon = () => {
  const pid = readPid(join(/ready (\S+)/.exec(printed)?.[1] ?? '', 'pid'));
  return { pid, mark: markOf(pid) };
};
const runs = () => readdirSync(folder).filter((name) => name.startsWith('vigie-run-'));
const waitUntilClean = () =>
  waitFor(
    async () => runs().length === 0 && processesIn([folder]).length === 0 && !existsSync(pathOf('elsewhere')),
    limits,
  );

describe('a reaper', () => {
  const kill = (signal: NodeJS.Signals) => () => process.kill(reaperPid(), signal);
  it.each([
    ['a SIGINT', kill('SIGINT'), false],
    ['a SIGTERM, even if the tool ignores it', kill('SIGTERM'), true],
    ['the sudden death of npm', () => parent.kill('SIGKILL'), false],
  ])('ends everything at %s', async (_, interrupt, ignoresSigterm) => {
    start(tool(ignoresSigterm, keepRunning));
    expect(await waitUntilReady()).toBe(true);
    const daemonProcess = daemon();
    expect(isAlive(daemonProcess)).toBe(true);
    interrupt();
    expect(await waitUntilClean()).toBe(true);
    expect(isAlive(daemonProcess)).toBe(false);
  });

  it('ends the processes that a tool leaves, names them, and returns its exit code', async () => {
    start(tool(false, 'process.exit(3)'));
    const [code] = await once(parent, 'close');
    expect(code).toBe(3);
    expect(printed).toMatch(/Restait à la fin, et a été arrêté.*sh \(\d+\)/);
    expect(await waitUntilClean()).toBe(true);
  });

  it('ends the processes that a killed reaper has left', async () => {
    start(tool(true, keepRunning));
    expect(await waitUntilReady()).toBe(true);
    const daemonProcess = daemon();
    process.kill(reaperPid(), 'SIGKILL');
    await once(parent, 'exit');
    expect([isAlive(daemonProcess), runs().length]).toEqual([true, 1]);
    rmSync(pathOf('elsewhere'), { recursive: true });
    start('');
    await once(parent, 'close');
    expect(isAlive(daemonProcess)).toBe(false);
    expect(await waitUntilClean()).toBe(true);
  });
});
