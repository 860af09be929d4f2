import { randomBytes } from 'node:crypto';
import { AppError } from '@vigie/contracts/errors';
import { currentContext, runInContext } from './context';

/** All attributes that a span may have. Arguments, people’s texts and host names are not among them. */
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

export const spanKinds = { internal: 1, server: 2, client: 3, consumer: 5 } as const;

type SpanOptions = { name: string; kind: keyof typeof spanKinds; attributes?: Attributes };
export type EndedSpan = SpanOptions & {
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  attributes: Attributes;
  /** In milliseconds since 1970, with fractions. */
  startedAt: number;
  endedAt: number;
  isFailed: boolean;
};

let exportSpan: ((span: EndedSpan) => void) | undefined;

export function exportSpans(exporter: (span: EndedSpan) => void): void {
  exportSpan = exporter;
}

export const traceHeader = 'traceparent';

/** W3C trace context, version 00: trace, parent span, and the sampled flag. */
const traceparentForm = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]([0-9a-f])$/;
/** Nobody signs this header, so only its form is trusted. */
export const readTraceparent = (header: string | undefined): string | undefined =>
  traceparentForm.test(header ?? '') ? header : undefined;

const isRecorded = (flag: string) => Number.parseInt(flag, 16) % 2 === 1;

const now = () => performance.timeOrigin + performance.now();

class OpenSpan {
  private readonly spanId = randomBytes(8).toString('hex');
  private readonly startedAt = now();
  private readonly attributes: Attributes;
  private isFailed = false;
  private hasEnded = false;

  constructor(
    private readonly options: SpanOptions,
    private traceId: string,
    private parentId: string | undefined,
  ) {
    this.attributes = { ...options.attributes };
  }

  /** The header that makes this span the parent of the next one. */
  get traceparent(): string {
    return `00-${this.traceId}-${this.spanId}-01`;
  }

  /** Joins a caller’s trace once the caller is authenticated; returns false when that trace is not sampled. */
  join(traceparent: string): boolean {
    const [, traceId, parentId, flag = '1'] = traceparentForm.exec(traceparent) ?? [];
    if (traceId === undefined) return true;
    this.traceId = traceId;
    this.parentId = parentId;
    this.hasEnded ||= !isRecorded(flag);
    return !this.hasEnded;
  }

  addAttributes(attributes: Attributes): void {
    Object.assign(this.attributes, attributes);
  }

  fail(error?: unknown): void {
    this.isFailed = true;
    if (error !== undefined) this.addAttributes({ 'error.type': typeOf(error) });
  }

  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    const { options, traceId, spanId, parentId, attributes, startedAt, isFailed } = this;
    exportSpan?.({ ...options, traceId, spanId, parentId, attributes, startedAt, endedAt: now(), isFailed });
  }
}

/** Exports the error’s code, never its message, which may quote anything. */
function typeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  if (error instanceof Error && 'kind' in error && typeof error.kind === 'string') return error.kind;
  return error instanceof Error ? error.name : 'unknown';
}

/** Begins or continues the trace of a request from outside; undefined without an exporter or when it is not sampled. */
export function beginTrace(options: SpanOptions, traceparent: string | undefined): OpenSpan | undefined {
  if (!exportSpan) return undefined;
  const [, traceId = randomBytes(16).toString('hex'), parentId, flag = '1'] =
    traceparentForm.exec(traceparent ?? '') ?? [];
  return isRecorded(flag) ? new OpenSpan(options, traceId, parentId) : undefined;
}

export function beginSpan(options: SpanOptions): OpenSpan | undefined {
  const traceparent = currentContext()?.traceparent;
  return traceparent !== undefined && traceparentForm.test(traceparent) ? beginTrace(options, traceparent) : undefined;
}

export async function inSpan<T>(
  options: SpanOptions,
  work: (addAttributes: (attributes: Attributes) => void) => Promise<T>,
) {
  const span = beginSpan(options);
  const context = currentContext();
  if (!span || !context) return work(() => undefined);
  try {
    return await runInContext({ ...context, traceparent: span.traceparent }, () =>
      work((more) => span.addAttributes(more)),
    );
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}
