import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, utimes } from 'node:fs/promises';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addUser } from '@vigie/testing/people';
import { type Answer, TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';
import { sendArchive } from '@vigie/testing/uploads';
import { aPlugin, aTheme, aVersionless } from '@vigie/testing/zip';

let product: TestProduct;
let root: string;
let client: Awaited<ReturnType<typeof addUser>>;
let dripped: Promise<{ status: number; body: string }>;
let closed: Promise<number>;

beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc']);
  root = await product.login();
  client = await addUser(product, root);
  dripped = drip();
  closed = dripJson();
});
afterAll(() => product?.stop());

const inStore = (folder: 'incoming' | 'objects') => readdir(join(product.home, 'store', folder));
/** Only the slow upload may be left. */
const isNothingComing = async () => (await inStore('incoming')).length <= 1;

type Options = { token?: string; kind?: string; query?: string; headers?: Record<string, string> };
const send = (archive: Buffer, filename: string, options: Options = {}): Promise<Answer> =>
  sendArchive(product, archive, filename, { token: root, ...options });

const list = async (token = root, headers = {}) =>
  (await product.request('GET', '/api/uploads', { token, headers })).body as unknown as Record<string, unknown>[];
const remove = (path: string, token = root, headers = {}) =>
  product.request('DELETE', `/api/uploads/${path}`, { token, headers });

const boundary = 'phare';
const opening = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="lent.zip"\r\n\r\n`;

/** Opens a request whose body the test writes itself. */
function open(length: number | undefined, headers: Record<string, string> = {}): ClientRequest {
  const { port } = new URL(product.gateways[0] ?? '');
  return httpRequest({
    port,
    method: 'POST',
    path: '/api/uploads/plugins',
    headers: {
      authorization: `Bearer ${root}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(length !== undefined && { 'content-length': length }),
      ...headers,
    },
  });
}

async function answerTo(sent: ClientRequest): Promise<{ status: number; body: string }> {
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, body: await text(response) };
}

async function drip(): Promise<{ status: number; body: string }> {
  const sent = open(100_000);
  sent.on('error', () => undefined);
  sent.write(opening);
  const timer = setInterval(() => sent.write('x'), 1_000);
  return answerTo(sent).finally(() => clearInterval(timer));
}

/** A slow JSON body without a session; returns the status, or 0 if the connection was cut. */
async function dripJson(): Promise<number> {
  const sent = open(10, { 'content-type': 'application/json', authorization: '' });
  sent.on('error', () => undefined);
  const answer = answerTo(sent).then(
    ({ status }) => status,
    () => 0,
  );
  const cut = new Promise<number>((resolve) => sent.once('close', () => resolve(0)));
  sent.write('[');
  const status = await Promise.race([answer, cut]);
  await cut;
  return status;
}

async function sendBody(body: string | Buffer, headers: Record<string, string> = {}) {
  const sent = open(Buffer.byteLength(body), headers);
  sent.end(body);
  return answerTo(sent);
}

