import { gzipSync } from 'node:zlib';
import { honest, type Making } from './cases';
import { takesBody } from './routes';
import type { Case } from './send';
import { toJson } from './values';

/** What is wrong with a request as a whole. */
type Spoil = (sent: Case, making: Making) => Partial<Case>;

const bomb = gzipSync(Buffer.alloc(10_000_000));
const tenMegabytes = Buffer.alloc(10_000_000, 0x20);
const pairs = Array.from({ length: 20_000 }, (_, n) => `"a${n}":${n}`).join(',');

const withBody = ({ headers }: Case, body: string | Buffer, more: Record<string, string> = {}): Partial<Case> => ({
  headers: { 'content-type': 'application/json', ...headers, ...more },
  body,
});
const textOf = ({ body }: Case) => (body === undefined ? '{}' : String(body));
const withHeaders =
  (more: Record<string, string | readonly string[]>): Spoil =>
  ({ headers }) => ({ headers: { ...headers, ...more } });

const verbs = ['PUT', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND', 'MKCOL', 'SEARCH', 'LINK', 'PURGE', 'QUERY'].map(
  (method): Spoil =>
    // HEAD of what administrators change may be of what everybody reads.
    ({ mayPass }, { target }) => ({ method, mayPass: mayPass || target.route.access === 'admin' }),
);

const types = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/xml',
  'application/json; charset=utf-16',
  'application/json;',
  'application/json, text/plain',
  'application/vnd.api+json',
  'a/b/c',
  ';',
  `application/json; ${'a=b; '.repeat(400)}`,
].map(
  (type): Spoil =>
    (sent) =>
      withBody(sent, textOf(sent), { 'content-type': type }),
);

const encodings: Spoil[] = [
  (sent) => withBody(sent, bomb, { 'content-encoding': 'gzip' }),
  (sent) => withBody(sent, textOf(sent), { 'content-encoding': 'br' }),
  (sent) => withBody(sent, textOf(sent), { 'content-encoding': 'gzip, gzip, gzip' }),
  (sent) => withBody(sent, Buffer.from(`\uFEFF${textOf(sent)}`, 'utf16le')),
  (sent) => withBody(sent, `\uFEFF${textOf(sent)}`),
  (sent) =>
    withBody(
      sent,
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    ),
];

const texts: Spoil[] = [
  '',
  ' ',
  '{',
  '{"a":1,}',
  "{'a':1}",
  '{"a":1}{"a":2}',
  'null',
  'true',
  '1e999',
  '"text"',
  '[]',
  '[{}]',
  '\0',
  `{${pairs}}`,
  `[${'[],'.repeat(50_000)}[]]`,
  `{"a":"${'\\u0041'.repeat(30_000)}"}`,
  '/* a */ {}',
  '{"a":"\\ud800"}',
  '{"\\u0000":1}',
  '{"__proto__":{"a":1}}',
].map(
  (text): Spoil =>
    (sent) =>
      withBody(sent, text),
);

/** The same name twice: who reads the first one and who reads the last must not disagree. */
const doubled: Spoil = (sent) => withBody(sent, `${textOf(sent).replace(/\}$/, ',')}${textOf(sent).slice(1)}`);

const sizes: Spoil[] = [
  (sent) => withBody(sent, tenMegabytes),
  (sent) => withBody(sent, toJson({ a: 'x'.repeat(600_000) })),
];

