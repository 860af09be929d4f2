import { createHash, randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { BackupInput } from '@vigie/contracts/backups';
import type { SshAccess } from '@vigie/contracts/credentials';
import { DiskStore } from '@vigie/files/disk-store';
import { FileStore } from '@vigie/files/file-store';
import { SshFailure } from '@vigie/ssh/failure';
import { connectionsTo } from '@vigie/testing/connections';
import { targetOf } from '@vigie/testing/ssh-targets';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { deploy, onFleet } from '@vigie/testing/fleet/machine';
import { contentOf } from '@vigie/testing/fleet/sites';
import { killOperation, processesOf } from '@vigie/testing/operations';
import { archivesIn, backupsOf, freeze } from '@vigie/testing/packs';
import { Relay } from '@vigie/testing/relay';
import { until } from '@vigie/testing/until';
import { mayMount } from '@vigie/testing/mounts';
import { placeArchive } from '@vigie/wordpress/backups';
import { handovers, resultOf, runForTests, type ReportHook, whenReached } from '../jobs/run-for-tests';
import type { JobHandlers } from '../jobs/job-handler';
import { hostOf } from '../sites/site-host';
import { readHostBackups, removeHostBackup } from './host-backups';
import { backupsJobs } from './backups.jobs';

const describeFleet = onFleet(describe);
const mega = 1_048_576;

describeFleet('a backup', () => {
  let fleet: Fleet;
  let relay: Relay;
  let handlers: JobHandlers;
  let connections: ReturnType<typeof connectionsTo>;
  let store: FileStore;
  let folder: string;
  let large: string;
  /** The host is away until the job is released to be tried again. */
  let isAway = false;
  let isCancelledOnRelease = false;
  const storage = mkdtempSync(join(tmpdir(), 'vigie-backups-'));
  const stored = (where: 'incoming' | 'objects') => readdirSync(join(storage, where));
  const access = { host: 'h', row: { table: 'servers', id: randomUUID() } } as SshAccess;

  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: ['plain'] });
    store = await DiskStore.open(pathToFileURL(storage).href);
    folder = backupsOf(contentOf(fleet.site('plain')));
    relay = await Relay.to('127.0.0.1', fleet.host.port);
    // The login is root, and the files belong to another account.
    const host = connectionsTo(targetOf({ port: relay.port, privateKey: fleet.host.privateKey }));
    connections = {
      ...host,
      use: async (target, options) => {
        if (isAway) throw new SshFailure({ kind: 'locked', path: folder });
        return host.use(target, options);
      },
    };
    handlers = backupsJobs(connections, { openStore: () => Promise.resolve(store), ruleFor: () => () => true });
    large = join(contentOf(fleet.site('plain')), 'uploads/grand.bin');
    writeFileSync(large, '');
    truncateSync(large, 24 * mega);
    chownSync(large, deploy.uid, deploy.gid);
  });
  afterAll(async () => {
    await connections?.close();
    await relay?.stop();
    await fleet?.close();
    rmSync(storage, { recursive: true });
  });
  afterEach(() => {
    isCancelledOnRelease = false;
    for (const name of archivesIn(folder)) rmSync(join(folder, name));
    for (const name of stored('objects')) rmSync(join(storage, 'objects', name));
  });

  const siteInput = () => {
    const { path, url } = fleet.site('plain');
    return { site: { id: randomUUID(), version: 1, path, url, php: null }, content: null };
  };
  const aName = () => `site-20260101-000000-${randomUUID().slice(0, 8)}.wpress`;
  const inputOf = (filename: string, more: Partial<BackupInput> = {}): BackupInput => ({
    ...siteInput(),
    filename,
    exclude_cache: true,
    location: 'remote',
    object: null,
    ...more,
  });
  const newObject = () => ({ key: FileStore.newKey(), size: null, sha256: null });
  const shaOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

  const runJob = (kind: string, input: BackupInput, onReport?: ReportHook, id?: string) =>
    runForTests(handlers, {
      kind: `backups.${kind}`,
      input,
      access,
      ...(onReport && { onReport }),
      ...(id && { id }),
      onReleased: () => {
        isAway = false;
        return isCancelledOnRelease ? 'cancelled' : undefined;
      },
    });
  const goAway = () => {
    isAway = true;
    return cutLine();
  };
  const cutLine = () => {
    relay.cut();
    setTimeout(() => relay.heal(), 100);
    return undefined;
  };

  const createBackup = async () => resultOf(await runJob('create', inputOf(aName())));

  it('is made, listed, copied, verified, removed and imported again, always as the owner of the site', async () => {
    const filename = aName();
    const { id, outcome } = await runJob('create', inputOf(filename));
    const made = resultOf({ outcome });
    const file = join(folder, filename);
    const { size, uid } = statSync(file);
    expect(made).toMatchObject({ filename, size, storage: 'wp-content/ai1wm-backups', location: 'Distant', missed: 0 });
    expect([uid, made['stdout']]).toEqual([deploy.uid, expect.stringContaining(filename)]);
    writeFileSync(join(folder, 'de mon été.wpress'), 'x');
    symlinkSync('/etc/passwd', join(folder, 'lien.wpress'));
    writeFileSync(join(folder, `.vigie-${id}.part`), 'x');
    chownSync(join(folder, `.vigie-${id}.part`), deploy.uid, deploy.gid);
    const { items, free, folder: listedFolder } = await readHostBackups(connections, { ...siteInput(), access });
    expect([listedFolder, free]).toEqual([folder, expect.any(Number)]);
    const usable = items.map(({ filename: name, is_usable }) => `${name} ${is_usable}`);
    expect(usable.toSorted()).toEqual(['de mon été.wpress false', `${filename} true`]);
    expect(items.find((item) => item.filename === filename)).toMatchObject({ size });

    const object = newObject();
    const downloaded = resultOf(await runJob('download', inputOf(filename, { object })));
    const sha256 = shaOf(file);
    expect(downloaded).toEqual({ local: filename, size, sha256, created: made['created'] });
    expect(stored('objects')).toEqual([object.key]);
    const storedObject = { ...object, size, sha256 };
    for (const location of ['local', 'remote'] as const) {
      const verified = resultOf(await runJob('verify', inputOf(filename, { location, object: storedObject })));
      expect(verified).toMatchObject({ filename, size, by: 'vigie', entries: made['entries'] });
    }
    const remove = (name: string) => removeHostBackup(connections, { ...siteInput(), access, filename: name });
    await remove(filename);
    expect(existsSync(file)).toBe(false);
    await expect(remove(filename)).rejects.toMatchObject({ code: 'not_found' });
    await expect(remove('lien.wpress')).rejects.toMatchObject({ code: 'not_found' });

    const imported = resultOf(await runJob('import', inputOf(filename, { object: storedObject })));
    expect(imported).toEqual({ filename, size, storage: 'wp-content/ai1wm-backups' });
    expect([shaOf(file), statSync(file).uid, statSync(file).mode & 0o777]).toEqual([sha256, deploy.uid, 0o600]);
    const before = statSync(file).mtimeMs;
    resultOf(await runJob('import', inputOf(filename, { object: storedObject })));
    expect(statSync(file).mtimeMs).toBe(before);
    truncateSync(file, size - 1);
    const refused = await runJob('import', inputOf(filename, { object: storedObject }));
    expect(refused.outcome).toMatchObject({ state: 'failed', error: { code: 'exists' } });
    expect(statSync(file).size).toBe(size - 1);
    const damaged = await runJob('verify', inputOf(filename));
    expect(damaged.outcome).toMatchObject({ state: 'failed', error: { code: 'damaged_archive' } });
    expect(archivesIn(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('is made once, whichever worker resumes it, and not at all when it is cancelled', async () => {
    const filename = aName();
    const seenSteps = new Set<string>();
    const handOverAtEachStep: ReportHook = (progress) => {
      if (!progress || seenSteps.has(progress.step)) return undefined;
      seenSteps.add(progress.step);
      return 'handover';
    };
    const { outcome, attempts } = await runJob('create', inputOf(filename), handOverAtEachStep);
    // Steps within one second are reported as one, so the number of attempts depends on the machine.
    expect([resultOf({ outcome })['filename'], attempts]).toEqual([filename, expect.any(Number)]);
    // A job that repeats the same backup finds the archive complete.
    const again = resultOf(await runJob('create', inputOf(filename)));
    expect(again).toMatchObject({ filename, size: statSync(join(folder, filename)).size });
    expect(archivesIn(folder)).toEqual([filename]);

    const other = aName();
    // Large enough that the backup is not done before the cancellation arrives.
    truncateSync(large, 4_000 * mega);
    const cancelled = await runJob('create', inputOf(other), (progress) => (progress ? 'cancelled' : undefined));
    truncateSync(large, 24 * mega);
    expect([cancelled.outcome, archivesIn(folder)]).toEqual(['cancelled', [filename]]);
    await until(() => processesOf(cancelled.id).length === 0);
  });

  it('that was killed on its host ends as interrupted, and leaves nothing', async () => {
    const id = randomUUID();
    // Large enough that it is stopped before everything is written.
    truncateSync(large, 2_000 * mega);
    const job = runJob('create', inputOf(aName()), undefined, id);
    await freeze(id, join(folder, `.vigie-${id}.part`), 10 * mega);
    killOperation(id);
    const { outcome } = await job;
    truncateSync(large, 24 * mega);
    expect(outcome).toMatchObject({ state: 'failed', error: { code: 'interrupted', remedy: expect.any(String) } });
    expect(archivesIn(folder)).toEqual([]);
  });

  it('resumes its download where it was cut, on the same worker and on the next one', async () => {
    const { filename } = (await createBackup()) as { filename: string };
    const object = newObject();
    const doneBytes: number[] = [];
    const cut = whenReached('Transfert', 10 * mega, cutLine);
    const loseHost = whenReached('Transfert', 14 * mega, goAway);
    const handOver = whenReached('Transfert', 18 * mega, () => 'handover');
    const onReport: ReportHook = (progress, lines) => {
      if (progress?.step === 'Transfert' && progress.done !== null) doneBytes.push(progress.done);
      return cut(progress, lines) ?? loseHost(progress, lines) ?? handOver(progress, lines);
    };
    const { outcome, lines, attempts } = await runJob('download', inputOf(filename, { object }), onReport);
    expect(resultOf({ outcome })).toMatchObject({ sha256: shaOf(join(folder, filename)) });
    expect([attempts, doneBytes.every((done, at) => done >= (doneBytes[at - 1] ?? 0))]).toEqual([3, true]);
    expect(lines).toContainEqual(expect.stringMatching(/^Reprise à 1\d{7} octets/));
    expect([stored('incoming'), shaOf(join(storage, 'objects', object.key))]).toEqual([
      [],
      shaOf(join(folder, filename)),
    ]);
  });

  it('leaves nothing in the store when its download is cancelled, its file changes, or there is no room', async () => {
    const { filename } = (await createBackup()) as { filename: string };
    const cancel = whenReached('Transfert', 10 * mega, () => 'cancelled');
    expect((await runJob('download', inputOf(filename, { object: newObject() }), cancel)).outcome).toBe('cancelled');
    const change = whenReached('Transfert', 10 * mega, () => {
      writeFileSync(join(folder, filename), 'x', { flag: 'a' });
      return undefined;
    });
    const changed = await runJob('download', inputOf(filename, { object: newObject() }), change);
    expect(changed.outcome).toMatchObject({ state: 'failed', error: { code: 'interrupted' } });
    const small = { ...newObject(), size: mega };
    const full = await runJob('download', inputOf(filename, { object: small }));
    expect(full.outcome).toMatchObject({ state: 'failed', error: { code: 'no_room' } });
    const none = await runJob('download', inputOf(aName(), { object: newObject() }));
    expect(none.outcome).toMatchObject({ state: 'failed', error: { code: 'not_found' } });
    expect([stored('incoming'), stored('objects')]).toEqual([[], []]);
  });

  describe('that is imported into its site', () => {
    async function makeStoredBackup() {
      const { filename } = (await createBackup()) as { filename: string };
      const object = newObject();
      const { size, sha256 } = resultOf(await runJob('download', inputOf(filename, { object })));
      rmSync(join(folder, filename));
      return inputOf(filename, { object: { ...object, size: Number(size), sha256: String(sha256) } });
    }

    it('resumes where it was cut, for a restore too, and leaves nothing when it is cancelled', async () => {
      const input = await makeStoredBackup();
      const cut = whenReached('Transfert', 12 * mega, cutLine);
      const rollouts = handovers(4);
      const loseHost = whenReached('Transfert', 15 * mega, goAway);
      const handOver = whenReached('Transfert', 18 * mega, () => 'handover');
      const onReport: ReportHook = (progress, lines) =>
        rollouts(progress, lines) ?? cut(progress, lines) ?? loseHost(progress, lines) ?? handOver(progress, lines);
      const { outcome, lines } = await runJob('import', input, onReport);
      resultOf({ outcome });
      expect(shaOf(join(folder, input.filename))).toBe(input.object?.sha256);
      const startLines = lines.filter((line) => /^(?:Envoi de|Reprise à \d{7,8} octets)/.test(line));
      expect(startLines.map((line) => line.startsWith('Envoi'))).toEqual([true, ...Array<boolean>(7).fill(false)]);
      rmSync(join(folder, input.filename));
      const cancelled = await runJob(
        'import',
        input,
        whenReached('Transfert', 10 * mega, () => 'cancelled'),
      );
      expect([cancelled.outcome, archivesIn(folder)]).toEqual(['cancelled', []]);
      isCancelledOnRelease = true;
      const cancelledLater = await runJob('import', input, whenReached('Transfert', 10 * mega, goAway));
      expect([cancelledLater.outcome, archivesIn(folder)]).toEqual(['cancelled', []]);
      isCancelledOnRelease = false;
      const order = {
        ...input,
        location: 'local' as const,
        mode: 'merge',
        scope: 'plugins',
        path: '',
        safety: aName(),
      };
      const restored = await runJob('restore', order, whenReached('Transfert', 18 * mega, goAway));
      expect([restored.attempts, resultOf(restored)]).toMatchObject([2, { scope: 'plugins', warnings: [] }]);
      // The host keeps the safety backup, and no copy of the restored archive.
      expect(archivesIn(folder)).toEqual([order.safety]);
    });

    it('removes the copy of a restore that is cut as it gets its name, and never a file of somebody else', async () => {
      const input = await makeStoredBackup();
      const order = {
        ...input,
        location: 'local',
        mode: 'merge',
        scope: 'plugins',
        path: '',
        safety: aName(),
      } as const;
      const named = join(folder, input.filename);
      // The host renames the part, and the connection is cut before it says so.
      const name = () => {
        renameSync(join(folder, String(archivesIn(folder).find((each) => each.endsWith('.part')))), named);
        return goAway();
      };
      const { attempts } = await runJob('restore', order, whenReached('Vérification de l’empreinte', 0, name));
      expect([attempts, archivesIn(folder)]).toEqual([2, [order.safety]]);
      const other = () => writeFileSync(named, 'une autre') ?? ('handover' as const);
      const refused = await runJob('restore', order, whenReached('Transfert', 0, other));
      expect([refused.outcome, readFileSync(named, 'utf8')]).toMatchObject([
        { error: { code: 'exists' } },
        'une autre',
      ]);
    });

    it('is put in place once, however often that is requested', async () => {
      const input = await makeStoredBackup();
      resultOf(await runJob('import', input));
      const { path } = fleet.site('plain');
      const part = { operation: randomUUID(), name: input.filename, size: Number(input.object?.size) };
      const placeAgain = (sha256: string) =>
        connections.use(access, {
          signal: new AbortController().signal,
          work: (host) => placeArchive(hostOf(host), { path, content: null, php: 'php' }, { ...part, sha256 }),
        });
      expect(await placeAgain(String(input.object?.sha256))).toBe('placed');
      expect(await placeAgain('0'.repeat(64))).toBe('differs');
    });

    (mayMount() ? it : it.skip)(
      'leaves nothing when its disk has no room, or fills up (for a user who may mount)',
      async () => {
        const input = await makeStoredBackup();
        const mount = (size: string) => {
          const options = `size=${size},uid=${deploy.uid},gid=${deploy.gid},mode=0755`;
          expect(spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status).toBe(0);
        };
        try {
          mount('80m');
          const before = await runJob('import', input);
          expect(before.outcome).toMatchObject({ state: 'failed', error: { code: 'no_room' } });
          expect(before.lines.some((line) => line.startsWith('Envoi'))).toBe(false);
          spawnSync('umount', [folder]);
          mount('110m');
          const fill = whenReached('Transfert', 4 * mega, () => {
            spawnSync('dd', ['if=/dev/zero', `of=${folder}/plein`, 'bs=1M']);
            return undefined;
          });
          const meanwhile = await runJob('import', input, fill);
          expect(meanwhile.outcome).toMatchObject({ state: 'failed', error: { code: 'no_room' } });
          expect(archivesIn(folder)).toEqual([]);
        } finally {
          spawnSync('umount', [folder]);
        }
      },
    );

    it('follows no symbolic link', async () => {
      const input = await makeStoredBackup();
      const realFolder = `${folder}.vrai`;
      renameSync(folder, realFolder);
      const elsewhere = mkdtempSync(join(tmpdir(), 'vigie-elsewhere-'));
      mkdirSync(join(elsewhere, 'a'));
      symlinkSync(elsewhere, folder);
      try {
        const linked = await runJob('import', input);
        expect(linked.outcome).toMatchObject({
          state: 'failed',
          error: { message: expect.stringContaining('est un lien') },
        });
        const packed = await runJob('create', inputOf(aName()));
        expect(packed.outcome).toMatchObject({ state: 'failed', error: { code: 'not_writable' } });
        await expect(readHostBackups(connections, { ...siteInput(), access })).rejects.toMatchObject({
          code: 'remote_failed',
        });
        expect(readdirSync(elsewhere)).toEqual(['a']);
      } finally {
        rmSync(folder);
        renameSync(realFolder, folder);
        rmSync(elsewhere, { recursive: true });
      }
    });
  });
});