describe('an archive', () => {
  it('is stored, listed with its content, and deleted', async () => {
    const archive = aPlugin();
    const made = await send(archive, 'Boussole été.zip');
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      filename: 'Boussole été.zip',
      type: 'plugin',
      size: archive.length,
      slug: 'boussole',
      version: '2.1.0',
      name: 'Boussole',
      requires: { wp: '6.4', php: '8.1' },
      createdAt: expect.stringMatching(/Z$/),
      sha256: createHash('sha256').update(archive).digest('hex'),
    });
    expect(await list()).toEqual([made.body]);
    expect(await inStore('objects')).toHaveLength(1);
    expect((await remove('themes/Boussole%20%C3%A9t%C3%A9.zip')).status).toBe(404);
    expect((await remove('plugins/Boussole%20%C3%A9t%C3%A9.zip')).status).toBe(204);
    expect([await list(), await inStore('objects')]).toEqual([[], []]);
    const { body } = await product.request('GET', '/api/dashboard/activity?limit=2', { token: root });
    const details = { kind: 'plugin', name: 'Boussole été.zip', slug: 'boussole', to: '2.1.0' };
    expect(body['items']).toMatchObject([
      { type: 'upload_delete', details },
      { type: 'upload_create', details },
    ]);
  });

  it('of a theme has its own type, and a missing version is null', async () => {
    expect((await send(aTheme(), 'voile.zip', { kind: 'themes' })).body).toMatchObject({
      type: 'theme',
      slug: 'voile',
    });
    expect((await send(aVersionless(), 'voile.zip')).body).toMatchObject({ type: 'plugin', version: null });
    expect((await remove('plugins/voile.zip')).status).toBe(204);
    expect((await remove('themes/voile.zip')).status).toBe(204);
  });

  it('with a name that exists is refused, or replaces the other if requested', async () => {
    const first = await send(aPlugin(), 'a.zip');
    const again = await send(aPlugin({ version: '3' }), 'a.zip');
    expect([again.status, again.body['detail']]).toEqual([
      409,
      { message: expect.stringContaining('déjà présent'), code: 'upload_exists' },
    ]);
    const replaced = await send(aPlugin({ version: '3' }), 'a.zip', { query: '?replace=1' });
    expect(replaced.body).toMatchObject({ id: first.body['id'], version: '3' });
    expect([await list(), await inStore('objects')]).toEqual([[replaced.body], [expect.any(String)]]);
    expect((await send(aPlugin(), 'a.zip', { query: '?replace=oui' })).status).toBe(400);
    await remove('plugins/a.zip');
  });

  it('is created once for one idempotency key, which refuses another archive', async () => {
    const headers = { 'idempotency-key': randomBytes(8).toString('hex') };
    const [first, second] = [await send(aPlugin(), 'b.zip', { headers }), await send(aPlugin(), 'b.zip', { headers })];
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect((await send(aPlugin({ version: '9' }), 'b.zip', { headers })).status).toBe(422);
    expect(await inStore('objects')).toHaveLength(1);
    await remove('plugins/b.zip');
  });

  it('is stored once when it is sent several times at once', async () => {
    const answers = await Promise.all([1, 2, 3].map((n) => send(aPlugin({ version: `${n}` }), 'c.zip')));
    expect(answers.map(({ status }) => `${status}`).toSorted()).toEqual(['201', '409', '409']);
    expect([(await list()).length, (await inStore('objects')).length]).toEqual([1, 1]);
    await remove('plugins/c.zip');
  });

  it('of 20 MB arrives as it was sent', async () => {
    const content = randomBytes(20_000_000);
    const archive = aPlugin({ more: [{ name: 'boussole/carte.bin', content, isStored: true }] });
    const { status, body } = await send(archive, 'carte.zip');
    expect([status, body['sha256']]).toEqual([201, createHash('sha256').update(archive).digest('hex')]);
    await remove('plugins/carte.zip');
  });

  it('is refused with a remedy if it is malformed, and leaves nothing', async () => {
    const answer = await send(Buffer.concat([aPlugin(), Buffer.from('x')]), 'd.zip');
    expect([answer.status, answer.body['detail']]).toEqual([400, expect.stringContaining('recommencez')]);
    expect([await list(), await inStore('objects')]).toEqual([[], []]);
  });
});

describe('the owner of an archive', () => {
  it('alone sees and deletes it', async () => {
    await send(aPlugin(), 'mien.zip', { token: client.token });
    expect(await list()).toEqual([]);
    expect((await list(root, { 'x-admin-mode': '1' })).map(({ filename }) => filename)).toEqual(['mien.zip']);
    // Another user may use the same name.
    expect((await send(aPlugin(), 'mien.zip')).status).toBe(201);
    expect((await remove('plugins/mien.zip', root, { 'x-admin-mode': '1' })).status).toBe(204);
    expect((await list(client.token)).length).toBe(1);
  });

  it('is the administrator after the user was deleted, beside an archive of the same name', async () => {
    const leaving = await addUser(product, root);
    await send(aPlugin(), 'legs.zip', { token: leaving.token });
    await send(aPlugin(), 'legs.zip');
    await product.request('DELETE', `/api/admin/users/${leaving.id}`, { token: root });
    await until(async () => (await list()).length === 2);
    const names = (await list()).map(({ filename }) => String(filename)).toSorted();
    expect(names).toEqual([expect.stringMatching(/^legs \([0-9a-f]{8}\)\.zip$/), 'legs.zip']);
    for (const name of names) expect((await remove(`plugins/${encodeURIComponent(name)}`)).status).toBe(204);
  });
});

