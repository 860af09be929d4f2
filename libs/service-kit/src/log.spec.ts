import { expect, it } from 'vitest';
import { runInContext } from './context';
import { makeLog } from './log';

function open() {
  const lines: string[] = [];
  const log = makeLog('test', 'info', { write: (line) => lines.push(line) });
  return { log, last: () => JSON.parse(lines.at(-1) ?? '') };
}

it('hides a secret field at each of three levels, and leaves the caller’s object as it is', () => {
  const { log, last } = open();
  const fields = { password: 'a', body: { token: 'b', name: 'n', auth: { passphrase: 'c' } }, list: [{ secret: 'd' }] };
  log.info(fields, 'line');
  expect(last()).toMatchObject({
    password: '•',
    body: { token: '•', name: 'n', auth: { passphrase: '•' } },
    list: { 0: { secret: '•' } },
  });
  expect(fields.body.auth.passphrase).toBe('c');
});

it('writes of an error its type, message and stack only', () => {
  const { log, last } = open();
  log.error({ err: Object.assign(new Error('no'), { password: 'a', parameters: ['b'] }) }, 'line');
  const brief = { type: 'Error', message: 'no', stack: expect.stringContaining('Error: no') };
  expect(last().err).toEqual(brief);
  log.error({ job: { error: Object.assign(new Error('no'), { password: 'a' }) } }, 'line');
  expect(last().job.error).toEqual(brief);
});

it('names the request', () => {
  const { log, last } = open();
  runInContext({ requestId: 'r1' }, () => log.info('line'));
  expect(last()).toMatchObject({ requestId: 'r1', app: 'test' });
});
