import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashToken } from '@vigie/service-kit/tokens';
import { waitingFor } from '@vigie/testing/database';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';
import { sendFile } from '@vigie/testing/uploads';
import { aDump, anArchive, aTable, defaultAbout } from '@vigie/testing/wpress';

let product: TestProduct;
let client: Awaited<ReturnType<typeof addUser>>;
let siteId: string;

beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc']);
  client = await addUser(product, await product.login());
  // The host of this site is never contacted.
  siteId = '01990000-0000-7000-8000-000000000001';
  await product.database.query(
    "insert into sites.sites (id, owner_id, name, url, host, login, wp_path) values ($1, $2, 'exemple.fr', 'https://exemple.fr', 'h', 'u', '/srv/www')",
    [siteId, client.id],
  );
});
afterAll(() => product?.stop());

const stored = (folder: 'incoming' | 'objects') => readdir(join(product.home, 'store', folder));
const path = (rest: string) => `/api/sites/${siteId}/backups/${rest}`;
const send = (content: Buffer, filename: string, headers = {}) =>
  sendFile(product, path('upload'), { content, filename, token: client.token, headers });
const ask = (method: string, rest: string, body?: object) =>
  product.request(method, path(rest), { token: client.token, ...(body && { body }) });
const remove = (filename: string) => ask('DELETE', `${filename}?location=local`);

/** The status, headers and bytes of an answer. */
async function get(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(`${product.gateways[0]}${url}`, { method, headers });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}
async function link(filename: string, body: object = {}): Promise<string> {
  const { body: answer, text: answerText } = await ask('POST', `local/${filename}/link`, body);
  if (typeof answer['url'] !== 'string') throw new Error(answerText);
  return answer['url'];
}

describe('an archive that is uploaded', () => {
  it('is stored unchanged, once for one idempotency key, under a name that is then taken', async () => {
    const archive = await anArchive();
    const key = { 'idempotency-key': randomBytes(8).toString('hex') };
    const { status, body } = await send(archive, 'envoyee.wpress', key);
    expect([status, body]).toMatchObject([
      201,
      { filename: 'envoyee.wpress', size: archive.length, site_id: siteId, createdAt: '2025-10-09T08:53:20.000Z' },
    ]);
    expect((await send(archive, 'envoyee.wpress', key)).body).toEqual(body);
    const again = await send(archive, 'envoyee.wpress');
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('est déjà présent')]);
    expect([await stored('objects'), await stored('incoming')]).toEqual([[expect.any(String)], []]);
    const { body: feed } = await product.request('GET', '/api/dashboard/activity?limit=1', { token: client.token });
    const details = { filename: 'envoyee.wpress', size: archive.length };
    expect(feed['items']).toMatchObject([{ type: 'backup_upload', site_id: siteId, details }]);
    expect([(await remove('envoyee.wpress')).status, await stored('objects')]).toEqual([204, []]);
  });

  it('is refused with a sentence if it is malformed, and leaves nothing', async () => {
    const archive = await anArchive();
    const lying = Buffer.from(archive);
    lying.write('99999999', 255, 'latin1');
    const climbing = Buffer.from(await anArchive({ files: { 'plugins/xx/y': 'x' } }));
    climbing.write('plugins/..', climbing.indexOf('plugins/xx'), 'latin1');
    const refused: [string, Buffer, string, string][] = [
      ['no archive', Buffer.from('PK'), 'a.wpress', 'n’est pas une archive .wpress'],
      ['cut', archive.subarray(0, -5_000), 'a.wpress', 'incomplète'],
      ['data after its end', Buffer.concat([archive, Buffer.from('x')]), 'a.wpress', 'suivie d’autres données'],
      ['a size beyond its end', lying, 'a.wpress', 'dépasse celle de l’archive'],
      ['a path outside of its folder', climbing, 'a.wpress', 'chemin dangereux'],
      ['another kind of file', archive, 'a.zip', 'Choisissez un fichier .wpress à téléverser.'],
      ['a hidden file', archive, '.a.wpress', 'n’est pas valide'],
      ['a folder', archive, 'x/a.wpress', 'n’est pas valide'],
      ['no name', archive, ' ', 'Choisissez un fichier .wpress à téléverser.'],
    ];
    for (const [label, content, name, sentence] of refused) {
      const answer = await send(content, name);
      expect([label, answer.status, answer.text]).toEqual([label, 400, expect.stringContaining(sentence)]);
    }
    expect([await stored('objects'), await stored('incoming'), (await ask('GET', 'local')).body]).toEqual([[], [], []]);
  });

  it('is refused before it is sent if it does not fit, and leaves nothing if it breaks off', async () => {
    const open = (length: number) => {
      const { port } = new URL(product.gateways[0] ?? '');
      const headers = { authorization: `Bearer ${client.token}`, 'content-type': 'multipart/form-data; boundary=b' };
      return httpRequest({
        port,
        method: 'POST',
        path: path('upload'),
        headers: { ...headers, 'content-length': length },
      });
    };
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.wpress"\r\n\r\n';
    const huge = open(2 ** 52);
    huge.write(head);
    const [answer] = await once(huge, 'response');
    expect([answer.statusCode, await text(answer)]).toEqual([503, expect.stringContaining('plus assez de place')]);
    huge.on('error', () => undefined).destroy();
    const cut = open(5_000_000);
    cut.on('error', () => undefined).write(head);
    cut.write(Buffer.alloc(1_000_000));
    await until(async () => (await stored('incoming')).length === 1);
    cut.destroy();
    await until(async () => (await stored('incoming')).length === 0);
    expect(await stored('objects')).toEqual([]);
  });
});

