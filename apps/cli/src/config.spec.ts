import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { testFolder } from '@vigie/testing/test-folder';
import { describe, expect, it, vi } from 'vitest';
import { configFile, forgetConfig, isExposed, originOf, prepareConfig, readAccess } from './config';
import type { Env } from './env';

const envIn = (fields: Partial<Env> = {}): Env => ({
  url: undefined,
  token: undefined,
  configHome: testFolder('cli-config'),
  home: undefined,
  locale: undefined,
  noColor: false,
  isDumb: false,
  ...fields,
});
const access = { url: 'https://vigie.exemple.fr', token: 'vgt_secret' };

describe('the file of the token', () => {
  it('is for its owner alone, in a folder for its owner alone', () => {
    const env = envIn();
    mkdirSync(join(env.configHome ?? '', 'vigie'), { mode: 0o755 });
    prepareConfig(env).save(access);
    expect(statSync(configFile(env)).mode & 0o777).toBe(0o600);
    expect(statSync(join(configFile(env), '..')).mode & 0o777).toBe(0o700);
    expect(readAccess(env)).toEqual(access);
  });

  it('is replaced as a whole, and a login that fails leaves the old one', () => {
    const env = envIn();
    prepareConfig(env).save(access);
    const { discard } = prepareConfig(env);
    expect(readAccess(env)).toEqual(access);
    discard();
    expect(readdirSync(join(configFile(env), '..'))).toEqual(['config.json']);
  });

  it('is drafted under a name that nobody can guess', () => {
    const env = envIn();
    const folder = join(configFile(env), '..');
    prepareConfig(env);
    prepareConfig(env);
    expect(new Set(readdirSync(folder)).size).toBe(2);
    for (const name of readdirSync(folder)) expect(name).toMatch(/^config\.json\.[0-9a-f-]{36}$/);
  });

  it('is never drafted through a link that stands there already', () => {
    const env = envIn();
    const { discard } = prepareConfig(env);
    discard();
    const name = '0199d0a0-0000-4000-8000-000000000001';
    const target = join(env.configHome ?? '', 'target');
    symlinkSync(target, join(configFile(env), '..', `config.json.${name}`));
    vi.spyOn(crypto, 'randomUUID').mockReturnValueOnce(name);
    expect(() => prepareConfig(env)).toThrow(/EEXIST/);
    expect(existsSync(target)).toBe(false);
  });

  it.each([0o640, 0o604, 0o660])('is refused with the rights %o', (mode) => {
    const env = envIn();
    prepareConfig(env).save(access);
    chmodSync(configFile(env), mode);
    expect(() => readAccess(env)).toThrow(expect.objectContaining({ ending: 'refused' }));
  });

  it.each(['', '{"url": "https://a"', '[]', '{"url": 1, "token": "a"}', '{"url": "https://a", "token": "a\\nb"}'])(
    'that holds %s is called damaged',
    (text) => {
      const env = envIn();
      prepareConfig(env).save(access);
      writeFileSync(configFile(env), text);
      expect(() => readAccess(env)).toThrow(/damaged/);
    },
  );

  it('is removed by the logout, which says where the token is still valid', () => {
    const env = envIn();
    prepareConfig(env).save(access);
    expect(forgetConfig(env)).toBe(access.url);
    expect(existsSync(configFile(env))).toBe(false);
    expect(forgetConfig(env)).toBeUndefined();
  });

  it('stands below the home without XDG_CONFIG_HOME', () => {
    expect(configFile(envIn({ configHome: undefined, home: '/home/anne' }))).toBe(
      '/home/anne/.config/vigie/config.json',
    );
  });
});

describe('the access', () => {
  it('comes from the shell first', () => {
    const env = envIn({ url: 'https://other.fr/', token: 'vgt_other' });
    prepareConfig(env).save(access);
    expect(readAccess(env)).toEqual({ url: 'https://other.fr', token: 'vgt_other' });
  });

  it('never takes a stored token to another address', () => {
    const env = envIn({ url: 'https://evil.fr' });
    prepareConfig(env).save(access);
    expect(() => readAccess(env)).toThrow(expect.objectContaining({ ending: 'refused' }));
    expect(readAccess({ ...env, url: 'https://vigie.exemple.fr/sites' })).toEqual(access);
  });

  it('never takes a token of the shell to a stored address', () => {
    const env = envIn({ token: 'vgt_other' });
    prepareConfig(env).save(access);
    expect(() => readAccess(env)).toThrow(expect.objectContaining({ ending: 'usage' }));
  });

  it.each(['vgt_a\nb', 'vgt_a b', 'vgt_é'])('is no %j, and its failure does not repeat it', (token) => {
    const read = () => readAccess(envIn({ url: 'https://other.fr', token }));
    expect(read).toThrow(expect.objectContaining({ ending: 'usage' }));
    expect(read).not.toThrow(/vgt_/);
  });

  it('may end with a line break, as a file does', () => {
    expect(readAccess(envIn({ url: 'https://other.fr', token: 'vgt_a\n' })).token).toBe('vgt_a');
  });

  it('keeps no token in its address', () => {
    expect(() => originOf('https://anne:secret@exemple.fr')).toThrow(expect.objectContaining({ ending: 'usage' }));
    expect(originOf('vigie.exemple.fr/sites?a=1')).toBe('https://vigie.exemple.fr');
  });

  it.each([
    ['http://vigie.exemple.fr', true],
    ['http://8.8.8.8', true],
    ['https://vigie.exemple.fr', false],
    ['http://localhost:8080', false],
    ['http://127.0.0.1:8080', false],
    ['http://192.168.1.4', false],
    ['http://172.20.0.2', false],
    ['http://172.32.0.2', true],
    ['http://10.evil.fr', true],
    ['http://[::1]:80', false],
  ])('%s: a warning is due: %s', (origin, isWarned) => {
    expect(isExposed(origin)).toBe(isWarned);
  });

  it('is never printed by a failure', () => {
    const env = envIn();
    prepareConfig(env).save(access);
    chmodSync(configFile(env), 0o644);
    expect(() => readAccess(env)).not.toThrow(/vgt_/);
    expect(readFileSync(configFile(env), 'utf8')).toContain('vgt_');
  });
});
