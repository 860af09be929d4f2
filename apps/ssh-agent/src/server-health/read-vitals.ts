import type { Vitals } from '@vigie/contracts/server-health';
import { readable } from '@vigie/ssh/failure';
import { type HostValues, parseHostValues } from '../servers/findings';

const maxDisks = 100;

/** Parses the vitals of a host, without values that make no sense. `now` is our clock at the time of the answer. */
export function readVitals(output: string, now: number): Vitals {
  const values = parseHostValues(output);
  const [load = '', , , tasks = ''] = (values.get('load')?.[0] ?? '').split(' ');
  const time = integerOf(values, 'time');
  const disk = fullestDisk(values);
  return {
    uptime_seconds: integerPartOf(values.get('uptime')?.[0], 3_200_000_000),
    load: numberUpTo(/^\d{1,6}(?:\.\d{1,4})?$/.exec(load)?.[0], 100_000),
    cores: within(integerOf(values, 'cores'), 1, 10_000),
    ...memoryOf(values),
    disk_pct: disk?.percent ?? null,
    disk_mount: disk?.mount ?? null,
    procs: within(integerOf(values, 'procs'), 0, 10_000_000),
    threads: within(Number(/^\d+\/(\d{1,8})$/.exec(tasks)?.[1] ?? Number.NaN), 0, 10_000_000),
    skew_seconds: time === null || time <= 0 ? null : Math.round(time - now / 1000),
  };
}

function integerOf(values: HostValues, word: string): number | null {
  const text = values.get(word)?.[0] ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

const within = (value: number | null, min: number, max: number) =>
  value !== null && value >= min && value <= max ? value : null;

const numberUpTo = (text: string | undefined, max: number) => within(text === undefined ? null : Number(text), 0, max);

function integerPartOf(text: string | undefined, max: number): number | null {
  const value = /^\d{1,10}(?:\.\d+)?$/.test(text ?? '') ? Math.floor(Number(text)) : null;
  return within(value, 0, max);
}

/** Kernels before 3.14 have no `MemAvailable`. */
function memoryOf(values: HostValues): Pick<Vitals, 'mem_used_kib' | 'mem_total_kib'> {
  const total = within(integerOf(values, 'MemTotal'), 1, 2 ** 42);
  const parts = ['MemFree', 'Buffers', 'Cached'].map((word) => integerOf(values, word) ?? 0);
  const available = integerOf(values, 'MemAvailable') ?? parts.reduce((sum, part) => sum + part, 0);
  if (total === null) return { mem_used_kib: null, mem_total_kib: null };
  return { mem_used_kib: Math.max(0, total - available), mem_total_kib: total };
}

type Disk = { device: string; percent: number; mount: string };

/** Ignores images and memory file systems, which are always or never full; in a container only the root counts. */
function fullestDisk(values: HostValues): Disk | undefined {
  const disks = (values.get('disk') ?? []).slice(0, maxDisks).flatMap((line) => diskOf(line) ?? []);
  const real = disks.filter(({ device }) => /^(?:\/dev\/(?!loop)|[\w.-]+\/[\w./-]+$)/.test(device));
  const shown = real.length > 0 ? real : disks.filter(({ mount }) => mount === '/');
  return shown.toSorted((one, other) => other.percent - one.percent)[0];
}

/** A line of `df -P`: device, blocks, used, available, percent, mount. */
function diskOf(line: string): Disk | undefined {
  const [, device, percent, mount] = /^(\S+)\s+\d+\s+\d+\s+-?\d+\s+(\d{1,3})%\s+(\/.*)$/.exec(line) ?? [];
  if (device === undefined || mount === undefined) return undefined;
  return { device, percent: Math.min(100, Number(percent)), mount: readable(mount).slice(0, 300) };
}
