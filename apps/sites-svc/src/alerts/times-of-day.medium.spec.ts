import { createDatabase, type TestDatabase } from '@vigie/testing/database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isQuiet, nextTimeOfDay } from './times-of-day';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database?.drop());

async function nextOf(time: string, zone: string, now: string): Promise<string> {
  const { rows } = await database.query<{ at: Date }>(
    `select ${nextTimeOfDay(`'${time}'`, `'${zone}'`, `timestamptz '${now}'`)} as at`,
  );
  return rows[0]?.at.toISOString() ?? '';
}

it.each([
  ['later on the same day', '08:00', 'Europe/Paris', '2026-07-01T05:00:00Z', '2026-07-01T06:00:00.000Z'],
  ['not at this very moment again', '08:00', 'Europe/Paris', '2026-07-01T06:00:00Z', '2026-07-02T06:00:00.000Z'],
  ['by the day of the zone', '08:00', 'Pacific/Auckland', '2026-07-01T13:00:00Z', '2026-07-01T20:00:00.000Z'],
  [
    'an hour later where its hour is skipped',
    '02:30',
    'Europe/Paris',
    '2026-03-29T00:10:00Z',
    '2026-03-29T01:30:00.000Z',
  ],
  ['and once', '02:30', 'Europe/Paris', '2026-03-29T01:30:00Z', '2026-03-30T00:30:00.000Z'],
  ['once where its hour comes twice', '02:30', 'Europe/Paris', '2026-10-25T00:10:00Z', '2026-10-25T01:30:00.000Z'],
  ['and not in both of them', '02:30', 'Europe/Paris', '2026-10-25T01:30:00Z', '2026-10-26T01:30:00.000Z'],
  ['at the new time after the night', '08:00', 'Europe/Paris', '2026-03-28T08:00:00Z', '2026-03-29T06:00:00.000Z'],
])('comes %s', async (_, time, zone, now, next) => {
  expect(await nextOf(time, zone, now)).toBe(next);
});

it.each([
  ['22:00', '07:00', '2026-07-01T19:59:00Z', false],
  ['22:00', '07:00', '2026-07-01T20:00:00Z', true],
  ['22:00', '07:00', '2026-07-02T04:59:00Z', true],
  ['22:00', '07:00', '2026-07-02T05:00:00Z', false],
  ['12:00', '14:00', '2026-07-01T10:00:00Z', true],
  ['12:00', '14:00', '2026-07-01T12:00:00Z', false],
  // Both nights of the change of clocks: at 02:30, which is skipped or comes twice.
  ['02:00', '03:00', '2026-03-29T01:30:00Z', false],
  ['02:00', '03:00', '2026-10-25T00:30:00Z', true],
  ['02:00', '03:00', '2026-10-25T01:30:00Z', true],
])('is quiet from %s to %s in Paris at %s: %s', async (from, to, now, quiet) => {
  const { rows } = await database.query<{ quiet: boolean }>(
    `select ${isQuiet('c', `timestamptz '${now}'`)} as quiet
     from (select time '${from}' as quiet_from, time '${to}' as quiet_to, 'Europe/Paris' as time_zone) c`,
  );
  expect(rows).toEqual([{ quiet }]);
});