describe('a link', () => {
  let archive: Buffer;
  beforeAll(async () => {
    archive = await anArchive();
    await send(archive, 'lien.wpress');
    await send(await anArchive({ files: {} }), 'autre.wpress');
  });

  it('serves the file without a session, in ranges too', async () => {
    const url = await link('lien.wpress');
    expect(url).toMatch(/^\/api\/backups\/files\/[\w-]{43}$/);
    const whole = await get(url);
    expect([whole.status, whole.bytes.equals(archive)]).toEqual([200, true]);
    const etag = whole.headers.get('etag') ?? '';
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-disposition': `attachment; filename="lien.wpress"; filename*=UTF-8''lien.wpress`,
      'content-type': 'application/octet-stream',
      'content-length': String(archive.length),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    });
    const part = await get(url, { range: 'bytes=1000-1999', 'if-range': etag });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-1999/${archive.length}`]);
    expect(part.bytes.equals(archive.subarray(1_000, 2_000))).toBe(true);
    const rest = await get(url, { range: `bytes=${archive.length - 7}-` });
    expect(rest.bytes.equals(archive.subarray(-7))).toBe(true);
    const beyond = await get(url, { range: `bytes=${archive.length}-` });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${archive.length}`]);
    const changed = await get(url, { range: 'bytes=1000-1999', 'if-range': '"autre"' });
    expect([changed.status, changed.bytes.length]).toEqual([200, archive.length]);
    const head = await get(url, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), head.bytes.length]).toEqual([
      200,
      String(archive.length),
      0,
    ]);
  });

  it('works for an hour if it is opened within a minute, even after a logout', async () => {
    const token = await product.login(client.credentials);
    const answer = await product.request('POST', path('local/lien.wpress/link'), { token, body: {} });
    await product.request('POST', '/api/auth/logout', { token, body: {} });
    const url = String(answer.body['url']);
    expect((await get(url)).status).toBe(200);
    await product.database.query("update sites.backup_links set open_until = now() - interval '50 minutes'");
    expect((await get(url)).status).toBe(200);
    await product.database.query("update sites.backup_links set good_until = now() - interval '1 second'");
    expect((await get(url)).status).toBe(404);
    const late = await link('lien.wpress');
    await product.database.query(
      "update sites.backup_links set open_until = now() - interval '1 second' where good_until is null",
    );
    expect((await get(late)).status).toBe(404);
  });

  it('serves one file only, ends with it, and cannot be guessed', async () => {
    const url = await link('autre.wpress');
    expect((await get(url.replace(/.$/, (sign) => (sign === 'A' ? 'B' : 'A')))).status).toBe(404);
    expect((await get('/api/backups/files/..%2F..%2Fetc%2Fpasswd')).status).toBe(404);
    expect((await remove('autre.wpress')).status).toBe(204);
    expect((await get(url)).status).toBe(404);
    const { rows } = await product.database.query('select token_hash from sites.backup_links');
    expect(JSON.stringify(rows)).not.toContain(url.split('/').at(-1));
  });
});

