import { expect, it } from 'vitest';
import { lockedFolders } from './progress.mjs';

it('counts the packages that npm installs here, without links and packages of other platforms', () => {
  const packages = {
    '': {},
    'apps/web': {},
    'node_modules/@vigie/web': { link: true },
    'node_modules/zod': {},
    'apps/web/node_modules/zod': {},
    'node_modules/@x/linux-x64': { os: ['linux'], cpu: ['x64'] },
    'node_modules/@x/linux-arm64': { os: ['linux'], cpu: ['arm64'] },
    'node_modules/@x/musl': { libc: ['musl'] },
    'node_modules/@x/musl/node_modules/zod': {},
    'node_modules/@x/darwin': { os: ['darwin'] },
    'node_modules/@x/no-windows': { os: ['!win32'] },
    'node_modules/@x/no-linux': { os: ['!linux'] },
  };
  expect(lockedFolders({ packages }, { platform: 'linux', arch: 'x64', libc: 'glibc' })).toEqual([
    'node_modules/zod',
    'apps/web/node_modules/zod',
    'node_modules/@x/linux-x64',
    'node_modules/@x/no-windows',
  ]);
});
