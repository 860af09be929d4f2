import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { resourcesOf, inspectorEnv } from './resources';
import { until } from './until';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function run(program: string, env: object) {
  const child = spawn(process.execPath, ['-e', `${program}; console.log('done'); setInterval(() => {}, 1000)`], {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
  });
  stops.push(() => child.kill('SIGKILL'));
  const started = { pid: child.pid ?? 0, output: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (started.output += text));
  await until(() => started.output.includes('done'));
  return { child, started };
}

it('measures needed memory without garbage', async () => {
  const fill = 'Array.from({ length: 2e6 }, (_, n) => ({ n }))';
  const { started: needingProcess } = await run(`globalThis.kept = ${fill}`, inspectorEnv);
  const { started: litteringProcess } = await run(`${fill}.length`, inspectorEnv);
  const [needed, littered] = [await resourcesOf(needingProcess), await resourcesOf(litteringProcess)];
  expect(needed?.megabytes).toBeGreaterThan(40);
  expect(littered?.megabytes).toBeLessThan(15);
  expect(littered?.descriptors).toBeGreaterThan(littered?.connections ?? Number.POSITIVE_INFINITY);
});

it('is undefined for a process without inspector and for an ended one', async () => {
  const { started: silent } = await run('0', {});
  expect(await resourcesOf(silent)).toBeUndefined();
  const { child, started } = await run('0', inspectorEnv);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await resourcesOf(started)).toBeUndefined();
});
