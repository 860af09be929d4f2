import { randomBytes } from 'node:crypto';
import { AppError } from '@vigie/contracts/errors';
import { currentContext, runInContext } from './context';

/** All that a span may say: an argument, a text of a person or a host's name is not among it. */
type AttributeName =
  | 'http.request.method'
  | 'http.route'
  | 'http.response.status_code'
  | 'error.type'
  | 'vigie.request.id'
  | 'vigie.job.id'
  | 'vigie.job.kind'
  | 'vigie.job.attempt'
  | 'vigie.job.state'
  | 'vigie.target.id'
  | 'process.exit.code';
export type Attributes = Partial<Record<AttributeName, string | number>>;

/** As OTLP numbers them. */
export const spanKinds = { internal: 1, server: 2, client: 3, consumer: 5 } as const;

type SpanFacts = { name: string; kind: keyof typeof spanKinds; attributes?: Attributes };
export type EndedSpan = SpanFacts & {
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  attributes: Attributes;
  /** In milliseconds since 1970, and fractions of them. */
  startedAt: number;
  endedAt: number;
  isFailed: boolean;
};

let keep: ((span: EndedSpan) => void) | undefined;

/** From now on spans are made, and handed to `exporter` as they end. */
export function exportSpans(exporter: (span: EndedSpan) => void): void {
  keep = exporter;
}

export const traceHeader = 'traceparent';

/** W3C's, of the one version there is: the trace, the step that is its parent, and whether it is recorded at all. */
const form = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]([0-9a-f])$/;
const isRecorded = (flag: string) => Number.parseInt(flag, 16) % 2 === 1;

const now = () => performance.timeOrigin + performance.now();

/** One step of a trace while it lasts. */
class OpenSpan {
  private readonly spanId = randomBytes(8).toString('hex');
  private readonly startedAt = now();
  private readonly attributes: Attributes;
  private isFailed = false;
  private isOver = false;

  constructor(
    private readonly facts: SpanFacts,
    private traceId: string,
    private parentId: string | undefined,
  ) {
    this.attributes = { ...facts.attributes };
  }

  /** What the next step has as its parent. */
  get traceparent(): string {
    return `00-${this.traceId}-${this.spanId}-01`;
  }

  /** Goes on with a trace that began elsewhere, once whoever names it is believed; false where that is not recorded. */
  join(traceparent: string): boolean {
    const [, traceId, parentId, flag = '1'] = form.exec(traceparent) ?? [];
    if (traceId === undefined) return true;
    this.traceId = traceId;
    this.parentId = parentId;
    this.isOver ||= !isRecorded(flag);
    return !this.isOver;
  }

  note(attributes: Attributes): void {
    Object.assign(this.attributes, attributes);
  }

  fail(error?: unknown): void {
    this.isFailed = true;
    if (error !== undefined) this.note({ 'error.type': typeOf(error) });
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    const { facts, traceId, spanId, parentId, attributes, startedAt, isFailed } = this;
    keep?.({ ...facts, traceId, spanId, parentId, attributes, startedAt, endedAt: now(), isFailed });
  }
}

/** By its code, never by its words: those may quote anything. */
function typeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  if (error instanceof Error && 'kind' in error && typeof error.kind === 'string') return error.kind;
  return error instanceof Error ? error.name : 'unknown';
}

/** Of a request from outside, which may belong to a trace already. Undefined where nobody collects traces. */
export function beginTrace(facts: SpanFacts, traceparent: string | undefined): OpenSpan | undefined {
  if (!keep) return undefined;
  const [, traceId = randomBytes(16).toString('hex'), parentId, flag = '1'] = form.exec(traceparent ?? '') ?? [];
  return isRecorded(flag) ? new OpenSpan(facts, traceId, parentId) : undefined;
}

/** A part of what surrounds it. What nobody asked for belongs to no trace, and begins none. */
export function beginSpan(facts: SpanFacts): OpenSpan | undefined {
  const traceparent = currentContext()?.traceparent;
  return traceparent !== undefined && form.test(traceparent) ? beginTrace(facts, traceparent) : undefined;
}

/** Does the work as a part of what surrounds it, and what it does in turn as parts of that. */
export async function inSpan<T>(facts: SpanFacts, work: (note: (attributes: Attributes) => void) => Promise<T>) {
  const span = beginSpan(facts);
  const context = currentContext();
  if (!span || !context) return work(() => undefined);
  try {
    return await runInContext({ ...context, traceparent: span.traceparent }, () => work((more) => span.note(more)));
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}
