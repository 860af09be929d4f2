import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CommandOutput, commandTask } from './commands';

const id = '0b1c2d3e-0000-4000-8000-000000000001';
let folder: string;
let site: string;
let bin: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigie-command-'));
  [site, bin] = [join(folder, 'site'), join(folder, 'bin')];
  for (const each of [site, bin, join(site, 'wp-content'), join(site, 'wp-includes')]) mkdirSync(each);
  for (const each of ['wp-load.php', 'wp-includes/version.php']) writeFileSync(join(site, each), '');
  chmodSync(folder, 0o755);
  // A command never runs as root.
  if (process.getuid?.() === 0) spawnSync('chown', ['-R', '65534:65534', site]);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Puts a program before the one of the same name. */
function shadow(name: string, text: string): void {
  const real = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
  writeFileSync(join(bin, name), `#!/bin/sh\n${text}\nexec ${real} "$@"\n`);
  chmodSync(join(bin, name), 0o755);
}

function run(command: string, seconds: number) {
  const { script, input } = commandTask({ site: { path: site }, kind: 'shell', command, seconds, php: '' });
  const file = join(folder, 'script');
  writeFileSync(file, script);
  const { output: streams } = spawnSync('sh', [file], {
    input,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    env: { PATH: `${bin}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`, VIGIE_OPERATION: id },
  });
  const lines: string[] = [];
  const output = new CommandOutput(id, (each) => lines.push(...each));
  for (const line of String(streams[3]).split('\n').slice(0, -1)) output.read(line);
  return { end: output.end, lines };
}

it('takes a command for done that ends before its time limit is watched', () => {
  shadow('setsid', 'case $3 in *ALRM*) sleep 2 ;; esac');
  expect(run('true', 4).end).toMatchObject({ code: 0, why: '', left: 0 });
});

it('keeps its time limit when the command ends each sleep', () => {
  const { end, lines } = run('sleep 0.3; pkill -U "$(id -u)" -x sleep; echo begun; while :; do :; done', 4);
  expect(lines).toEqual(['begun']);
  expect(end).toMatchObject({ why: 'late', left: 0 });
});
