import { describe, expect, it } from 'vitest';
import type { SshAccess } from '@vigie/contracts/credentials';
import { SshFailure } from '@vigie/ssh/failure';
import { askFromServer, readAnswer } from './ask-server';

describe('the answer of a host', () => {
  it('is a code and a time, or a word', () => {
    expect(readAnswer('200 0.1239\n')).toEqual({ code: 200, ms: 124, error: null });
    expect(readAnswer('late')).toEqual({ code: 0, ms: null, error: 'Le site n’a pas répondu en 10\u00a0s.' });
    expect(readAnswer('no-tool')).toMatchObject({ code: null, error: expect.stringContaining('ni curl') });
  });

  const hostile = [
    '',
    '000 0.0',
    '99 1',
    '2000 1',
    '200 -1',
    '200 1e9',
    '200 99999',
    '200 0.1\n<b>',
    'toString',
    '200',
  ];
  it.each([...hostile, 'x'.repeat(1_000)])('says nothing of the site when it is %j', (output) => {
    const error = 'Ce serveur n’a pas pu interroger le site.';
    expect(readAnswer(output)).toEqual({ code: null, ms: null, error });
  });
});

describe('a host', () => {
  const access = { host: 'h' } as SshAccess;
  const failing = (error: Error) => ({
    use: async () => {
      throw error;
    },
  });
  const ask = (url: string, error: Error = new Error('asked')) => askFromServer(failing(error), { access, url });

  const addresses = ['', '-o/etc/passwd', '--version', 'file:///etc/passwd', 'http://', 'exemple.fr', ' -K/tmp/x'];
  it.each([...addresses, `http://a/${'b'.repeat(2_048)}`])('is not asked for %s', async (url) => {
    expect(await ask(url)).toEqual({ code: null, ms: null, error: 'Cette adresse n’est ni en http ni en https.' });
  });

  it.each(['http://169.254.169.254/', 'http://2852039166/', 'http://[::ffff:169.254.169.254]/', 'https://[fe80::1]/'])(
    'is not asked for the metadata of its cloud at %s',
    async (url) => {
      expect(await ask(url)).toEqual({ code: null, ms: null, error: 'Adresse non autorisée' });
    },
  );

  it('says why it could not be asked', async () => {
    const refused = new SshFailure({ kind: 'refused', address: '192.0.2.1', port: 22 });
    expect(await ask('http://a/', refused)).toMatchObject({ code: null, ms: null, error: refused.message });
    expect(await ask('http://a/', new SshFailure({ kind: 'cancelled' }))).toMatchObject({
      code: null,
      error: 'Le serveur n’a pas répondu à temps.',
    });
    await expect(ask('http://a/')).rejects.toThrow('asked');
  });
});
