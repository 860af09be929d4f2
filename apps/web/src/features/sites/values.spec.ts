import { describe, expect, it } from 'vitest';
import { needsPassword, blank, changesOf, checkSite, creationOf, isChanged, normalize, valuesOf } from './values';

const id = '019a8f3c-0000-7000-8000-000000000001';
const server = '019a8f3c-0000-7000-8000-000000000002';
const aSite = (ssh: object = {}) => ({
  id,
  name: 'Boutique',
  url: 'https://boutique.fr',
  groups: [],
  role: 'owner' as const,
  connection: {
    method: 'ssh' as const,
    ssh: {
      server_id: server,
      server_name: 'web-03',
      host: null,
      port: null,
      user: null,
      wp_path: '/var/www/boutique',
      has_password: false,
      has_key: false,
      public_key: null,
      host_key: null,
      effective: { host: 'web-03.exemple.fr', port: 22, user: 'root' },
      ...ssh,
    },
  },
});
const filled = { ...blank, name: 'Boutique', url: 'https://boutique.fr', server };

describe('a new site', () => {
  it('sends its own values, and leaves the rest to its server', () => {
    expect(creationOf({ ...filled, groups: [id], user: ' deploy ', password: 'typed before' })).toEqual({
      name: 'Boutique',
      url: 'https://boutique.fr',
      groups: [id],
      connection: {
        method: 'ssh',
        ssh: { server_id: server, host: null, port: null, user: 'deploy', wp_path: null },
      },
    });
    expect(creationOf({ ...filled, method: 'password', password: 'p' }).connection).toMatchObject({
      ssh: { auth: { password: 'p' } },
    });
  });

  it('needs a name, a URL and a connection', () => {
    expect(checkSite(undefined, blank)).toEqual({
      name: 'À renseigner.',
      url: 'À renseigner.',
      host: 'À renseigner.',
      user: 'À renseigner.',
      path: 'À renseigner.',
    });
    expect(checkSite(undefined, filled)).toEqual({});
    const own = { ...filled, server: '', host: 'web-03', user: 'deploy', path: '/var/www' };
    expect(checkSite(undefined, own)).toEqual({});
  });

  it('marks invalid fields', () => {
    const { url, path } = checkSite(undefined, { ...filled, url: 'javascript:alert(1)', path: 'www' });
    expect(url).toMatch(/^Cette URL n’est pas valide/);
    expect(path).toMatch(/^Ce chemin n’est pas valide/);
    expect(checkSite(undefined, { ...filled, method: 'password' })).toHaveProperty('password');
  });

  it('adds a missing scheme, and replaces an invalid port by the default', () => {
    expect(normalize({ ...filled, url: ' boutique.fr ', port: 'ssh' })).toMatchObject({
      url: 'https://boutique.fr',
      port: '22',
    });
    expect(normalize({ ...filled, url: 'http://boutique.fr', port: '' })).toMatchObject({
      url: 'http://boutique.fr',
      port: '',
    });
  });
});

describe('an edit', () => {
  const change = (values: object, ssh: object = {}) => {
    const { id: _, ...changes } = changesOf(aSite(ssh), { ...valuesOf(aSite(ssh)), ...values });
    return changes;
  };

  it('is empty while only spaces and trailing slashes differ', () => {
    expect(change({})).toEqual({});
    expect(change({ name: ' Boutique ', url: 'https://boutique.fr/', path: '/var/www/boutique/' })).toEqual({});
    expect(isChanged(aSite(), valuesOf(aSite()))).toBe(false);
  });

  it('has only the changed fields, with null for emptied ones', () => {
    expect(change({ name: 'Atelier', groups: [id], path: '', user: 'deploy' })).toEqual({
      name: 'Atelier',
      groups: [id],
      connection: { ssh: { user: 'deploy', wp_path: null } },
    });
    expect(change({ server: '' })).toEqual({ connection: { ssh: { server_id: null } } });
  });

  it('sends the whole connection with a secret, and drops a secret for the server’s access', () => {
    expect(change({ method: 'password', password: 'p' })).toEqual({
      connection: {
        ssh: {
          server_id: server,
          host: null,
          port: null,
          user: null,
          wp_path: '/var/www/boutique',
          auth: { password: 'p' },
        },
      },
    });
    expect(change({ method: 'own' }, { has_password: true })).toEqual({ connection: { ssh: { auth: null } } });
  });

  it('drops the key of a site without a server when it takes a server’s access', () => {
    const alone = { server_id: null, host: 'web-03', user: 'deploy', has_key: true };
    expect(change({}, alone)).toEqual({});
    expect(change({ server }, alone)).toEqual({ connection: { ssh: { server_id: server, auth: null } } });
    expect(change({ server, method: 'key' }, alone)).toEqual({ connection: { ssh: { server_id: server } } });
  });

  it('requires the password again where the address changes', () => {
    const site = aSite({ has_password: true });
    expect(needsPassword(site, { ...valuesOf(site), name: 'Atelier' })).toBe(false);
    expect(needsPassword(site, { ...valuesOf(site), host: 'other' })).toBe(true);
    expect(checkSite(site, { ...valuesOf(site), host: 'other' }).password).toMatch(/^L’adresse a changé/);
  });
});

it('asks no connection of whoever manages a site of somebody else, and sends the name and the groups alone', () => {
  const hidden = { server_id: null, server_name: null, wp_path: null, effective: null };
  const shared = { ...aSite(hidden), role: 'manager' as const };
  const values = { ...valuesOf(shared), name: 'Vitrine', groups: [id] };
  expect(checkSite(shared, values)).toEqual({});
  expect(changesOf(shared, values)).toEqual({ id, name: 'Vitrine', groups: [id] });
  expect(Object.keys(checkSite(shared, { ...values, name: ' ' }))).toEqual(['name']);
});