describe('the list', () => {
  const find = async (query: string) => {
    const { status, headers, body } = await product.request('GET', `/api/uploads?${query}`, { token: root });
    if (status !== 200) return status;
    const names = (body as unknown as { filename: string }[]).map(({ filename }) => filename);
    return `${names.join(' ')} of ${headers.get('x-total-count')}`;
  };

  it('has pages, the newest first, and is searched by parts of names and types', async () => {
    await send(aPlugin(), 'Été.zip');
    await send(aTheme(), 'voile-1.4.zip', { kind: 'themes' });
    await send(aPlugin({ slug: 'carte', name: 'Carte d’ici' }), 'carte.zip');
    expect(await find('')).toBe('carte.zip voile-1.4.zip Été.zip of 3');
    expect(await find('limit=1&offset=1')).toBe('voile-1.4.zip of 3');
    expect(await find('limit=1&offset=3')).toBe(' of 3');
    expect(await find('q=ETE+bouss')).toBe('Été.zip of 1');
    expect(await find('q=theme')).toBe('voile-1.4.zip of 1');
    expect(await find('q=plugin&limit=1')).toBe('carte.zip of 2');
    expect(await find("q=d'ICI")).toBe('carte.zip of 1');
    expect([await find('q=carte+voile'), await find('q=%25')]).toEqual([' of 0', ' of 0']);
    expect([await find('type=plugin&slug=carte'), await find('type=theme&slug=carte')]).toEqual([
      'carte.zip of 1',
      ' of 0',
    ]);
    expect(await Promise.all(['limit=0', 'limit=501', 'type=police', 'q=%00'].map(find))).toEqual([400, 400, 400, 400]);
    for (const path of ['plugins/carte.zip', 'plugins/%C3%89t%C3%A9.zip', 'themes/voile-1.4.zip']) await remove(path);
  });
});

describe('an invalid upload', () => {
  const file = (filename: string) => send(aPlugin(), filename);

  it.each([
    ['texte.txt', 'Seules les archives .zip'],
    ['.zip', 'caractère interdit'],
    ['../a.zip', 'caractère interdit'],
    ['a\\b.zip', 'caractère interdit'],
    ['a\u202Egpj.zip', 'caractère interdit'],
    ['a\nb.zip', 'caractère interdit'],
    [`${'é'.repeat(90)}.zip`, 'trop long'],
  ])('is refused for its name: %j', async (filename, reason) => {
    const { status, body } = await file(filename);
    expect([status, body['detail']]).toEqual([400, expect.stringContaining(reason)]);
  });

  const end = `\r\n--${boundary}--\r\n`;
  const part = (disposition: string, more = '') =>
    `--${boundary}\r\nContent-Disposition: ${disposition}${more}\r\n\r\nx`;
  const good = 'form-data; name="file"; filename="a.zip"';
  it.each([
    ['no part', `--${boundary}--\r\n`],
    ['another field', part('form-data; name="fichier"; filename="a.zip"') + end],
    ['a field without a file', part('form-data; name="file"') + end],
    ['two files', `${part(good)}\r\n${part(good)}${end}`],
    ['a field behind the file', `${part(good)}\r\n${part('form-data; name="type"')}${end}`],
    ['text before the first part', `bonjour\r\n${part(good)}${end}`],
    ['text after the last part', `${part(good)}${end}encore`],
    ['no end', part(good)],
    ['a cut end', `${part(good)}\r\n--${boundary}`],
    ['two names', part('form-data; name="file"; name="x"; filename="a.zip"') + end],
    ['base64', part(good, '\r\nContent-Transfer-Encoding: base64') + end],
    ['no disposition', `--${boundary}\r\nContent-Type: application/zip\r\n\r\nx${end}`],
    [
      'a name that is no text',
      Buffer.concat([
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="`),
        Buffer.from([0xff]),
        Buffer.from(`.zip"\r\n\r\nx${end}`),
      ]),
    ],
    ['endless headers', `--${boundary}\r\nX: ${'x'.repeat(20_000)}`],
    ['nothing', ''],
  ])('is refused for its form: %s', async (_, body) => {
    const answer = await sendBody(body);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([400, { detail: expect.any(String) }]);
    await until(isNothingComing);
  });

  it.each(['application/json', 'multipart/form-data', 'multipart/form-data; boundary=""', 'text/plain'])(
    'is refused for its type: %s',
    async (type) => {
      expect((await sendBody('[]', { 'content-type': type })).status).toBe(415);
    },
  );
});

