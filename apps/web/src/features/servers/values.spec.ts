import { describe, expect, it } from 'vitest';
import type { Server } from '@vigie/contracts/servers';
import { needsPassword, blank, changesOf, checkServer, creationOf, isChanged, valuesOf } from './values';

const id = '019a8f3c-0000-7000-8000-000000000001';
const aServer = (overrides: Partial<Server> = {}): Server => ({
  id,
  name: 'web-03',
  host: 'web-03.exemple.fr',
  port: 22,
  user: 'root',
  provider: null,
  type: 'prod',
  groups: [],
  has_password: true,
  has_key: false,
  host_key: null,
  sites_count: 0,
  status: {
    online: null,
    uptime: null,
    uptime_seconds: null,
    since: null,
    method: null,
    error: null,
    checked_at: null,
    alerts: [],
    refreshing: false,
  },
  ...overrides,
});
const filled = { ...blank, name: 'web-03', host: 'web-03.exemple.fr' };

describe('creationOf', () => {
  const auth = (values: object) => creationOf({ ...filled, ...values }).auth;
  const secrets = { password: 'p', privateKeyPem: 'k', passphrase: 's' };

  it('sends only the secret of the chosen method', () => {
    expect(auth({ ...secrets, method: 'password' })).toEqual({ password: 'p' });
    expect(auth({ ...secrets, method: 'key' })).toEqual({ privateKeyPem: 'k', passphrase: 's' });
    expect(auth({ method: 'key', privateKeyPem: 'k' })).toEqual({ privateKeyPem: 'k' });
  });

  it('sends no secret for a generated key', () => {
    expect(creationOf({ ...filled, ...secrets })).not.toHaveProperty('auth');
  });
});

describe('changesOf', () => {
  const change = (values: object, server = aServer()) => {
    const { id: _, ...changes } = changesOf(server, { ...valuesOf(server), ...values });
    return changes;
  };

  it('is empty while nothing but spaces and capitals differs', () => {
    expect(change({})).toEqual({});
    expect(change({ name: ' web-03 ', host: ' WEB-03.exemple.fr ', port: '', user: '', provider: ' ' })).toEqual({});
    expect(isChanged(aServer(), valuesOf(aServer()))).toBe(false);
  });

  it('has only the changed fields', () => {
    expect(change({ name: 'web-04', port: '2222', provider: 'OVH', type: 'dev', groups: [id] })).toEqual({
      name: 'web-04',
      port: 2222,
      provider: 'OVH',
      type: 'dev',
      groups: [id],
    });
  });

  it('keeps a secret that is left empty, and drops the password for a generated key', () => {
    expect(change({ method: 'key' })).toEqual({});
    expect(change({ method: 'made', password: 'typed before' })).toEqual({ auth: null });
  });

  it('sends the whole address with a secret', () => {
    const address = { host: 'web-03.exemple.fr', port: 22, user: 'root' };
    expect(change({ password: 'p' })).toEqual({ ...address, auth: { password: 'p' } });
  });
});

describe('a password', () => {
  const values = valuesOf(aServer());

  it('is required again where the address changes', () => {
    expect(needsPassword(aServer(), { ...values, name: 'other' })).toBe(false);
    for (const changed of [{ host: 'other' }, { port: '2222' }, { user: 'deploy' }]) {
      expect(needsPassword(aServer(), { ...values, ...changed })).toBe(true);
      expect(checkServer(aServer(), { ...values, ...changed }).password).toMatch(/^L’adresse a changé/);
    }
  });

  it('is not required with a key, or where a new one is typed', () => {
    expect(needsPassword(aServer({ has_password: false }), { ...values, method: 'key', host: 'other' })).toBe(false);
    expect(checkServer(aServer(), { ...values, host: 'other', password: 'p' })).toEqual({});
  });
});

describe('checkServer', () => {
  it('marks missing and invalid fields', () => {
    expect(checkServer(undefined, blank)).toEqual({ name: 'À renseigner.', host: 'À renseigner.' });
    const { host, user } = checkServer(undefined, { ...filled, host: 'a b', user: 'a b' });
    expect(host).toMatch(/^Cet hôte n’est pas valide/);
    expect(user).toMatch(/^Cet utilisateur n’est pas valide/);
    expect(checkServer(undefined, filled)).toEqual({});
  });

  it('requires the secret of the chosen method', () => {
    expect(checkServer(undefined, { ...filled, method: 'password' })).toHaveProperty('password');
    expect(checkServer(undefined, { ...filled, method: 'key' })).toHaveProperty('privateKeyPem');
    const mistaken = { ...filled, method: 'key', privateKeyPem: 'ssh-ed25519 AAAA me@home' } as const;
    expect(checkServer(undefined, mistaken).privateKeyPem).toMatch(/^C’est une clé publique/);
    const server = aServer({ has_password: false });
    expect(checkServer(server, { ...valuesOf(server), method: 'password' })).toHaveProperty('password');
    expect(checkServer(server, valuesOf(server))).toEqual({});
  });
});