const oddHeaders: readonly Record<string, string | readonly string[]>[] = [
  { 'x-user-id': '00000000-0000-0000-0000-000000000000', 'x-role': 'admin', 'x-admin': '1' },
  { 'x-admin-mode': 'true' },
  { 'x-admin-mode': ['0', '1'] },
  { 'x-forwarded-for': '10.0.0.1, 127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1' },
  { 'x-forwarded-for': `${'1.2.3.4, '.repeat(900)}1.2.3.4` },
  { 'x-forwarded-for': "'; drop table x; --" },
  { 'x-forwarded-host': 'mal.example', 'x-forwarded-proto': 'javascript' },
  { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' },
  { 'x-original-url': '/api/admin/users', 'x-rewrite-url': '/api/admin/users' },
  { host: 'mal.example' },
  { host: "a'b<c>" },
  { 'x-request-id': 'a'.repeat(5_000) },
  { 'idempotency-key': 'a'.repeat(200) },
  { 'idempotency-key': ['a', 'b'] },
  { 'idempotency-key': 'é' },
  { 'user-agent': '<script>alert(1)</script>'.repeat(100) },
  { 'if-none-match': '*', range: 'bytes=0-0,5-,-1,99999999999999999999-' },
  { cookie: `a=${'b'.repeat(7_000)}` },
  { 'accept-language': `${'fr;q=0.1,'.repeat(700)}en` },
  { prefer: 'respond-async, wait=999999999999' },
  { expect: '200-ok' },
  Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`x-${n}`, 'a'])),
  { 'x-flood': 'a'.repeat(15_000) },
  { 'x-flood': 'a'.repeat(40_000) },
];

const bearers = [
  'Bearer',
  'Bearer ',
  'Bearer null',
  `Bearer ${'A'.repeat(43)}`,
  `Bearer ${'A'.repeat(9_000)}`,
  'Basic YWRtaW46YWRtaW4=',
  'Bearer eyJhbGciOiJub25lIn0.eyJyb2xlIjoiYWRtaW4ifQ.',
  "Bearer ' or 1=1 --",
].map(
  (authorization): Spoil =>
    ({ headers }, { target }) => ({
      headers: { ...headers, authorization },
      mayPass: ['public', 'guest', 'ticket'].includes(target.route.access),
    }),
);

/** The same address as somebody careless would read it. */
const addresses = [
  (path: string) => `/${path}`,
  (path: string) => path.replace('/api/', '/api//'),
  (path: string) => path.replace('/api/', '/api/..;/api/'),
  (path: string) => path.replace('/api/', '/api/%2e%2e/api/'),
  (path: string) => path.replace('/api/', '/%61pi/'),
  (path: string) => path.replace('/api/', '/API/'),
  (path: string) => path.replace('/api/', '/api/./'),
  (path: string) => `/public/..${path}`,
  (path: string) => `${path}/`,
  (path: string) => `${path}%00`,
  (path: string) => `${path}%00.js`,
  (path: string) => `${path};a=b`,
  (path: string) => `${path}.json`,
  (path: string) => `${path}%20`,
  (path: string) => `${path}%0a`,
  (path: string) => `${path}\\`,
  (path: string) => `${path}?${'a=1&'.repeat(3_000)}`,
  (path: string) => `${path}?a[b][c]=1&a[]=2&a.b=3`,
  (path: string) => `${path}?__proto__[is_admin]=1&constructor.prototype=1`,
  (path: string) => `${path}?limit=1&limit=2&offset=0&offset=-1&q=a&q=b&sort=a&sort=b`,
  (path: string) => `${path}?limit=1e999&offset=NaN`,
  (path: string) => `${path}?%=%&%zz=%ff&=&&&`,
  (path: string) => `${path}#%23`,
].map(
  (spoil): Spoil =>
    ({ path }) => ({ path: spoil(path), mayPass: true }),
);

const chunked: Spoil = (sent) => ({
  ...withBody(sent, textOf(sent), { 'transfer-encoding': 'chunked' }),
});

const all: readonly { kind: string; spoils: readonly Spoil[]; needsBody?: boolean }[] = [
  { kind: 'verbe', spoils: verbs },
  { kind: 'type de contenu', spoils: types },
  { kind: 'encodage', spoils: encodings },
  { kind: 'texte', spoils: [...texts, doubled, chunked] },
  { kind: 'en-têtes', spoils: oddHeaders.map(withHeaders) },
  { kind: 'jeton', spoils: bearers },
  { kind: 'adresse', spoils: addresses },
];

/** How often it is millions of bytes that nobody wants. */
const largeShare = 0.003;

/** A request that is spoiled as a whole, whatever its fields. */
export function wholeCase(making: Making): Case {
  const { random, target } = making;
  const isLarge = takesBody(target.route) && random.next() < largeShare;
  const { kind, spoils } = isLarge ? { kind: 'taille', spoils: sizes } : random.one(all);
  const sent = honest(making, kind);
  return { ...sent, ...random.one(spoils)(sent, making) };
}