describe('the first byte', () => {
  it('is not awaited when the upload is refused', async () => {
    const refused: [ClientRequest, number][] = [
      [open(1_000, { authorization: '' }), 401],
      [open(600 * 1024 * 1024), 413],
      [open(undefined, { 'transfer-encoding': 'chunked' }), 400],
    ];
    for (const [sent, status] of refused) {
      sent.on('error', () => undefined);
      sent.flushHeaders();
      expect((await answerTo(sent)).status).toBe(status);
      sent.destroy();
    }
    await send(aPlugin(), 'lent.zip');
    const sent = open(300_000_000);
    sent.on('error', () => undefined);
    sent.write(opening);
    expect((await answerTo(sent)).status).toBe(409);
    sent.destroy();
    await remove('plugins/lent.zip');
  });

  it('leaves nothing when the client goes away after it', async () => {
    // The slow upload may have ended by now.
    const before = new Set(await inStore('incoming'));
    const own = async () => (await inStore('incoming')).filter((name) => !before.has(name));
    const sent = open(1_000_000);
    sent.on('error', () => undefined);
    sent.write(`${opening}${'x'.repeat(50_000)}`);
    await until(async () => (await own()).length > 0);
    sent.destroy();
    await until(async () => (await own()).length === 0);
    expect(await inStore('objects')).toHaveLength(1);
  });
});

it('refuses a slow upload, and leaves nothing of it', async () => {
  const { status, body } = await dripped;
  expect([status, JSON.parse(body)]).toEqual([400, { detail: expect.stringContaining('trop lentement') }]);
  await until(async () => (await inStore('incoming')).length === 0);
});

it('limits the time for a body that is no form', async () => {
  expect([0, 401, 408, 415]).toContain(await closed);
});

it('limits the uploads of one user at once, and still answers other requests', async () => {
  const waiting = Array.from({ length: 33 }, () => open(300_000_000));
  for (const sent of waiting) sent.on('error', () => undefined).write(opening);
  const refused = await Promise.race(waiting.map(async (sent) => (await answerTo(sent)).status));
  const other = await product.request('GET', '/api/auth/me', { token: root });
  expect([refused, other.status]).toEqual([429, 200]);
  for (const sent of waiting) sent.destroy();
  await until(async () => (await send(aPlugin(), 'apres.zip', { query: '?replace=1' })).status === 201);
  await remove('plugins/apres.zip');
  await until(async () => (await inStore('incoming')).length === 0);
});

it('removes files of a gateway that died, and files without a row', async () => {
  const sent = open(1_000_000);
  sent.on('error', () => undefined);
  sent.write(`${opening}${'x'.repeat(50_000)}`);
  await until(async () => (await inStore('incoming')).length === 1);
  await send(aPlugin(), 'reste.zip');
  await send(aPlugin(), 'perdu.zip');
  await product.processesOf('gateway')[0]?.kill('SIGKILL');
  await product.database.query("delete from sites.uploads where filename = 'perdu.zip'");
  const then = new Date(Date.now() - 25 * 3_600_000);
  for (const folder of ['incoming', 'objects'] as const) {
    for (const name of await inStore(folder)) await utimes(join(product.home, 'store', folder, name), then, then);
  }
  expect(await inStore('objects')).toHaveLength(3);
  await product.processesOf('sites-svc')[0]?.kill('SIGKILL');
  await product.add('sites-svc');
  await until(async () => (await inStore('incoming')).length === 0 && (await inStore('objects')).length === 2);
  const { rows } = await product.database.query('select object_key from sites.uploads');
  expect((await inStore('objects')).toSorted()).toEqual(rows.map((row) => String(row.object_key)).toSorted());
});
