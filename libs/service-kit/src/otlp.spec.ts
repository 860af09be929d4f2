import { afterAll, beforeAll, expect, it } from 'vitest';
import { FakeCollector } from '@vigie/testing/otlp';
import { until } from '@vigie/testing/until';
import { makeLog } from './log';
import { Metrics } from './metrics';
import { OtlpExporter, readHeaders } from './otlp';
import type { EndedSpan } from './traces';

const log = makeLog('test', 'silent');
let collector: FakeCollector;
beforeAll(async () => {
  collector = await FakeCollector.start('jeton');
});
afterAll(() => collector?.close());

const span = (name: string): EndedSpan => ({
  name,
  kind: 'client',
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  parentId: undefined,
  attributes: { 'vigie.job.kind': 'sites.test', 'process.exit.code': 3 },
  startedAt: Date.now() - 12.5,
  endedAt: Date.now(),
  isFailed: true,
});
const exporterTo = (endpoint: string, token = 'jeton') =>
  new OtlpExporter('test', { endpoint, headers: readHeaders(`authorization=Bearer%20${token}, x-a=b=c`) }, log);

it('sends spans to a collector, periodically and on flush', async () => {
  const exporter = exporterTo(`${collector.url}/`);
  exporter.add(span('by itself'));
  await until(() => collector.spans.length === 1);
  for (let n = 0; n < 600; n += 1) exporter.add(span(`${n}`));
  await exporter.flush();
  expect(collector.refusals).toEqual([]);
  expect(collector.spans).toHaveLength(601);
  expect(collector.spans[0]).toMatchObject({
    service: 'vigie-test',
    name: 'by itself',
    attributes: { 'vigie.job.kind': 'sites.test', 'process.exit.code': '3' },
  });
});

it('drops spans that the collector does not take, without an error', async () => {
  const metrics = await Metrics.create('test');
  const refused = exporterTo(collector.url, 'faux');
  refused.add(span('refused'));
  await refused.flush();
  expect(collector.refusals).toEqual(['no token']);
  const nowhere = exporterTo('http://127.0.0.1:1');
  nowhere.add(span('lost'));
  for (let n = 1; n < 4_100; n += 1) nowhere.add(span('lost'));
  await nowhere.flush();
  const measured = await metrics.text();
  expect(measured).toContain('vigie_spans_lost_total{reason="refused",app="test"} 4097');
  expect(measured).toContain('vigie_spans_lost_total{reason="too_many",app="test"} 4');
  expect(collector.spans.filter(({ name }) => name === 'refused' || name === 'lost')).toEqual([]);
});

it('parses headers as the specification writes them', () => {
  expect(readHeaders('')).toEqual({});
  expect(readHeaders('a=1, authorization=Basic%20eA%3D%3D ,')).toEqual({ a: '1', authorization: 'Basic eA==' });
});
