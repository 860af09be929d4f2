import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SshAccess } from '@vigie/contracts/credentials';
import { DiskStore } from '@vigie/files/disk-store';
import { FileStore } from '@vigie/files/file-store';
import { connectionsTo } from '@vigie/testing/connections';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { onFleet } from '@vigie/testing/fleet/machine';
import { contentOf } from '@vigie/testing/fleet/sites';
import { archivesIn, backupsOf } from '@vigie/testing/packs';
import { targetOf } from '@vigie/testing/ssh-targets';
import { resultOf, runForTests } from '../jobs/run-for-tests';
import type { JobHandlers } from '../jobs/job-handler';
import { readHostBackups, removeHostBackup } from './host-backups';
import { backupsJobs } from './backups.jobs';

const describeFleet = onFleet(describe);

describeFleet('a site whose content folder is not known', () => {
  let fleet: Fleet;
  let handlers: JobHandlers;
  let connections: ReturnType<typeof connectionsTo>;
  let folder: string;
  const storage = mkdtempSync(join(tmpdir(), 'vigie-unknown-'));
  const access = { host: 'h', row: { table: 'servers', id: randomUUID() } } as SshAccess;

  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: ['moved-content'] });
    folder = backupsOf(contentOf(fleet.site('moved-content')));
    const store = await DiskStore.open(pathToFileURL(storage).href);
    connections = connectionsTo(targetOf(fleet.host));
    handlers = backupsJobs(connections, { openStore: () => Promise.resolve(store), ruleFor: () => () => true });
  });
  afterAll(async () => {
    await connections?.close();
    await fleet?.close();
    rmSync(storage, { recursive: true });
  });
  afterEach(() => {
    for (const name of archivesIn(folder)) rmSync(join(folder, name));
  });

  const siteInput = () => {
    const { path, url } = fleet.site('moved-content');
    return { site: { id: randomUUID(), version: 1, path, url, php: null }, content: null };
  };
  const runJob = async (verb: string, filename: string, more: object = {}) =>
    resultOf(
      await runForTests(handlers, { kind: `backups.${verb}`, input: { ...siteInput(), filename, ...more }, access }),
    );
  const listed = async () =>
    (await readHostBackups(connections, { ...siteInput(), access })).items.map((item) => item.filename);
  const aName = () => `site-20260101-000000-${randomUUID().slice(0, 8)}.wpress`;

  it('is asked for the folder by every job on its backups', async () => {
    const filename = aName();
    expect(await runJob('create', filename)).toMatchObject({ storage: 'contenu/ai1wm-backups' });
    expect([await listed(), archivesIn(folder)]).toEqual([[filename], [filename]]);
    expect(await readHostBackups(connections, { ...siteInput(), access })).toMatchObject({ folder });
    expect(await runJob('verify', filename)).toMatchObject({ filename });
    const key = FileStore.newKey();
    const { size, sha256 } = await runJob('download', filename, { object: { key, size: null, sha256: null } });
    await removeHostBackup(connections, { ...siteInput(), access, filename });
    expect(archivesIn(folder)).toEqual([]);
    const stored = { object: { key, size, sha256 } };
    expect(await runJob('import', filename, stored)).toMatchObject({ storage: 'contenu/ai1wm-backups' });
    expect(archivesIn(folder)).toEqual([filename]);
    rmSync(join(folder, filename));
    const order = { ...stored, location: 'local', mode: 'merge', scope: 'plugins', path: '', safety: aName() };
    expect(await runJob('restore', filename, order)).toMatchObject({ scope: 'plugins', warnings: [] });
    expect(archivesIn(folder)).toContain(order.safety);
  });

  it('is read without its database, and has the default folder when its configuration ends PHP', async () => {
    const config = join(fleet.site('moved-content').path, 'wp-config.php');
    const original = readFileSync(config, 'utf8');
    const foldersWith = async (line: string) => {
      writeFileSync(config, original.replace('<?php', `<?php\n${line}`));
      return (await readHostBackups(connections, { ...siteInput(), access })).folder;
    };
    try {
      expect(await foldersWith("define( 'DB_NAME', 'nowhere' ); echo 'bruit';")).toBe(folder);
      const defaults = join(fleet.site('moved-content').path, 'wp-content/ai1wm-backups');
      expect(await foldersWith("die( 'fermé' );")).toBe(defaults);
    } finally {
      writeFileSync(config, original);
    }
  });
});
