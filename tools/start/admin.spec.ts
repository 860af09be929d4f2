import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { describeAdmin } from './admin';
import { readSettings } from './env';

let home: string;
beforeEach(() => void (home = testFolder('admin')));

const describe = (env: NodeJS.ProcessEnv = {}) => describeAdmin(readSettings({ VIGIE_HOME: home, ...env })).join('\n');
const writeFirstAdmin = (password: string) =>
  writeFileSync(join(home, 'first-admin.json'), JSON.stringify({ email: 'admin@localhost', password }));

it('shows a generated password once, then only its file', () => {
  writeFirstAdmin('drawn-1');
  expect(describe()).toContain('drawn-1');
  expect(describe()).not.toContain('drawn-1');
  expect(describe()).toContain(join(home, 'first-admin.json'));
});

it('shows the password of a new database', () => {
  writeFirstAdmin('drawn-1');
  describe();
  writeFirstAdmin('drawn-2');
  expect(describe()).toContain('drawn-2');
});

it('names a chosen administrator once, and never its password', () => {
  const env = { VIGIE_ADMIN_EMAIL: 'eve@example.org', VIGIE_ADMIN_PASSWORD: 'chosen-1' };
  expect(describe(env)).toContain('eve@example.org');
  expect(describe(env)).toBe('');
});
