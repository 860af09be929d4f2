import { afterEach, describe, expect, it } from 'vitest';
import { explain } from './explain';
import { Failure } from './failures';
import { closeServers, prepare } from './test-cli';

afterEach(closeServers);

const id = '0199d0a0-0000-7000-8000-000000000001';
const order = ['jobs', 'cancel', id];

describe('an error that was not foreseen', () => {
  it('is one line without the places in the program, and has failed where nothing was ordered', async () => {
    const { cli, written } = await prepare(order, () => undefined);
    expect(explain(new TypeError('x is\u001b[2J not iterable'), cli)).toBe(1);
    expect(written.err).toBe('vigie\u00a0: Unexpected error: x is not iterable.\n');
  });

  it('leaves the outcome of an order unknown', async () => {
    const { cli, run, written } = await prepare(order, () => undefined);
    await expect(run()).rejects.toMatchObject({ ending: 'unknown' });
    expect(explain(new TypeError('x'), cli)).toBe(4);
    expect(written.err).toContain('The order was sent: look at “vigie jobs” before you repeat it.');
  });

  it('leaves nothing unknown after a reading', async () => {
    const { cli, run } = await prepare(['jobs'], () => ({ body: { items: [], total: 0 } }));
    await run().catch(() => undefined);
    expect(explain(new TypeError('x'), cli)).toBe(1);
  });
});

it('is JSON for a program, of every failure', async () => {
  const { cli, written } = await prepare([...order, '--json'], () => undefined);
  expect(cli.explain(new Failure('unknown', { fr: 'Le suivi s’arrête.', en: 'No longer followed.' }))).toBe(4);
  expect(JSON.parse(written.err)).toEqual({ error: { status: null, detail: 'No longer followed.' } });
});

describe('a command that has nothing to do', () => {
  it('says so to a program that logs out', async () => {
    const { run, written } = await prepare(['logout', '--json'], () => undefined, { env: { configHome: '/nowhere' } });
    expect(await run()).toBe(0);
    expect(JSON.parse(written.out)).toEqual({ was_kept: false, url: null });
  });
});

it('warns a program too that others can read the token', async () => {
  const { cli, written } = await prepare(['sites', '--json'], () => undefined);
  cli.warnIfExposed('http://vigie.example.com');
  expect(JSON.parse(written.err)).toEqual({ warning: expect.stringContaining('is not encrypted') });
});