describe('the downloads of one user', () => {
  let url: string;
  beforeAll(async () => {
    await send(await anArchive({ files: { 'uploads/film.mp4': randomBytes(24 * 1024 * 1024) } }), 'film.wpress');
    url = await link('film.wpress');
  });

  /** Sends a request, and reads nothing of the answer. */
  function requestWithoutReading(address: string): Promise<Socket> {
    const socket = product.dial();
    const connected = new Promise<Socket>((resolve) => socket.once('connect', () => resolve(socket)));
    socket.on('error', () => undefined).write(`GET ${address} HTTP/1.1\r\nhost: x\r\n\r\n`);
    return connected;
  }

  it('release their slots when clients leave before they start', async () => {
    await product.database.query('begin; lock table sites.backup_links');
    const sockets = await Promise.all(Array.from({ length: 40 }, () => requestWithoutReading(url)));
    await until(async () => (await waitingFor(product.database)) > 0);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await product.request('GET', '/api/health/live')).status === 200);
    await product.database.query('commit');
    // Each slot is released once the gateway notices that the client is gone.
    const status = async () => (await get(url, { range: 'bytes=0-9' })).status;
    await until(async () => ![429, 503].includes(await status()));
    expect(await status()).toBe(206);
  });

  async function share(userId: string): Promise<string> {
    const body = { site_id: siteId, user_id: userId, role: 'operator' };
    return String((await product.request('POST', '/api/grants', { token: client.token, body })).body['id']);
  }

  it('share a limit over all links, and leave half of the slots to others', async () => {
    const urls = [url, await link('film.wpress')];
    const sockets: Socket[] = [];
    // One after another, since many at once may be refused by admission, and on a busy machine even one.
    while (sockets.length < 32) {
      const socket = await requestWithoutReading(urls[sockets.length % 2] ?? url);
      await once(socket, 'readable');
      const status = String(socket.read(12));
      if (status === 'HTTP/1.1 503') {
        socket.destroy();
        continue;
      }
      expect(status).toBe('HTTP/1.1 200');
      sockets.push(socket);
    }
    expect((await get(urls[1] ?? '', { range: 'bytes=0-9' })).status).toBe(429);
    const other = await addUser(product, await product.login());
    const grant = await share(other.id);
    await product.database.query('update sites.backup_links set user_id = $1 where token_hash = $2', [
      other.id,
      hashToken(url.split('/').at(-1) ?? ''),
    ]);
    expect((await get(url, { range: 'bytes=0-9' })).status).toBe(206);
    // A link opens nothing any more once the grant by which it was made is taken back.
    await product.request('DELETE', `/api/grants/${grant}`, { token: client.token });
    expect((await get(url, { range: 'bytes=0-9' })).status).toBe(404);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await get(urls[1] ?? '', { range: 'bytes=0-9' })).status === 206);
  });

  it('keep the newest hundred links', async () => {
    await product.database.query(
      `insert into sites.backup_links (token_hash, backup_id, user_id, filename, at, length, open_until)
       select 'x' || n, backup_id, $1, filename, at, length, now() - make_interval(secs => n)
       from sites.backup_links cross join generate_series(1, 120) n where token_hash = $2`,
      [client.id, hashToken(url.split('/').at(-1) ?? '')],
    );
    expect((await get(await link('film.wpress'), { range: 'bytes=0-9' })).status).toBe(206);
    const { rows } = await product.database.query(
      'select count(*)::int as n from sites.backup_links where user_id = $1',
      [client.id],
    );
    expect(rows).toEqual([{ n: 100 }]);
  });
});

