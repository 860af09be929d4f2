import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { planUpdates, updateItems } from '@vigie/contracts/changes';
import { createGroup, listGroups } from '@vigie/contracts/groups';
import { cancelJob } from '@vigie/contracts/jobs';
import { afterEach, describe, expect, it } from 'vitest';
import { Api } from './api';
import { Failure } from './failures';

type Seen = { method: string; url: string; headers: IncomingMessage['headers'] };
type Reply = (response: ServerResponse) => void;

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
/** The request has arrived, and nobody learns what became of it. */
const cut: Reply = (response) => response.destroy();

/** A server that gives these replies one after another, the last one for ever. */
async function serve(
  ...replies: Reply[]
): Promise<{ api: Api; patientApi: (ms: number) => Api; seen: Seen[]; url: string }> {
  const seen: Seen[] = [];
  server = createServer((request, response) => {
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    request.resume().on('end', () => (replies[seen.length - 1] ?? replies.at(-1) ?? cut)(response));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const access = { url, token: 'vgt_secret' };
  const patientApi = (ms: number) => new Api(access, undefined, { ms, tell: () => undefined });
  return { api: new Api(access), patientApi, seen, url };
}

const id = '0199d0a0-0000-7000-8000-000000000001';
const ticket = { job_id: id, state: 'queued' };
const items = [{ kind: 'plugin' as const, slug: 'a' }];
const ending = (name: string) => expect.objectContaining({ ending: name });

describe('an answer', () => {
  it('keeps the fields that this release does not know for programs', async () => {
    const { api } = await serve(json(202, { ...ticket, later: 1 }));
    const { data, raw } = await api.answer(updateItems, { id, items });
    expect([data, raw]).toEqual([ticket, { ...ticket, later: 1 }]);
  });

  it('of another shape is no answer, and names what is wrong', async () => {
    const { api } = await serve(json(200, [{ id }]));
    await expect(api.call(listGroups, {})).rejects.toMatchObject({
      ending: 'failed',
      words: { en: expect.stringContaining('0.name') },
    });
  });

  it.each([
    [400, 'usage'],
    [401, 'refused'],
    [403, 'refused'],
    [404, 'usage'],
    [409, 'refused'],
    [422, 'usage'],
  ])('of status %i ends as %s, with the sentence of the server', async (status, name) => {
    const { api } = await serve(json(status, { detail: { message: 'Non.', remedy: 'Faites autrement.', code: 'x' } }));
    await expect(api.call(cancelJob, { id })).rejects.toMatchObject({
      ending: name,
      words: { fr: 'Non. Faites autrement. (x)' },
    });
  });
});

describe('an order', () => {
  it('whose answer was lost is sent again with its key, since the server does it once', async () => {
    const { api, seen } = await serve(cut, json(202, ticket));
    expect(await api.call(updateItems, { id, items })).toEqual(ticket);
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(seen[0]?.headers['prefer']).toBe('respond-async');
  });

  it.each([
    ['cut', cut],
    ['a proxy', json(502, {})],
    ['another shape', json(200, { what: 1 })],
  ])('that no job stands for is sent once, and its outcome is unknown after %s', async (_, reply) => {
    const { api, seen } = await serve(reply);
    await expect(api.call(createGroup, { name: 'a' })).rejects.toEqual(ending('unknown'));
    expect(seen).toHaveLength(1);
  });

  it('that was refused after it was lost is still unknown', async () => {
    const { api } = await serve(cut, json(403, { detail: 'Non.' }));
    await expect(api.call(updateItems, { id, items })).rejects.toEqual(ending('unknown'));
  });

  it('that never left has failed', async () => {
    const { api } = await serve(cut);
    await new Promise((resolve) => server?.close(resolve));
    await expect(api.call(updateItems, { id, items })).rejects.toEqual(ending('failed'));
  });
});

describe('a reading', () => {
  it('waits for as long as the server asks', async () => {
    const { api, seen } = await serve(json(503, { detail: 'Un instant.' }, { 'retry-after': '1' }), json(200, []));
    expect(await api.call(listGroups, {})).toEqual([]);
    expect(seen).toHaveLength(2);
  });

  it('does not wait for minutes', async () => {
    const { api, seen } = await serve(json(429, { detail: 'Trop.' }, { 'retry-after': '600' }));
    await expect(api.call(listGroups, {})).rejects.toEqual(ending('refused'));
    expect(seen).toHaveLength(1);
  });

  it.each([
    ['cut', cut],
    ['a proxy', json(502, {})],
  ])('is asked again after %s, and so is a plan, which changes nothing', async (_, lost) => {
    const plan = { items: [], disks: [], notes: [], left_out: 0 };
    const { patientApi, seen } = await serve(lost, json(200, []), lost, json(200, plan));
    expect(await patientApi(30_000).call(listGroups, {})).toEqual([]);
    expect(await patientApi(30_000).call(planUpdates, { site_ids: [id] })).toEqual(plan);
    expect(seen).toHaveLength(4);
  });

  it('is asked for as long as the patience lasts', async () => {
    const { patientApi, seen } = await serve(json(502, {}));
    await expect(patientApi(200).call(listGroups, {})).rejects.toEqual(ending('failed'));
    expect(seen).toHaveLength(2);
  });

  it.each([
    ['a refusal', json(403, { detail: 'Non.' })],
    ['another address', json(302, {}, { location: 'http://127.0.0.1:1/' })],
    ['another shape', json(200, { what: 1 })],
  ])('is not asked again after %s', async (_, reply) => {
    const { patientApi, seen } = await serve(reply);
    await expect(patientApi(30_000).call(listGroups, {})).rejects.toBeInstanceOf(Failure);
    expect(seen).toHaveLength(1);
  });

  it('does not look for long for a name that was never found', async () => {
    let told = 0;
    const api = new Api({ url: 'http://vigie.invalid' }, undefined, { ms: 1_500, tell: () => told++ });
    await expect(api.call(listGroups, {})).rejects.toEqual(ending('failed'));
    expect(told).toBe(0);
  });

  it('that was lost has failed, and so has a plan, which changes nothing', async () => {
    const { api } = await serve(cut);
    await expect(api.call(listGroups, {})).rejects.toEqual(ending('failed'));
    await expect(api.call(planUpdates, { site_ids: [id] })).rejects.toEqual(ending('failed'));
  });
});

it('takes the token to no other address', async () => {
  const { api, seen, url } = await serve(json(302, {}, { location: 'http://127.0.0.1:1/api/groups' }));
  await expect(api.call(listGroups, {})).rejects.toMatchObject({ words: { en: expect.stringContaining('redirects') } });
  expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer vgt_secret']);
  expect(url).toContain('127.0.0.1');
});

it('never writes the token into a failure', async () => {
  const { api } = await serve(json(401, { detail: 'Session expirée.' }));
  const error: unknown = await api.call(listGroups, {}).catch((failure: unknown) => failure);
  expect(JSON.stringify(error)).not.toContain('vgt_');
});
