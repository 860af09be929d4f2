import { afterEach, expect, it } from 'vitest';
import { durationOf } from './maintenance';
import { closeServers, prepare } from './test-cli';

afterEach(closeServers);

it('reads a duration, and asks for no site where it is none', async () => {
  expect(['90m', '2h', '1d', undefined].map(durationOf)).toEqual([5_400_000, 7_200_000, 86_400_000, 7_200_000]);
  const { run } = await prepare(['maintenance', 'boutique', '--for', '2 h'], () => {
    throw new Error('was asked');
  });
  await expect(run()).rejects.toThrow('--for');
});

it('lists what runs and what is planned, and ends it', async () => {
  const once = {
    id: '01890000-0000-7000-8000-000000000001',
    site_id: null,
    group_id: null,
    target_name: null,
    starts_at: '2026-03-01T10:00:00.000Z',
    ends_at: '2026-03-01T12:00:00.000Z',
    weekdays: null,
    at: null,
    minutes: null,
    time_zone: null,
    note: null,
    created_by: null,
    created_at: '2026-03-01T09:00:00.000Z',
    running_until: '2026-03-01T12:00:00.000Z',
    next_at: null,
    can_delete: false,
  };
  const weekly = {
    ...once,
    target_name: 'Boutique',
    weekdays: [1],
    note: 'Thème',
    running_until: null,
    next_at: once.ends_at,
  };
  const listed = await prepare(['maintenance', 'list', '--limit', '2'], ({ method, path }) =>
    method === 'GET' && path === '/maintenance-windows?limit=2'
      ? { body: { items: [once, weekly], total: 2 } }
      : undefined,
  );
  expect(await listed.run()).toBe(0);
  const lines = listed.written.out.trim().split('\n');
  expect(lines[0]).toMatch(/^\S+\ta group not shared\tnow, until .+\tno\t$/);
  expect(lines[1]).toMatch(/^\S+\tBoutique\t.+\tyes\tThème$/);
  const ended = await prepare(['maintenance', 'end', once.id], ({ method, path }) =>
    method === 'DELETE' && path === `/maintenance-windows/${once.id}` ? { status: 204, body: {} } : undefined,
  );
  expect(await ended.run()).toBe(0);
});
