import { describe, expect, it } from 'vitest';
import { toAppError } from './issues';
import { CreateServer, EditServer, readStatuses, splitIds } from './servers';
import { CreateSite } from './sites';

const id = '019a8f3c-0000-7000-8000-000000000001';
const aServer = (fields: object = {}) => CreateServer.safeParse({ name: 'web', host: 'web.exemple.fr', ...fields });
const hostOf = (host: unknown) => {
  const { data, error } = aServer({ host });
  return data?.host ?? error?.issues[0]?.message;
};

describe('a server', () => {
  it('defaults to root on port 22 of a production machine', () => {
    expect(aServer().data).toEqual({
      name: 'web',
      host: 'web.exemple.fr',
      port: 22,
      user: 'root',
      type: 'prod',
      groups: [],
    });
    expect(aServer({ port: null, user: '', provider: ' ' }).data).toMatchObject({
      port: 22,
      user: 'root',
      provider: null,
    });
  });

  it('is unchanged when parsed twice', () => {
    const once = aServer({ host: ' WEB.Exemple.FR. ', name: ' é\u0301 ', provider: ' OVH ' }).data;
    expect(CreateServer.parse(once)).toEqual(once);
    const changes = EditServer.parse({ id, port: null, user: null, provider: null });
    expect(changes).toEqual({ id, port: 22, user: 'root', provider: null });
    expect(EditServer.parse(changes)).toEqual(changes);
  });

  it('leaves fields that an edit does not name', () => {
    expect(EditServer.parse({ id })).toEqual({ id });
  });

  it.each([
    ['web-03', 'web-03'],
    ['[2001:DB8::1]', '2001:db8::1'],
    ['élan.fr', 'xn--lan-9la.fr'],
    ['10.0.0.1', '10.0.0.1'],
    ['a_b.internal', 'a_b.internal'],
  ])('normalises %s to %s', (host, normalised) => {
    expect(hostOf(host)).toBe(normalised);
  });

  it.each([
    '-oProxyCommand=x',
    'a b',
    'a/b',
    'user@host',
    'host:22',
    'http://a',
    'a..b',
    '.',
    '1.2.3',
    '0x7f000001',
    '2130706433',
    '1.2.3.4.5',
    'fe80::1%eth0',
    'a\u0000b',
    'a\nb',
    '$(id)',
    'é b',
    `${'a'.repeat(64)}.fr`,
  ])('refuses the host %j', (host) => {
    expect(hostOf(host)).toMatch(/^Cet hôte n’est pas valide/);
  });

  it.each(['', '  '])('requires a host and a name, not %j', (text) => {
    expect(hostOf(text)).toBe('Renseignez un nom et un hôte.');
    expect(aServer({ name: text }).error?.issues[0]?.message).toBe('Renseignez un nom et un hôte.');
  });

  it.each([
    { port: 0 },
    { port: 65_536 },
    { port: 1.5 },
    { port: '22' },
    { user: '-l' },
    { user: 'a b' },
    { user: 'a;b' },
    { type: 'x' },
  ])('refuses %j', (fields) => {
    expect(aServer(fields).success).toBe(false);
  });

  it('accepts a password or a key, not both', () => {
    expect(aServer({ auth: { password: 'a', privateKeyPem: 'b' } }).success).toBe(false);
    expect(aServer({ auth: { password: 'a\nb' } }).success).toBe(false);
    expect(aServer({ auth: { passwort: 'a' } }).success).toBe(false);
    expect(aServer({ auth: { password: '', privateKeyPem: ' ' } }).data?.auth).toBeUndefined();
    expect(aServer({ auth: null }).data?.auth).toBeNull();
    expect(aServer({ auth: { password: ' a ' } }).data?.auth).toEqual({ password: ' a ' });
  });
});

describe('the host of a site', () => {
  const answerTo = (host: unknown) => {
    const ssh = { host, user: 'deploy', wp_path: '/srv' };
    const { data, error } = CreateSite.safeParse({ name: 'x', url: 'https://x.fr', connection: { ssh } });
    return error ? toAppError(error).code : data?.host;
  };

  it('is refused as an invalid value, not as a wrong type', () => {
    expect([answerTo(' WEB.Exemple.FR. '), answerTo('[::1]')]).toEqual(['web.exemple.fr', '::1']);
    expect([answerTo('a b'), answerTo(`${'a.'.repeat(126)}ab`), answerTo('  ')]).toEqual(Array(3).fill('invalid'));
    expect(answerTo(7)).toBe('schema');
  });

  it('is the server’s when none is given', () => {
    const ssh = { server_id: id, host: ' ' };
    expect(CreateSite.parse({ name: 'x', url: 'https://x.fr', connection: { ssh } }).host).toBeNull();
  });
});

it('takes ids as comma-separated text, which also crosses the bus: services of two releases may talk to each other', () => {
  const ids = `${id},${id}`;
  expect(readStatuses.input.parse(readStatuses.input.parse({ ids })).ids).toBe(ids);
  expect(splitIds(ids)).toEqual([id, id]);
  const refusalOf = (text: unknown) => readStatuses.input.safeParse({ ids: text }).error?.issues[0]?.code;
  expect([refusalOf([id]), refusalOf('x'), refusalOf(Array(101).fill(id).join(','))]).toEqual([
    'invalid_type',
    'invalid_format',
    'too_big',
  ]);
});
