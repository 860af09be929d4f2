import { describe, expect, it } from 'vitest';
import { readVitals } from './read-vitals';

const honest = [
  'time\t1000',
  'uptime\t93784.12',
  'load\t0.52 0.40 0.30 2/345 6789',
  'cores\t4',
  'MemTotal\t4000000',
  'MemFree\t1000000',
  'MemAvailable\t3000000',
  'procs\t120',
  'disk\tFilesystem 1024-blocks Used Available Capacity Mounted on',
  'disk\t/dev/sda1 1000 400 600 40% /',
  'disk\t/dev/sdb1 1000 930 70 93% /srv/sites web',
  'disk\t/dev/loop3 1000 1000 0 100% /snap/core',
  'disk\ttmpfs 1000 1000 0 100% /run',
];
const read = (lines: readonly string[]) => readVitals(lines.join('\n'), 1_000_000);
const nothing = {
  uptime_seconds: null,
  load: null,
  cores: null,
  mem_used_kib: null,
  mem_total_kib: null,
  disk_pct: null,
  disk_mount: null,
  procs: null,
  threads: null,
  skew_seconds: null,
};

describe('the vitals of a host', () => {
  it('are read as it prints them', () => {
    expect(read(honest)).toEqual({
      uptime_seconds: 93_784,
      load: 0.52,
      cores: 4,
      mem_used_kib: 1_000_000,
      mem_total_kib: 4_000_000,
      disk_pct: 93,
      disk_mount: '/srv/sites web',
      procs: 120,
      threads: 345,
      skew_seconds: 0,
    });
  });

  it('count free memory on an old kernel, and the root of a container', () => {
    const old = ['MemTotal\t1000', 'MemFree\t100', 'Buffers\t100', 'Cached\t300', 'disk\toverlay 10 5 5 50% /'];
    expect(read(old)).toMatchObject({ mem_used_kib: 500, disk_pct: 50, disk_mount: '/' });
  });

  it.each([
    [[]],
    [['load\t-1', 'cores\t0', 'uptime\t1e99', 'time\tnow', 'procs\t99999999999', 'MemTotal\tlots']],
    [['load\tNaN 0 0 x/y', 'cores\t4.5', 'disk\t/dev/sda1 1 1 1 5% relative']],
    [['a line without a tab', '\tno word']],
  ])('are unknown if %j makes no sense', (lines) => {
    expect(read(lines)).toEqual(nothing);
  });
});
