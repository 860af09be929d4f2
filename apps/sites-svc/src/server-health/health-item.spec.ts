import { describe, expect, it } from '@jest/globals';
import type { Vitals } from '@vigie/contracts/server-health';
import { Server, type SeenStatus } from '../servers/server.entity';
import { toHealthItem } from './health-item';

const calm: Vitals = {
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
const seen: SeenStatus = {
  online: true,
  method: 'ssh',
  uptime_seconds: 10,
  since: null,
  error: null,
  checked_at: '2026-01-01T00:00:00.000Z',
};
const itemOf = (vitals: Partial<Vitals> | null, status: Partial<SeenStatus> | null = {}) =>
  toHealthItem(
    Object.assign(new Server(), {
      id: 'a',
      name: 'web',
      host: 'h',
      vitals: vitals && { ...calm, ...vitals },
      status: status && { ...seen, ...status },
    }),
  );

describe('the health of a server', () => {
  it('reads as the screen shows it', () => {
    expect(itemOf({})).toMatchObject({ status: 'up', mem: '1/4\u00a0Gio', mem_pct: 25, disk: '40%:/', alerts: [] });
    expect(itemOf(null, null)).toMatchObject({ status: 'unknown', load: null, mem: null, disk: null, alerts: [] });
  });

  it.each<[Partial<Vitals>, string[]]>([
    [{ disk_pct: 89, mem_used_kib: 3_544_187, load: 7.99 }, []],
    [{ disk_pct: 90 }, ['disk']],
    [{ mem_used_kib: 3_565_159 }, ['memory']],
    [{ load: 8 }, ['load']],
    [{ load: 3.99, cores: null }, []],
    [{ load: 4, cores: null }, ['load']],
  ])('with %j is in alert for %j', (vitals, kinds) => {
    expect(itemOf(vitals).alerts.map(({ kind }) => kind)).toEqual(kinds);
  });

  it('is in alert when it is not up, and not before it was looked at', () => {
    expect(itemOf({}, { online: false, method: null })).toMatchObject({ status: 'down', alerts: [{ kind: 'status' }] });
    expect(itemOf({}, { method: 'tcp' })).toMatchObject({ status: 'unknown', alerts: [{ kind: 'status' }] });
    expect(itemOf(null, null).alerts).toEqual([]);
  });
});
