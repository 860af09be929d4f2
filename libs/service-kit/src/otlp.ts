import { release } from '@vigie/contracts/release';
import { instance } from './health';
import type { Log } from './log';
import { spansLost } from './measures';
import { type Attributes, type EndedSpan, spanKinds } from './traces';

const everyMs = 1_000;
const batchSize = 512;
/** Spans beyond this are dropped and counted while the collector is away. */
const maxBuffered = 4_096;
const timeoutMs = 5_000;
const warnEveryMs = 60_000;

type Collector = { endpoint: string; headers: Record<string, string> };

/** Sends ended spans to an OpenTelemetry collector, by OTLP over HTTP as JSON. Nothing ever waits for it. */
export class OtlpExporter {
  private buffered: EndedSpan[] = [];
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> | undefined;
  private warnedAt = Number.NEGATIVE_INFINITY;
  private readonly url: string;

  constructor(
    private readonly app: string,
    private readonly collector: Collector,
    private readonly log: Log,
  ) {
    this.url = `${collector.endpoint.replace(/\/+$/, '')}/v1/traces`;
  }

  add(span: EndedSpan): void {
    if (this.buffered.length >= maxBuffered) return spansLost.inc({ reason: 'too_many' });
    this.buffered.push(span);
    this.timer ??= setTimeout(() => void this.flush(), everyMs).unref();
  }

  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.sending ??= this.send().finally(() => {
      this.sending = undefined;
    });
    await this.sending;
  }

  private async send(): Promise<void> {
    while (this.buffered.length > 0) {
      const spans = this.buffered.splice(0, batchSize);
      try {
        await this.post(spans);
      } catch (error) {
        spansLost.inc({ reason: 'refused' }, spans.length);
        this.warn(error);
      }
    }
  }

  private async post(spans: readonly EndedSpan[]): Promise<void> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { ...this.collector.headers, 'content-type': 'application/json' },
      body: JSON.stringify(toOtlp(this.app, spans)),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the collector answered ${response.status}`);
  }

  private warn(error: unknown): void {
    if (performance.now() - this.warnedAt < warnEveryMs) return;
    this.warnedAt = performance.now();
    this.log.warn({ err: error }, 'traces are lost: the collector does not take them');
  }
}

const toOtlp = (app: string, spans: readonly EndedSpan[]) => ({
  resourceSpans: [
    {
      resource: {
        attributes: toList({
          'service.name': `vigie-${app}`,
          'service.version': release,
          'service.instance.id': instance,
        }),
      },
      scopeSpans: [{ scope: { name: 'vigie' }, spans: spans.map(toSpan) }],
    },
  ],
});

const toSpan = ({ traceId, spanId, parentId, name, kind, startedAt, endedAt, attributes, isFailed }: EndedSpan) => ({
  traceId,
  spanId,
  ...(parentId !== undefined && { parentSpanId: parentId }),
  name,
  kind: spanKinds[kind],
  startTimeUnixNano: nanoseconds(startedAt),
  endTimeUnixNano: nanoseconds(endedAt),
  attributes: toList(attributes),
  status: isFailed ? { code: 2 } : {},
});

/** A text, because nanoseconds since 1970 exceed a safe integer. */
const nanoseconds = (ms: number) => `${BigInt(Math.round(ms * 1_000)) * 1_000n}`;

const toList = (attributes: Attributes | Record<string, string>) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: `${Math.round(value)}` } : { stringValue: value },
  }));

export function readHeaders(list: string): Record<string, string> {
  const pairs = list.split(',').flatMap((pair) => {
    const [name = '', ...value] = pair.trim().split('=');
    return name === '' ? [] : [[decodeURIComponent(name.trim()), decodeURIComponent(value.join('=').trim())]];
  });
  return Object.fromEntries(pairs);
}
