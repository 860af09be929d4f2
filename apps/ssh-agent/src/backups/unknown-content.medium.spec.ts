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

describeFleet('a site of which nobody knows where its contents are', () => {
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

  const place = () => {
    const { path, url } = fleet.site('moved-content');
    return { site: { id: randomUUID(), version: 1, path, url, php: null }, content: null };
  };
  const drive = async (verb: string, filename: string, more: object = {}) =>
    resultOf(
      await runForTests(handlers, { kind: `backups.${verb}`, input: { ...place(), filename, ...more }, access }),
    );
  const listed = async () =>
    (await readHostBackups(connections, { ...place(), access })).items.map((item) => item.filename);
  const aName = () => `site-20260101-000000-${randomUUID().slice(0, 8)}.wpress`;

  it('is asked for them by each work on its backups', async () => {
    const filename = aName();
    expect(await drive('create', filename)).toMatchObject({ storage: 'contenu/ai1wm-backups' });
    expect([await listed(), archivesIn(folder)]).toEqual([[filename], [filename]]);
    expect(await readHostBackups(connections, { ...place(), access })).toMatchObject({ folder });
    expect(await drive('verify', filename)).toMatchObject({ filename });
    const key = FileStore.newKey();
    const { size, sha256 } = await drive('download', filename, { object: { key, size: null, sha256: null } });
    await removeHostBackup(connections, { ...place(), access, filename });
    expect(archivesIn(folder)).toEqual([]);
    const kept = { object: { key, size, sha256 } };
    expect(await drive('import', filename, kept)).toMatchObject({ storage: 'contenu/ai1wm-backups' });
    expect(archivesIn(folder)).toEqual([filename]);
    rmSync(join(folder, filename));
    const order = { ...kept, location: 'local', mode: 'merge', scope: 'plugins', path: '', safety: aName() };
    expect(await drive('restore', filename, order)).toMatchObject({ scope: 'plugins', warnings: [] });
    expect(archivesIn(folder)).toContain(order.safety);
  });

  it('is asked without its database, and is where WordPress looks for them where it ends PHP itself', async () => {
    const config = join(fleet.site('moved-content').path, 'wp-config.php');
    const was = readFileSync(config, 'utf8');
    const foldersWith = async (line: string) => {
      writeFileSync(config, was.replace('<?php', `<?php\n${line}`));
      return (await readHostBackups(connections, { ...place(), access })).folder;
    };
    try {
      expect(await foldersWith("define( 'DB_NAME', 'nowhere' ); echo 'bruit';")).toBe(folder);
      const defaults = join(fleet.site('moved-content').path, 'wp-content/ai1wm-backups');
      expect(await foldersWith("die( 'fermé' );")).toBe(defaults);
    } finally {
      writeFileSync(config, was);
    }
  });
});
