import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boundFetch } from './bounded-fetch';

const server = createServer((request, response) => {
  if (request.url === '/whole') response.end('{"whole":true}');
  else if (request.url === '/none') response.writeHead(204).end();
  // This answer never ends.
  else response.write('x'.repeat(2_000));
});
let url: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('an answer', () => {
  const fetchPatiently = boundFetch({ timeoutMs: 60_000, maxBytes: 10_000 });

  it('is read as it is, with a body and without', async () => {
    expect(await (await fetchPatiently(`${url}/whole`)).json()).toEqual({ whole: true });
    expect((await fetchPatiently(`${url}/none`)).status).toBe(204);
  });

  it('that never ends is abandoned', async () => {
    const fetchSoon = boundFetch({ timeoutMs: 200, maxBytes: 10_000 });
    // On a busy machine the deadline may already have passed when the answer begins.
    const text = fetchSoon(`${url}/endless`).then((answer) => answer.text());
    await expect(text).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('that is too long is cut', async () => {
    const fetchLittle = boundFetch({ timeoutMs: 60_000, maxBytes: 1_000 });
    const answer = await fetchLittle(`${url}/endless`);
    await expect(answer.text()).rejects.toThrow('more than 1000 bytes');
  });

  it('is not awaited when the caller aborts', async () => {
    const aborted = fetchPatiently(`${url}/whole`, { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  });
});
