import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contract } from './contract';
import { JobTicket } from './jobs';

const page = z.object({ offset: z.int(), limit: z.int().optional() });
const list = z.object({ items: z.array(z.string()), total: z.int() });

describe('the route of a call', () => {
  it('has the usual status of its answer', () => {
    const input = z.object({});
    const made = [
      contract('sites.a.read', { http: 'GET /api/a', access: 'user', input, output: list }),
      contract('sites.a.delete', { http: 'DELETE /api/a', access: 'user', input, output: z.object({}) }),
      contract('sites.a.start', { http: 'POST /api/a', access: 'user', answer: 'ticket', input, output: JobTicket }),
      contract('sites.a.create', { http: 'POST /api/b', access: 'user', status: 201, input, output: list }),
    ];
    expect(made.map(({ status }) => status)).toEqual([200, 204, 202, 201]);
    expect(made.map(({ callers }) => callers)).toEqual(Array.from({ length: 4 }, () => ['gateway']));
  });

  it('does not compile with an answer that its output cannot give', () => {
    const http = 'GET /api/a';
    const access = 'user';
    // @ts-expect-error There is no list of that name.
    contract('sites.a.a', { http, access, answer: { pages: 'itmes' }, input: page, output: list });
    // @ts-expect-error The gateway could not read the list in parts.
    contract('sites.a.b', { http, access, answer: 'list', input: z.object({}), output: list });
    // @ts-expect-error There is no job to follow.
    contract('sites.a.c', { http, access, answer: 'ticket', input: page, output: list });
    // @ts-expect-error Only a call with a route is the gateway's by itself.
    contract('sites.a.d', { input: page, output: list });
    expect(
      contract('sites.a.e', { http, access, answer: { pages: 'items' }, input: page, output: list }).answer,
    ).toEqual({
      pages: 'items',
    });
  });
});
