/** A hostile value, with the kind by which the report counts it. */
export type HostileValue = { kind: string; value: unknown };

/** Marks a field to leave out. */
export const absent = Symbol('absent');

/** Marks text that toJson writes unquoted. */
const raw = (text: string) => `\uE000${Buffer.from(text).toString('base64')}\uE000`;
const isRaw = (value: unknown) => typeof value === 'string' && /^\uE000.*\uE000$/.test(value);

export const toJson = (value: unknown): string =>
  (JSON.stringify(value) ?? '').replaceAll(/"\uE000([\w+/=]*)\uE000"/g, (_, text: string) =>
    Buffer.from(text, 'base64').toString(),
  );

/** Encodes a part of an address; half a surrogate pair becomes an invalid sequence of three bytes. */
export function toQuery(value: unknown): string {
  const text = typeof value === 'string' && !isRaw(value) ? value : toJson(value);
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\u0002')).replaceAll('%02', '%ED%A0%80');
}

const ofKind = (kind: string, values: readonly unknown[]): HostileValue[] => values.map((value) => ({ kind, value }));

const injections = [
  `' or '1'='1' --`,
  `'; drop table sites.sites; --`,
  `1); select pg_sleep(9); --`,
  `\\'; select 1; --`,
  `$$; select 1; $$`,
  `%' escape '!' or 1=1 --`,
  '%_%_%',
  '<script>alert(1)</script>',
  `"><img src=x onerror=alert(1)>`,
  'javascript:alert(1)',
  '$(reboot)',
  '`reboot`',
  '; reboot; #',
  '| nc 127.0.0.1 9',
  '&& reboot',
  '--exec=reboot',
  '-oProxyCommand=reboot',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/etc/passwd',
  '/proc/self/environ',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::ffff:127.0.0.1]:22/',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'a\r\nset-cookie: a=1',
  'a\r\n\r\n<html>',
  'a@exemple.fr\r\nbcc: b@exemple.fr',
  '{{7*7}}',
  '${7*7}',
  '#{7*7}',
  '<%= 7*7 %>',
  '${jndi:ldap://127.0.0.1/a}',
  '%s%s%s%n',
  '%7B%7B',
  '(a+)+$',
  '[[[[[[',
  '(?<!',
  '\u001b]52;c;cm0gLXJm\u0007',
  '*)(uid=*))(|(uid=*',
  'O:8:"stdClass":0:{}',
  '=cmd|"/c calc"!A1',
];

const invisible = [
  '\u202Egpj.exe',
  'a\u200Bb',
  '\uFEFF',
  '\u2028',
  '\u0085',
  '\u00A0',
  '\u3000',
  '\u061C\u200F',
  'e\u0301'.repeat(300),
  '\uFDFA'.repeat(60),
  'İ'.repeat(60),
  '👩‍👩‍👧‍👦'.repeat(12),
  '\u007F\u0007\b',
];

const numbers = [
  -1,
  0.5,
  1e308,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 63,
  -(2 ** 31) - 1,
  raw('-0'),
  raw('1e999'),
  raw('-1e999'),
  raw('0.1e-400'),
  raw('9'.repeat(400)),
  raw('NaN'),
  raw('Infinity'),
  raw('0x10'),
  raw('01'),
  '1e999',
  'NaN',
  'Infinity',
  '-0',
  '0x7fffffff',
  '٣',
  '1 2',
];

const nest = (open: string, close: string, depth: number, core = '') =>
  raw(`${open.repeat(depth)}${core}${close.repeat(depth)}`);
const deep = [
  nest('[', ']', 20),
  nest('[', ']', 40),
  nest('[', ']', 50_000),
  nest('{"a":', '}', 3_000, '1'),
  nest('[', '', 2_000),
];

const prototypes = [
  raw('{"__proto__":{"is_admin":true,"role":"admin"}}'),
  raw('{"constructor":{"prototype":{"is_admin":true}}}'),
  raw('{"\\u005f_proto__":{"toString":1}}'),
  raw('{"toString":1,"valueOf":1,"length":-1,"then":1}'),
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
];

const wrongTypes = [
  true,
  false,
  0,
  1,
  '',
  ' ',
  [],
  {},
  [null],
  [[]],
  [{}],
  ['a', 'b'],
  { a: 1 },
  { $gt: '' },
  { length: 1e9 },
  'true',
  '[]',
  '{}',
];

const dates = [
  '0000-00-00T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '9999-12-31T23:59:59.999999999Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T25:61:61Z',
  '1970-01-01T00:00:00+99:99',
  'now',
  'infinity',
];

const identifiers = [
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '00000000-0000-1000-8000-000000000000',
  'FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF',
  '{ffffffff-ffff-4fff-bfff-ffffffffffff}',
  'ffffffffffff4fffbfffffffffffffff',
  'ffffffff-ffff-4fff-bfff-fffffffffff',
  'ffffffff-ffff-4fff-bfff-ffffffffffffg',
  'ffffffff-ffff-4fff-bfff-ffffffffffff\n',
  '0',
  '-1',
  'me',
  'null',
  'undefined',
];

const long = [256, 300, 2_049, 5_000, 65_537, 150_000].flatMap((length) => [
  'x'.repeat(length),
  'é'.repeat(length / 2),
]);
const lists = [600, 20_000].map((length) => Array<string>(length).fill('a'));

/** Lists all hostile values; `foreignIds` are ids of another user's objects. */
export const hostileValues = (foreignIds: readonly string[]): HostileValue[] => [
  ...ofKind('absent', [absent, absent, absent]),
  ...ofKind('null', [null, null, 'null']),
  ...ofKind('mauvais type', wrongTypes),
  ...ofKind('NUL', ['\0', 'a\0b', 'a@exemple.fr\0', '127.0.0.1\0', '\\u0000', '\\0']),
  ...ofKind('demi-caractère', ['\uD800', 'a\uDC00b', '\uDC00\uD800', 'a@\uD83D.fr']),
  ...ofKind('invisible', invisible),
  ...ofKind('prototype', prototypes),
  ...ofKind('trop long', [...long, ...lists]),
  ...ofKind('trop profond', deep),
  ...ofKind('nombre', numbers),
  ...ofKind('injection', injections),
  ...ofKind('date', dates),
  ...ofKind('identifiant', [...identifiers, ...foreignIds]),
];
