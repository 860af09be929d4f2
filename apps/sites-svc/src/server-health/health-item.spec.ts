import { describe, expect, it } from 'vitest';
import type { Vitals } from '@vigie/contracts/server-health';
import { Server, type StoredStatus } from '../servers/server.entity';
import { alertsOf } from '../servers/alerts';
import { toHealthItem } from './health-item';

const normalVitals: Vitals = {
  uptime_seconds: 10,
  load: 0.5,
  cores: 2,
  mem_used_kib: 1_048_576,
  mem_total_kib: 4_194_304,
  disk_pct: 40,
  disk_mount: '/',
  procs: 1,
  threads: 2,
  skew_seconds: 0,
};
const storedStatus: StoredStatus = {
  online: true,
  method: 'ssh',
  uptime_seconds: 10,
  since: null,
  error: null,
  checked_at: '2026-01-01T00:00:00.000Z',
};
const itemOf = (vitals: Partial<Vitals> | null, status: Partial<StoredStatus> | null = {}) =>
  toHealthItem(
    Object.assign(new Server(), {
      id: 'a',
      name: 'web',
      host: 'h',
      vitals: vitals && { ...normalVitals, ...vitals },
      status: status && { ...storedStatus, ...status },
      alerts: [],
    }),
  );
const alertsIn = (vitals: Partial<Vitals>, status: { online?: boolean; method?: 'ssh' | 'tcp' | null } = {}) =>
  alertsOf({ online: true, method: 'ssh', ...status, vitals: { ...normalVitals, ...vitals } });

describe('the health of a server', () => {
  it('is formatted for the screen', () => {
    expect(itemOf({})).toMatchObject({ status: 'up', mem: '1/4\u00a0Gio', mem_pct: 25, disk: '40%:/' });
    // The database sorts by the stored value.
    expect(itemOf({ mem_used_kib: 29, mem_total_kib: 100 }).mem_pct).toBe(29);
    expect(itemOf(null, null)).toMatchObject({ status: 'unknown', load: null, mem: null, disk: null });
  });

  it.each<[Partial<Vitals>, string[]]>([
    [{ disk_pct: 89, mem_used_kib: 3_544_187, load: 7.99 }, []],
    [{ disk_pct: 90 }, ['disk']],
    [{ mem_used_kib: 3_565_159 }, ['memory']],
    [{ load: 8 }, ['load']],
    [{ load: 3.99, cores: null }, []],
    [{ load: 4, cores: null }, ['load']],
  ])('with %j is in alert for %j', (vitals, kinds) => {
    expect(alertsIn(vitals).map(({ kind }) => kind)).toEqual(kinds);
  });

  it('is in alert when the server is not up, whatever its last vitals', () => {
    const down = [{ kind: 'status', value: null, threshold: null }];
    expect(itemOf({}, { online: false, method: null }).status).toBe('down');
    expect(alertsIn({ disk_pct: 99 }, { online: false, method: null })).toEqual(down);
    expect(itemOf({}, { method: 'tcp' }).status).toBe('unknown');
    expect(alertsIn({}, { method: 'tcp' })).toEqual(down);
  });

  it('names the measured value and the threshold', () => {
    expect(alertsIn({ disk_pct: 93, load: 9 })).toEqual([
      { kind: 'disk', value: 93, threshold: 90 },
      { kind: 'load', value: 9, threshold: 8 },
    ]);
  });
});