describe('an open archive', () => {
  const options = aTable('options', 'un');
  const views = `DROP VIEW IF EXISTS \`SERVMASK_PREFIX_vue\`;\n\nCREATE VIEW \`SERVMASK_PREFIX_vue\` AS SELECT 1;\n\n`;
  const note = { Crc32: '00000000', Entries: 5, Tables: [{ Name: 'SERVMASK_PREFIX_options', Rows: 1 }] };
  beforeAll(async () => {
    const shared = {
      'plugins/vitrine/vitrine.php': '<?php // un',
      'plugins/seul.php': '<?php',
      'uploads/été/œ.jpg': 'image',
    };
    const dump = aDump({ posts: 'DROP TABLE IF EXISTS `x`;', options: 'un' });
    const files = { ...shared, 'database.sql': `${dump}${views}` };
    await send(await anArchive({ files, about: { ...defaultAbout, Vigie: note }, version: 2 }), 'un.wpress');
    const second = { ...shared, 'plugins/vitrine/vitrine.php': '<?php // DEUX', 'uploads/neuf.jpg': 'neuf' };
    const { 'plugins/seul.php': _, ...files2 } = {
      ...second,
      'database.sql': aDump({ posts: 'autre', options: 'un' }),
    };
    await send(await anArchive({ files: files2, version: 1 }), 'deux.wpress');
  });
  const entries = async (query: string) => {
    const { body, status, text: answerText } = await ask('GET', `local/un.wpress/entries${query}`);
    if (status !== 200) throw new Error(`${status} ${answerText}`);
    return body as { about: object; items: Record<string, unknown>[]; total: number };
  };
  const content = async (query: string) =>
    get(path(`local/un.wpress/content?${query}`), { authorization: `Bearer ${client.token}` });

  it('is listed folder by folder, with its tables, and searched', async () => {
    const { about, items, total } = await entries('');
    expect(about).toEqual({
      site_url: 'https://exemple.fr',
      wordpress: '6.9',
      php: '8.3.1',
      database: '11.4',
      plugins: 1,
      theme: 'voile',
      entries: 5,
      is_ours: true,
    });
    expect(items).toMatchObject([
      { kind: 'folder', name: 'plugins', path: 'plugins', count: 2, size: 16 },
      { kind: 'folder', name: 'uploads', count: 1, size: 5 },
      { kind: 'file', name: 'database.sql' },
      { kind: 'file', name: 'package.json', mtime: '2025-10-09T08:53:20.000Z' },
    ]);
    expect(total).toBe(4);
    expect((await entries('?path=plugins')).items.map(({ path: at }) => at)).toEqual([
      'plugins/vitrine',
      'plugins/seul.php',
    ]);
    expect(await entries('?path=plugins&offset=1&limit=1')).toMatchObject({ items: [{ name: 'seul.php' }], total: 2 });
    expect((await entries('?path=database.sql')).items).toMatchObject([
      { kind: 'table', name: 'wp_posts', count: null },
      { kind: 'table', name: 'wp_options', path: 'database.sql/wp_options', count: 1, size: options.length },
      { kind: 'table', name: 'wp_vue', size: views.length },
    ]);
    expect((await entries('?q=%C5%92')).items).toMatchObject([{ kind: 'file', path: 'uploads/été/œ.jpg' }]);
    expect((await entries('?q=OPT')).items).toMatchObject([{ kind: 'table', name: 'wp_options' }]);
    expect((await ask('GET', 'local/un.wpress/entries?path=absent')).status).toBe(404);
  });

  it('serves one file, or one table as SQL, by a link too', async () => {
    const file = await content(`path=${encodeURIComponent('uploads/été/œ.jpg')}`);
    expect([file.status, file.bytes.toString(), file.headers.get('content-disposition')]).toEqual([
      200,
      'image',
      `attachment; filename="_.jpg"; filename*=UTF-8''%C5%93.jpg`,
    ]);
    const head = await get(
      path('local/un.wpress/content?path=package.json'),
      { authorization: `Bearer ${client.token}` },
      'HEAD',
    );
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect((await content('path=database.sql/wp_options&kind=table')).bytes.toString()).toBe(options);
    const url = await link('un.wpress', { path: 'wp_vue', kind: 'table' });
    const table = await get(url, { range: 'bytes=0-8' });
    expect([table.status, table.bytes.toString(), table.headers.get('content-range')]).toEqual([
      206,
      'DROP VIEW',
      `bytes 0-8/${views.length}`,
    ]);
    expect((await content('path=absent')).status).toBe(404);
    expect((await content('path=../package.json')).status).toBe(404);
    expect((await get(path('local/un.wpress/content?path=package.json'))).status).toBe(401);
  });

  it('is compared with another, table by table and file by file', async () => {
    const { body } = await ask('GET', 'local/un.wpress/compare?with=deux.wpress');
    expect(body).toEqual({
      items: [
        {
          path: 'database.sql/wp_posts',
          kind: 'table',
          is: 'changed',
          before: expect.any(Number),
          after: expect.any(Number),
        },
        { path: 'database.sql/wp_vue', kind: 'table', is: 'removed', before: views.length, after: null },
        { path: 'plugins/seul.php', kind: 'file', is: 'removed', before: 5, after: null },
        { path: 'plugins/vitrine/vitrine.php', kind: 'file', is: 'changed', before: 11, after: 13 },
        { path: 'uploads/neuf.jpg', kind: 'file', is: 'added', before: null, after: 4 },
      ],
      total: 5,
      counts: { added: 1, removed: 2, changed: 2, unknown: 0, same: 2 },
    });
    expect((await ask('GET', 'local/un.wpress/compare?with=absent.wpress')).status).toBe(404);
    expect((await ask('GET', 'local/un.wpress/compare')).status).toBe(422);
    const same = await ask('GET', 'local/un.wpress/compare?with=un.wpress');
    expect(same.body).toMatchObject({ items: [], total: 0 });
  });
});
