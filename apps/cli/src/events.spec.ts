import { listActivity, type ActivityItem } from '@vigie/contracts/activity';
import { afterEach, describe, expect, it } from 'vitest';
import { follow } from './events';
import { Failure } from './failures';
import { same } from './language';
import { closeServers, prepare } from './test-cli';

afterEach(closeServers);

const eventOf = (number: number, name = `site ${number}`): ActivityItem =>
  listActivity.output.shape.items.element.parse({
    id: `0199d0a0-0000-7000-8000-${String(number).padStart(12, '0')}`,
    type: 'login',
    actor_name: 'Anne',
    site_id: null,
    site_name: name,
    server_id: null,
    server_name: null,
    details: {},
    created_at: '2026-11-29T01:00:00.000Z',
  });
/** The newest first, as the server lists them. */
const events = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => eventOf(to - index));

const refused = new Failure('refused', same('Non.'), { status: 403 });

/** Follows through these answers, until the server refuses. */
async function followed(answers: readonly (ActivityItem[] | Failure)[], { count = 50, argv = ['--follow'] } = {}) {
  const { cli, written } = await prepare(['events', ...argv], () => undefined);
  const left = [...answers];
  const read = () => {
    const next = left.shift() ?? refused;
    return next instanceof Failure ? Promise.reject(next) : Promise.resolve(next);
  };
  await expect(follow(cli, read, { count, pauseMs: 1 })).rejects.toBe(refused);
  const names = written.out.match(/site \d+/g)?.map((name) => Number(name.slice('site '.length))) ?? [];
  return { written, names };
}

describe('events as they happen', () => {
  it('come once and in their order, after the latest ones', async () => {
    const { names, written } = await followed([events(1, 50), events(2, 51), events(4, 53)], { count: 2 });
    expect(names).toEqual([49, 50, 51, 52, 53]);
    expect(written.err).toBe('');
  });

  it('that were too many for one answer are told of', async () => {
    const { names, written } = await followed([events(1, 50), events(101, 150)], { count: 0 });
    expect(names).toHaveLength(50);
    expect(written.err).toContain('Events may be missing here');
    const json = await followed([[], events(1, 50)], { argv: ['--follow', '--json'] });
    expect(JSON.parse(json.written.err)).toEqual({ warning: expect.stringContaining('missing') });
  });

  it('are one line each, whatever their names are', async () => {
    const { written } = await followed([[eventOf(1, 'a\n2026-11-29 01:00  login  forged\tb')], [eventOf(2, 'c\nd')]]);
    expect(written.out.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/\tlogin\ta 2026-11-29 01:00 {2}login {2}forged b\t\tAnne$/),
      expect.stringMatching(/\tlogin\tc d\t\tAnne$/),
    ]);
  });

  it('end when nobody reads them any more', async () => {
    const { cli, out } = await prepare(['events', '--follow'], () => undefined);
    const following = follow(cli, () => Promise.resolve([]), { count: 1, pauseMs: 1 });
    out.emit('error', Object.assign(new Error('EPIPE'), { code: 'EPIPE' }));
    expect(await following).toBe(0);
  });
});
