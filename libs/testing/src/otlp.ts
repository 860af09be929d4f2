import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { FakeParty } from './fake-party';

const nanoseconds = z.string().regex(/^\d{19}$/);
const Attribute = z.strictObject({
  key: z.string().min(1),
  value: z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  ]),
});
const Span = z
  .strictObject({
    traceId: z.string().regex(/^(?!0+$)[0-9a-f]{32}$/),
    spanId: z.string().regex(/^(?!0+$)[0-9a-f]{16}$/),
    parentSpanId: z
      .string()
      .regex(/^(?!0+$)[0-9a-f]{16}$/)
      .optional(),
    name: z.string().min(1),
    kind: z.int().min(1).max(5),
    startTimeUnixNano: nanoseconds,
    endTimeUnixNano: nanoseconds,
    attributes: z.array(Attribute),
    status: z.strictObject({ code: z.int().min(0).max(2).optional() }),
  })
  .refine((span) => BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano), 'ends before it starts');
const Traces = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: z.array(Attribute) }),
      scopeSpans: z.array(z.strictObject({ scope: z.strictObject({ name: z.string() }), spans: z.array(Span) })),
    }),
  ),
});

export type CollectedSpan = {
  service: string;
  traceId: string;
  id: string;
  parent: string | undefined;
  name: string;
  attributes: Record<string, string>;
  /** In milliseconds since 1970, with fractions. */
  startedAt: number;
  endedAt: number;
};

/** A fake OpenTelemetry collector: accepts traces in OTLP's JSON and refuses all else. */
export class FakeCollector extends FakeParty {
  readonly spans: CollectedSpan[] = [];
  received = '';
  readonly refusals: string[] = [];

  private constructor(private readonly token: string) {
    super();
  }

  static start(token: string): Promise<FakeCollector> {
    return new FakeCollector(token).listen();
  }

  spansOf(traceId: string): CollectedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    this.received += body;
    const fault = this.faultOf(request, body);
    if (fault !== undefined) this.refusals.push(fault);
    response.writeHead(fault === undefined ? 200 : 400, { 'content-type': 'application/json' }).end('{}');
  }

  private faultOf({ method, url, headers }: IncomingMessage, body: string): string | undefined {
    if (method !== 'POST' || url !== '/v1/traces') return `${method} ${url}`;
    if (headers['content-type'] !== 'application/json') return `content-type ${headers['content-type']}`;
    if (headers.authorization !== `Bearer ${this.token}`) return 'no token';
    const parsed = Traces.safeParse(JSON.parse(body));
    if (!parsed.success) return parsed.error.message;
    for (const { resource, scopeSpans } of parsed.data.resourceSpans) {
      const service = toRecord(resource.attributes)['service.name'] ?? '';
      this.spans.push(...scopeSpans.flatMap(({ spans }) => spans.map((span) => toCollected(service, span))));
    }
    return undefined;
  }
}

const toRecord = (attributes: readonly z.infer<typeof Attribute>[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? '']));

const toCollected = (service: string, span: z.infer<typeof Span>): CollectedSpan => ({
  service,
  traceId: span.traceId,
  id: span.spanId,
  parent: span.parentSpanId,
  name: span.name,
  attributes: toRecord(span.attributes),
  startedAt: Number(span.startTimeUnixNano) / 1e6,
  endedAt: Number(span.endTimeUnixNano) / 1e6,
});
