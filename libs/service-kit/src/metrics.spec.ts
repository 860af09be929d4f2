import { expect, it } from 'vitest';
import { busCalls, leasesLost } from './measures';
import { Metrics, readAtScrape, type Sample } from './metrics';

const sourcesIn = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/^vigie_metrics_source_up\{source="(\w+)",app="test"\} (\d)$/gm)].map(([, name, up]) => [
      name,
      up,
    ]),
  );
const lineOf = (text: string, start: string) => text.split('\n').find((line) => line.startsWith(start));

it('reports what was counted since metrics were opened, with the app’s name', async () => {
  leasesLost.inc({ side: 'worker' }, 7);
  const metrics = await Metrics.create('test');
  leasesLost.inc({ side: 'worker' }, 2);
  leasesLost.inc({ side: 'ledger' }, 0);
  busCalls.startTimer({ contract: 'a.b.c' })({ outcome: 'ok' });
  const text = await metrics.text();
  expect(lineOf(text, 'vigie_leases_lost_total')).toBe('vigie_leases_lost_total{side="worker",app="test"} 2');
  expect(text).toContain('vigie_bus_call_seconds_count{app="test",contract="a.b.c",outcome="ok"} 1');
  expect(text).not.toMatch(/^vigie_\w+\{side="ledger"/m);
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
});

it('answers even when a source fails, hangs or throws, and reports which', async () => {
  // Other test files of this worker may have added sources.
  const others = sourcesIn(await (await Metrics.create('test')).text());
  let samples: Sample[] = [{ name: 'vigie_jobs_open', labels: { kind: 'a', state: 'queued' }, value: 3 }];
  readAtScrape('there', () => samples);
  readAtScrape('failing', () => Promise.reject(new Error('away')));
  readAtScrape('hanging', () => new Promise(() => undefined));
  readAtScrape('throwing', () => {
    throw new Error('broken');
  });
  const metrics = await Metrics.create('test');
  for (const _ of [1, 2]) {
    const text = await metrics.text();
    expect(sourcesIn(text)).toEqual({
      ...others,
      there: '1',
      failing: '0',
      hanging: '0',
      throwing: '0',
    });
    expect(lineOf(text, 'vigie_jobs_open')).toBe('vigie_jobs_open{kind="a",state="queued",app="test"} 3');
  }
  samples = [];
  expect(lineOf(await metrics.text(), 'vigie_jobs_open')).toBeUndefined();
});

it('reads an expensive source once for all scrapes within its cache time', async () => {
  let reads = 0;
  const read = async () => {
    reads += 1;
    return [{ name: 'vigie_leases_held', value: reads }] as const;
  };
  readAtScrape('dear', read, { cacheMs: 60_000 });
  const metrics = await Metrics.create('test');
  const [first, other] = await Promise.all([metrics.text(), metrics.text()]);
  expect([first, other, await metrics.text()].map((text) => lineOf(text, 'vigie_leases_held'))).toEqual(
    [1, 1, 1].map((value) => `vigie_leases_held{app="test"} ${value}`),
  );
});
