import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Gauge, Registry } from 'prom-client';
import { refuseToStart } from './env';
import type { Log } from './log';
import { type GaugeName, gauges, measures } from './measures';

type Labels = Record<string, string>;
export type Sample = { name: Exclude<GaugeName, 'vigie_metrics_source_up'>; labels?: Labels; value: number };
type Read = () => readonly Sample[] | Promise<readonly Sample[]>;
type MakeGauge = (name: GaugeName) => Gauge;

/** A source that takes longer is skipped: Prometheus gives up after ten seconds, and wants the others. */
const maxReadMs = 2_000;

class Source {
  private cached: { samples: readonly Sample[]; until: number } | undefined;
  private reading: Promise<readonly Sample[]> | undefined;
  private isLate = false;

  constructor(
    readonly name: string,
    private readonly cacheMs: number,
    private readonly read: Read,
  ) {}

  /** Returns undefined when the source could not be read in time. */
  async samples(): Promise<readonly Sample[] | undefined> {
    if (this.cached && performance.now() < this.cached.until) return this.cached.samples;
    if (this.isLate) return undefined;
    this.reading ??= this.readNow().finally(() => {
      this.reading = undefined;
      this.isLate = false;
    });
    const deadline = new AbortController();
    const late = wait(maxReadMs, undefined, { signal: deadline.signal }).then(
      () => void (this.isLate = true),
      () => undefined,
    );
    const read = await Promise.race([this.reading, late]).catch(() => undefined);
    deadline.abort();
    return read ?? undefined;
  }

  private async readNow(): Promise<readonly Sample[]> {
    const samples = await this.read();
    this.cached = { samples, until: performance.now() + this.cacheMs };
    return samples;
  }

  setGauges(samples: readonly Sample[] | undefined, gaugeOf: MakeGauge): void {
    for (const { name, labels = {}, value } of samples ?? []) gaugeOf(name).set(labels, value);
    gaugeOf('vigie_metrics_source_up').set({ source: this.name }, samples ? 1 : 0);
  }
}

const sources: Source[] = [];

/** Adds a source that is read at each scrape, or less often when reading is expensive. */
export function readAtScrape(name: string, read: Read, { cacheMs = 0 } = {}): void {
  sources.push(new Source(name, cacheMs, read));
}

export class Metrics {
  private readonly usedGauges = new Map<GaugeName, Gauge>();

  private constructor(
    private readonly registry: Registry,
    private readonly makeGauge: MakeGauge,
  ) {}

  /** Loads prom-client only when metrics are opened. */
  static async create(app: string): Promise<Metrics> {
    const prom = await import('prom-client');
    const registry = new prom.Registry();
    registry.setDefaultLabels({ app });
    prom.collectDefaultMetrics({ register: registry });
    for (const measure of measures) measure.open(prom, registry);
    const make = (name: GaugeName) => {
      const { help, labels } = gauges[name];
      return new prom.Gauge({ name, help, labelNames: [...labels], registers: [registry] });
    };
    return new Metrics(registry, make);
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** Returns every value that could be read; a failing source does not affect the others. */
  async text(): Promise<string> {
    const read = await Promise.all(sources.map(async (source) => ({ source, samples: await source.samples() })));
    // Gauges are reset, so that values no source reports any more disappear; two sources may share a gauge.
    for (const gauge of this.usedGauges.values()) gauge.reset();
    for (const { source, samples } of read) source.setGauges(samples, (name) => this.gauge(name));
    return this.registry.metrics();
  }

  /** Created on first use, so that a process exposes only its own gauges. */
  private gauge(name: GaugeName): Gauge {
    const gauge = this.usedGauges.get(name) ?? this.makeGauge(name);
    this.usedGauges.set(name, gauge);
    return gauge;
  }
}

export type MetricsEnv = { HOST: string; VIGIE_METRICS_PORT?: number | undefined };

/** Serves metrics on a separate port, so that publishing the application does not publish them. */
export async function openMetrics(app: string, { HOST: host, VIGIE_METRICS_PORT: port }: MetricsEnv, log: Log) {
  if (port === undefined) return;
  const metrics = await Metrics.create(app);
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') response.writeHead(404).end();
    else void answer(metrics, response, log);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve)).catch(
    (error: NodeJS.ErrnoException) => {
      refuseToStart([`VIGIE_METRICS_PORT: ${host}:${port} cannot be opened (${error.code})`]);
    },
  );
  const address = server.address();
  log.info({ port: typeof address === 'object' ? address?.port : port }, 'metrics');
}

async function answer(metrics: Metrics, response: ServerResponse, log: Log): Promise<void> {
  try {
    const text = await metrics.text();
    response.setHeader('content-type', metrics.contentType).end(text);
  } catch (error) {
    log.error({ err: error }, 'the metrics could not be written');
    response.writeHead(500).end();
  }
}
