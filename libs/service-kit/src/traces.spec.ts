import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '@vigie/contracts/errors';
import { currentContext, runInContext } from './context';
import { beginSpan, beginTrace, type EndedSpan, exportSpans, inSpan } from './traces';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const header = `00-${traceId}-b7ad6b7169203331-01`;
const options = { name: 'GET /', kind: 'server' } as const;

const ended: EndedSpan[] = [];
const within = <T>(traceparent: string | undefined, work: () => T) =>
  runInContext({ requestId: 'r', traceparent }, work);

it('creates no span without an exporter', async () => {
  expect(beginTrace(options, header)).toBeUndefined();
  const traceparentSeen = await within(header, () => inSpan(options, async () => currentContext()?.traceparent));
  expect(traceparentSeen).toBe(header);
});

describe('with an exporter', () => {
  beforeAll(() => exportSpans((span) => ended.push(span)));
  beforeEach(() => {
    ended.length = 0;
  });

  it('nests spans, marks failures, and does not export error messages', async () => {
    const failing = within(header, () =>
      inSpan(options, () =>
        inSpan({ name: 'inner', kind: 'client' }, () => Promise.reject(new AppError('conflict', 'Non.'))),
      ),
    );
    await expect(failing).rejects.toThrow('Non.');
    const [inner, outer] = ended;
    expect(outer).toMatchObject({ traceId, parentId: 'b7ad6b7169203331', isFailed: true });
    expect(inner).toMatchObject({ traceId, parentId: outer?.spanId, attributes: { 'error.type': 'conflict' } });
    expect(JSON.stringify(ended)).not.toContain('Non.');
  });

  it.each(['', 'x', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, `01-${traceId}-b7ad6b7169203331-01`, `${header}-x`])(
    'begins a trace for an invalid header (%j)',
    (invalidHeader) => {
      const span = beginTrace(options, invalidHeader);
      expect(span?.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
      expect(span?.traceparent).not.toContain(traceId);
    },
  );

  it('creates no span for an unsampled trace', () => {
    expect(beginTrace(options, `00-${traceId}-b7ad6b7169203331-00`)).toBeUndefined();
  });

  it('joins the caller’s trace once the caller is authenticated', () => {
    const [joined, hidden, lost] = [
      beginTrace(options, undefined),
      beginTrace(options, undefined),
      beginTrace(options, undefined),
    ];
    expect([joined?.join(header), hidden?.join(header.replace(/1$/, '0')), lost?.join('x')]).toEqual([
      true,
      false,
      true,
    ]);
    for (const span of [joined, hidden, lost]) span?.end();
    expect(ended).toHaveLength(2);
    expect(ended[0]).toMatchObject({ traceId, parentId: 'b7ad6b7169203331' });
    expect(ended[1]).toMatchObject({ parentId: undefined });
  });

  it('creates no span outside a request', async () => {
    expect(within(undefined, () => beginSpan(options))).toBeUndefined();
    expect(await inSpan(options, async () => currentContext())).toBeUndefined();
    expect(ended).toEqual([]);
  });

  it('ends a span once', () => {
    const span = beginTrace(options, header);
    span?.end();
    span?.end();
    expect(ended).toHaveLength(1);
  });
});
