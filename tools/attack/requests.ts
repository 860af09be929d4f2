import { gzipSync } from 'node:zlib';
import { validRequest, type CaseContext } from './cases';
import { takesBody } from './routes';
import type { HostileRequest } from './send';
import { toJson } from './values';

type Mutation = (request: HostileRequest, context: CaseContext) => Partial<HostileRequest>;

const bomb = gzipSync(Buffer.alloc(10_000_000));
const tenMegabytes = Buffer.alloc(10_000_000, 0x20);
const pairs = Array.from({ length: 20_000 }, (_, n) => `"a${n}":${n}`).join(',');

const withBody = (
  { headers }: HostileRequest,
  body: string | Buffer,
  more: Record<string, string> = {},
): Partial<HostileRequest> => ({ headers: { 'content-type': 'application/json', ...headers, ...more }, body });
const textOf = ({ body }: HostileRequest) => (body === undefined ? '{}' : String(body));
const withHeaders =
  (more: Record<string, string | readonly string[]>): Mutation =>
  ({ headers }) => ({ headers: { ...headers, ...more } });

const verbs = ['PUT', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND', 'MKCOL', 'SEARCH', 'LINK', 'PURGE', 'QUERY'].map(
  (method): Mutation =>
    // The same path may be readable by everybody with another verb.
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
  (type): Mutation =>
    (request) =>
      withBody(request, textOf(request), { 'content-type': type }),
);

const encodings: Mutation[] = [
  (request) => withBody(request, bomb, { 'content-encoding': 'gzip' }),
  (request) => withBody(request, textOf(request), { 'content-encoding': 'br' }),
  (request) => withBody(request, textOf(request), { 'content-encoding': 'gzip, gzip, gzip' }),
  (request) => withBody(request, Buffer.from(`\uFEFF${textOf(request)}`, 'utf16le')),
  (request) => withBody(request, `\uFEFF${textOf(request)}`),
  (request) =>
    withBody(
      request,
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    ),
];

const texts: Mutation[] = [
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
  (text): Mutation =>
    (request) =>
      withBody(request, text),
);

/** Duplicate keys, where one parser may read the first value and another the last. */
const duplicateKeys: Mutation = (request) =>
  withBody(request, `${textOf(request).replace(/\}$/, ',')}${textOf(request).slice(1)}`);

const sizes: Mutation[] = [
  (request) => withBody(request, tenMegabytes),
  (request) => withBody(request, toJson({ a: 'x'.repeat(600_000) })),
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
  (authorization): Mutation =>
    ({ headers }, { target }) => ({
      headers: { ...headers, authorization },
      mayPass: ['public', 'guest', 'ticket'].includes(target.route.access),
    }),
);

/** Addresses that a careless parser treats as the same. */
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
  (change): Mutation =>
    ({ path }) => ({ path: change(path), mayPass: true }),
);

const chunked: Mutation = (request) => ({ ...withBody(request, textOf(request), { 'transfer-encoding': 'chunked' }) });

const mutations: readonly { kind: string; variants: readonly Mutation[]; needsBody?: boolean }[] = [
  { kind: 'verbe', variants: verbs },
  { kind: 'type de contenu', variants: types },
  { kind: 'encodage', variants: encodings },
  { kind: 'texte', variants: [...texts, duplicateKeys, chunked] },
  { kind: 'en-têtes', variants: oddHeaders.map(withHeaders) },
  { kind: 'jeton', variants: bearers },
  { kind: 'adresse', variants: addresses },
];

/** The share of requests with a body of several megabytes. */
const largeShare = 0.003;

export function mutatedCase(context: CaseContext): HostileRequest {
  const { random, target } = context;
  const isLarge = takesBody(target.route) && random.next() < largeShare;
  const { kind, variants } = isLarge ? { kind: 'taille', variants: sizes } : random.one(mutations);
  const request = validRequest(context, kind);
  return { ...request, ...random.one(variants)(request, context) };
}
