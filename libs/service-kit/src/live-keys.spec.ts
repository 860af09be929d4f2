import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { seal } from '@vigie/vault/seal';
import { until } from '@vigie/testing/until';
import { generateKeys, generateOpener, type KeyFile, sealerOf } from './keys';
import { LiveKeys, unsealWith } from './live-keys';
import { makeLog } from './log';

const first = generateKeys()['auth-svc'];
const fresh = generateOpener();
const rotated: KeyFile = {
  ...first,
  opens: [fresh, ...first.opens],
  readers: { ...first.readers, 'auth-svc': [sealerOf(fresh), ...first.readers['auth-svc']] },
};

let folder: string;
let file: string;
let keys: LiveKeys;
let warnings: unknown[];
beforeEach(() => {
  folder = testFolder('live');
  file = join(folder, 'auth-svc.json');
  put(first);
  warnings = [];
  const log = makeLog('test', 'silent');
  log.warn = (line: unknown) => void warnings.push(line);
  keys = new LiveKeys(file, first, log);
});

function put(content: unknown): void {
  writeFileSync(`${file}.part`, typeof content === 'string' ? content : JSON.stringify(content));
  renameSync(`${file}.part`, file);
}
const newest = () => keys.readers['auth-svc'][0]?.kid;

describe('the keys of a running process', () => {
  it('are the current ones of the file', () => {
    expect(keys.opens).toEqual(first.opens);
    put(rotated);
    keys.refresh();
    expect([keys.opens, keys.readers]).toEqual([rotated.opens, rotated.readers]);
  });

  it('are read again at once for a value sealed with an unknown key', async () => {
    const sealed = await seal('x', sealerOf(fresh), 'p');
    await expect(unsealWith(keys, sealed, 'p')).rejects.toThrow('no key for this seal');
    put(rotated);
    expect(await unsealWith(keys, sealed, 'p')).toBe('x');
    expect(newest()).toBe(fresh.kid);
  });

  it('are read again every second', async () => {
    expect(newest()).not.toBe(fresh.kid);
    put(rotated);
    await until(() => newest() === fresh.kid);
  });

  const unusable: [string, unknown][] = [
    ['half a file', JSON.stringify(rotated).slice(0, 400)],
    ['another installation', { ...rotated, instance: '0'.repeat(16) }],
    ['another process', { ...rotated, process: 'gateway' }],
    ['no opener', { ...rotated, opens: [] }],
  ];
  it.each(unusable)('are kept while the file holds %s, with one warning that quotes nothing of it', (_, content) => {
    put(content);
    for (let n = 0; n < 3; n += 1) keys.refresh();
    expect([keys.opens, keys.readers]).toEqual([first.opens, first.readers]);
    expect(warnings).toHaveLength(1);
    expect(String(Object(warnings[0]).err)).not.toContain('kty');
    put(rotated);
    keys.refresh();
    expect(newest()).toBe(fresh.kid);
    rmSync(file);
    keys.refresh();
    expect([newest(), warnings.length]).toEqual([fresh.kid, 2]);
  });

  it('change only in their rings', () => {
    put({ ...rotated, pepper: 'p'.repeat(43), database_password: 'd'.repeat(43) });
    keys.refresh();
    expect([keys.opens[0], keys.pepper, keys.database_password]).toEqual([
      fresh,
      first.pepper,
      first.database_password,
    ]);
  });
});
