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
const newOpener = generateOpener();
const rotated: KeyFile = {
  ...first,
  opens: [newOpener, ...first.opens],
  readers: { ...first.readers, 'auth-svc': [sealerOf(newOpener), ...first.readers['auth-svc']] },
};

let folder: string;
let file: string;
let keys: LiveKeys;
let warnings: unknown[];
beforeEach(() => {
  folder = testFolder('live');
  file = join(folder, 'auth-svc.json');
  writeKeyFile(first);
  warnings = [];
  const log = makeLog('test', 'silent');
  log.warn = (line: unknown) => void warnings.push(line);
  keys = new LiveKeys(file, first, log);
});

function writeKeyFile(content: unknown): void {
  writeFileSync(`${file}.part`, typeof content === 'string' ? content : JSON.stringify(content));
  renameSync(`${file}.part`, file);
}
const newest = () => keys.readers['auth-svc'][0]?.kid;

describe('the keys of a running process', () => {
  it('are the current ones of the file', () => {
    expect(keys.opens).toEqual(first.opens);
    writeKeyFile(rotated);
    keys.refresh();
    expect([keys.opens, keys.readers]).toEqual([rotated.opens, rotated.readers]);
  });

  it('are read again at once for a value sealed with an unknown key', async () => {
    const sealed = await seal('x', sealerOf(newOpener), 'p');
    await expect(unsealWith(keys, sealed, 'p')).rejects.toThrow('no key for this seal');
    writeKeyFile(rotated);
    expect(await unsealWith(keys, sealed, 'p')).toBe('x');
    expect(newest()).toBe(newOpener.kid);
  });

  it('are read again every second', async () => {
    expect(newest()).not.toBe(newOpener.kid);
    writeKeyFile(rotated);
    await until(() => newest() === newOpener.kid);
  });

  const unusable: [string, unknown][] = [
    ['half a file', JSON.stringify(rotated).slice(0, 400)],
    ['another installation', { ...rotated, instance: '0'.repeat(16) }],
    ['another process', { ...rotated, process: 'gateway' }],
    ['no opener', { ...rotated, opens: [] }],
  ];
  it.each(unusable)('are kept while the file holds %s, with one warning that quotes nothing of it', (_, content) => {
    writeKeyFile(content);
    for (let n = 0; n < 3; n += 1) keys.refresh();
    expect([keys.opens, keys.readers]).toEqual([first.opens, first.readers]);
    expect(warnings).toHaveLength(1);
    // With its quotes, since the name of a temporary folder may hold any letters.
    expect(String(Object(warnings[0]).err)).not.toContain('"kty"');
    writeKeyFile(rotated);
    keys.refresh();
    expect(newest()).toBe(newOpener.kid);
    rmSync(file);
    keys.refresh();
    expect([newest(), warnings.length]).toEqual([newOpener.kid, 2]);
  });

  it('change only in their rings', () => {
    writeKeyFile({ ...rotated, pepper: 'p'.repeat(43), database_password: 'd'.repeat(43) });
    keys.refresh();
    expect([keys.opens[0], keys.pepper, keys.database_password]).toEqual([
      newOpener,
      first.pepper,
      first.database_password,
    ]);
  });
});
