import type { Counter, Histogram, Registry } from 'prom-client';

type Labels<L extends string> = Partial<Record<L, string | number>>;
type MetricOptions<L extends string> = { help: string; labels: readonly L[] };
type Prom = typeof import('prom-client');

/**
 * Everything that the processes measure while they work. The code bounds the values of a label: never an id, a host or
 * a person’s text, because Prometheus keeps a series for each value.
 */
export const measures: (Durations | Count)[] = [];

/** A histogram of seconds. It records nothing until metrics are opened. */
class Durations<L extends string = string> {
  readonly type = 'histogram';
  private metric: Histogram | undefined;

  constructor(
    readonly name: string,
    readonly options: MetricOptions<L> & { buckets: readonly number[] },
  ) {
    measures.push(this);
  }

  open({ Histogram }: Prom, registry: Registry): void {
    const { help, labels, buckets } = this.options;
    const [labelNames, registers] = [[...labels], [registry]];
    this.metric = new Histogram({ name: this.name, help, labelNames, buckets: [...buckets], registers });
  }

  observe(labels: Labels<L>, seconds: number): void {
    this.metric?.observe(labels, seconds);
  }

  startTimer(labels: Labels<L> = {}): (more?: Labels<L>) => void {
    const since = performance.now();
    return (more) => this.observe({ ...labels, ...more }, (performance.now() - since) / 1_000);
  }
}

class Count<L extends string = string> {
  readonly type = 'counter';
  private metric: Counter | undefined;

  constructor(
    readonly name: string,
    readonly options: MetricOptions<L>,
  ) {
    measures.push(this);
  }

  open({ Counter }: Prom, registry: Registry): void {
    const { help, labels } = this.options;
    this.metric = new Counter({ name: this.name, help, labelNames: [...labels], registers: [registry] });
  }

  inc(labels: Labels<L>, by = 1): void {
    if (by > 0) this.metric?.inc(labels, by);
  }
}

export const httpRequests = new Durations('vigie_http_request_seconds', {
  help: 'Time from the first byte of a request to the last of its answer',
  labels: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30],
});

const busBuckets = [0.005, 0.025, 0.1, 0.5, 2, 10];
export const busCalls = new Durations('vigie_bus_call_seconds', {
  help: 'Time from a call on the bus to its answer, as its caller sees it',
  labels: ['contract', 'outcome'],
  buckets: busBuckets,
});
export const busAnswers = new Durations('vigie_bus_answer_seconds', {
  help: 'Time that the owner of a contract takes to answer a call',
  labels: ['contract', 'outcome'],
  buckets: busBuckets,
});

const jobBuckets = [0.5, 1, 2, 5, 15, 60, 300, 1_800, 7_200];
export const jobWaits = new Durations('vigie_job_wait_seconds', {
  help: 'Time from the acceptance of a job to its first start, or to its end if it never started',
  labels: ['kind', 'state'],
  buckets: jobBuckets,
});
export const jobRuns = new Durations('vigie_job_run_seconds', {
  help: 'Time from the first start of a job to its end, over all of its attempts',
  labels: ['kind', 'state'],
  buckets: jobBuckets,
});
export const leasesLost = new Count('vigie_leases_lost_total', {
  help: 'Jobs whose worker lost them: as the ledger takes them back, and as a live worker notices',
  labels: ['side'],
});
export const fencesRefused = new Count('vigie_fences_refused_total', {
  help: 'Calls about a job by a worker that no longer holds it',
  labels: ['contract'],
});
export const operationsUnknown = new Count('vigie_operations_unknown_total', {
  help: 'Jobs whose effect on their host could not be established',
  labels: ['kind'],
});

export const sshHandshakes = new Durations('vigie_ssh_handshake_seconds', {
  help: 'Time from the look-up of a host to its login, or its failure',
  labels: ['outcome'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
});
export const sshFailures = new Count('vigie_ssh_failures_total', {
  help: 'Operations that failed by the connection to their host, by cause',
  labels: ['kind'],
});
export const sshCommands = new Durations('vigie_ssh_command_seconds', {
  help: 'Time of one program on a host, by its file; unknown without an exit code',
  labels: ['payload', 'outcome'],
  buckets: [0.05, 0.25, 1, 5, 30, 300, 1_800],
});
export const spansLost = new Count('vigie_spans_lost_total', {
  help: 'Spans that the collector did not take, or that came faster than it accepts them',
  labels: ['reason'],
});

/** Gauges that are read at each scrape, by the process that knows them. */
export const gauges = {
  vigie_jobs_open: { help: 'Jobs that wait or run', labels: ['kind', 'state'] },
  vigie_jobs_oldest_seconds: {
    help: 'How long ago the oldest of these jobs was accepted',
    labels: ['kind', 'state'],
  },
  vigie_leases_held: { help: 'Jobs that this worker holds', labels: [] },
  vigie_outbox_lag_rows: {
    help: 'Outbox events of another service that this one has yet to apply',
    labels: ['source'],
  },
  vigie_outbox_lag_seconds: { help: 'Since when this service may lack outbox events of another', labels: ['source'] },
  vigie_sweep_lag_seconds: { help: 'By how much the most overdue check is late', labels: ['kind'] },
  vigie_sweep_wait_seconds: { help: 'Since when the oldest of these checks waits for an agent', labels: ['kind'] },
  vigie_watch_lag_seconds: {
    help: 'By how much the visit of a site is late that waits longest, here or for an agent',
    labels: [],
  },
  vigie_ssh_connections: { help: 'Shared connections that are open to hosts', labels: [] },
  vigie_ssh_channels: { help: 'Commands that are open on them', labels: [] },
  vigie_metrics_source_up: { help: 'Whether this source could be read at the last scrape', labels: ['source'] },
} as const;
export type GaugeName = keyof typeof gauges;
