import { describe, expect, it } from 'vitest';
import { asksPassword, blank, changesOf, checkSite, creationOf, isChanged, settle, valuesOf } from './values';

const id = '019a8f3c-0000-7000-8000-000000000001';
const server = '019a8f3c-0000-7000-8000-000000000002';
const aSite = (ssh: object = {}) => ({
  id,
  name: 'Boutique',
  url: 'https://boutique.fr',
  groups: [],
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
  it('sends what it has of its own, and leaves the rest to its server', () => {
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

  it('needs a name and an address, and a way to it', () => {
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

  it('marks what is wrong where it is', () => {
    const { url, path } = checkSite(undefined, { ...filled, url: 'javascript:alert(1)', path: 'www' });
    expect(url).toMatch(/^Cette URL n’est pas valide/);
    expect(path).toMatch(/^Ce chemin n’est pas valide/);
    expect(checkSite(undefined, { ...filled, method: 'password' })).toHaveProperty('password');
  });

  it('takes an address without its scheme, and the usual port for what is none', () => {
    expect(settle({ ...filled, url: ' boutique.fr ', port: 'ssh' })).toMatchObject({
      url: 'https://boutique.fr',
      port: '22',
    });
    expect(settle({ ...filled, url: 'http://boutique.fr', port: '' })).toMatchObject({
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

  it('is empty while nothing differs, spaces and last slashes apart', () => {
    expect(change({})).toEqual({});
    expect(change({ name: ' Boutique ', url: 'https://boutique.fr/', path: '/var/www/boutique/' })).toEqual({});
    expect(isChanged(aSite(), valuesOf(aSite()))).toBe(false);
  });

  it('holds what differs, and clears what is emptied', () => {
    expect(change({ name: 'Atelier', groups: [id], path: '', user: 'deploy' })).toEqual({
      name: 'Atelier',
      groups: [id],
      connection: { ssh: { user: 'deploy', wp_path: null } },
    });
    expect(change({ server: '' })).toEqual({ connection: { ssh: { server_id: null } } });
  });

  it('names the whole way beside a secret, and forgets one for the access of the server', () => {
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

  it('gives the key of a site without a server up for the access of the server that it names', () => {
    const alone = { server_id: null, host: 'web-03', user: 'deploy', has_key: true };
    expect(change({}, alone)).toEqual({});
    expect(change({ server }, alone)).toEqual({ connection: { ssh: { server_id: server, auth: null } } });
    expect(change({ server, method: 'key' }, alone)).toEqual({ connection: { ssh: { server_id: server } } });
  });

  it('asks for the password again where the address is another one', () => {
    const site = aSite({ has_password: true });
    expect(asksPassword(site, { ...valuesOf(site), name: 'Atelier' })).toBe(false);
    expect(asksPassword(site, { ...valuesOf(site), host: 'other' })).toBe(true);
    expect(checkSite(site, { ...valuesOf(site), host: 'other' }).password).toMatch(/^L’adresse a changé/);
  });
});
