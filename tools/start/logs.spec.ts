import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { lastError, linesSince, plainText } from './logs';

let folder: string;
beforeEach(() => void (folder = testFolder('logs')));

it('finds the last error of JSON lines, with its cause', () => {
  const lines = [
    '{"level":30,"msg":"ready"}',
    '{"level":60,"msg":"crashed","err":{"message":"no route to host"}}',
    '{"level":30,"msg":"stopping"}',
  ];
  expect(lastError(lines)).toBe('crashed – no route to host');
});

it('finds the error in the log lines of a server, or else the last line', () => {
  expect(lastError(['LOG:  starting', 'FATAL:  could not bind', 'LOG:  shut down'])).toBe('FATAL:  could not bind');
  expect(lastError(['one', 'two'])).toBe('two');
  expect(lastError([])).toBeUndefined();
});

it('keeps the lines that are not JSON', () => {
  expect(plainText(['{"level":30}', 'NATS_URL: is required', 'PORT: too big'])).toBe(
    'NATS_URL: is required\nPORT: too big',
  );
});

it('reads the lines of one process, and only the end of a long log', () => {
  const file = join(folder, 'a.log');
  appendFileSync(file, 'before\n');
  const start = statSync(file).size;
  appendFileSync(file, 'first\n\nsecond\n');
  expect(linesSince(file, start)).toEqual(['first', 'second']);
  appendFileSync(file, `${'x'.repeat(200_000)}\nend\n`);
  expect(linesSince(file, start).at(-1)).toBe('end');
  expect(linesSince(join(folder, 'none.log'), 0)).toEqual([]);
});
