import type { TestProduct } from '@vigie/testing/product';
import type { Client } from 'pg';
import { busyMs } from '../proc';
import type { Counts, Layers } from './load-shares';
import { processorMs } from './memory';
import { readSamples, type Sample, sumSamples } from './metric-samples';
import { sum } from './statistics';

type CostContext = { product: TestProduct; client: Client; pids: ReadonlyMap<string, number> };

export async function countCosts({ product, client, pids }: CostContext): Promise<Counts> {
  const texts = await Promise.all(product.processes.map(({ process }) => fetchMetrics(process.output)));
  const { rows } = await client.query<{ n: number }>(
    'select (xact_commit + xact_rollback)::float8 as n from pg_stat_database where datname = current_database()',
  );
  return {
    at: performance.now(),
    cpuMs: processorMs(pids),
    machineMs: busyMs(),
    transactions: rows[0]?.n ?? 0,
    layers: readLayers(texts.flatMap(readSamples)),
  };
}

/** Reads the metrics port from the log of the process. */
async function fetchMetrics(output: string): Promise<string> {
  const [, port] = /"port":(\d+),"msg":"metrics"/.exec(output) ?? [];
  if (port === undefined) throw new Error('a process did not log its metrics port');
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

/** Only calls of the gateway count. Agents and services also call each other. */
function readLayers(samples: readonly Sample[]): Layers {
  const byGateway = { app: 'gateway' };
  const callSamples = samples.filter(
    ({ name, labels }) => name === 'vigie_bus_call_seconds_count' && labels.get('app') === 'gateway',
  );
  const contracts = [...new Set(callSamples.flatMap(({ labels }) => labels.get('contract') ?? []))];
  return {
    requests: sumSamples(samples, 'vigie_http_request_seconds_count'),
    requestSeconds: sumSamples(samples, 'vigie_http_request_seconds_sum'),
    calls: sumSamples(samples, 'vigie_bus_call_seconds_count', byGateway),
    callSeconds: sumSamples(samples, 'vigie_bus_call_seconds_sum', byGateway),
    answerSeconds: sum(contracts.map((contract) => sumSamples(samples, 'vigie_bus_answer_seconds_sum', { contract }))),
  };
}
