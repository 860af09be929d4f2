import type { TestProduct } from '@vigie/testing/product';
import type { Client } from 'pg';
import { busyMs } from '../proc';
import type { Counts, Layers } from './load-shares';
import { processorMs } from './memory';
import { readSamples, type Sample, sumOf } from './metric-samples';
import { sum } from './statistics';

type Counted = { product: TestProduct; client: Client; pids: ReadonlyMap<string, number> };

export async function countCosts({ product, client, pids }: Counted): Promise<Counts> {
  const texts = await Promise.all(product.processes.map(({ process }) => scrape(process.output)));
  const { rows } = await client.query<{ n: number }>(
    'select (xact_commit + xact_rollback)::float8 as n from pg_stat_database where datname = current_database()',
  );
  return {
    at: performance.now(),
    cpuMs: processorMs(pids),
    machineMs: busyMs(),
    transactions: rows[0]?.n ?? 0,
    layers: layersOf(texts.flatMap(readSamples)),
  };
}

/** Where the process said that it answers. */
async function scrape(output: string): Promise<string> {
  const [, port] = /"port":(\d+),"msg":"metrics"/.exec(output) ?? [];
  if (port === undefined) throw new Error('a process did not say where it is measured');
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

/** Of the calls of the gateway: agents and services call each other too. */
function layersOf(samples: readonly Sample[]): Layers {
  const byGateway = { app: 'gateway' };
  const called = samples.filter(
    ({ name, labels }) => name === 'vigie_bus_call_seconds_count' && labels.get('app') === 'gateway',
  );
  const contracts = [...new Set(called.flatMap(({ labels }) => labels.get('contract') ?? []))];
  return {
    requests: sumOf(samples, 'vigie_http_request_seconds_count'),
    requestSeconds: sumOf(samples, 'vigie_http_request_seconds_sum'),
    calls: sumOf(samples, 'vigie_bus_call_seconds_count', byGateway),
    callSeconds: sumOf(samples, 'vigie_bus_call_seconds_sum', byGateway),
    answerSeconds: sum(contracts.map((contract) => sumOf(samples, 'vigie_bus_answer_seconds_sum', { contract }))),
  };
}
