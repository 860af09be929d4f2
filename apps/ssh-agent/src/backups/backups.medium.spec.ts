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
  /** Until it is given back, to be tried another time. */
  let isAway = false;
  let isCalledOff = false;
  const storage = mkdtempSync(join(tmpdir(), 'vigie-backups-'));
  const stored = (where: 'incoming' | 'objects') => readdirSync(join(storage, where));
  const access = { host: 'h', row: { table: 'servers', id: randomUUID() } } as SshAccess;

  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: ['plain'] });
    store = await DiskStore.open(pathToFileURL(storage).href);
    folder = backupsOf(contentOf(fleet.site('plain')));
    relay = await Relay.to('127.0.0.1', fleet.host.port);
    // Root's login, and files of another account.
    const host = connectionsTo(targetOf({ port: relay.port, privateKey: fleet.host.privateKey }));
    connections = {
      ...host,
      use: async (whom, doing) => {
        if (isAway) throw new SshFailure({ kind: 'locked', path: folder });
        return host.use(whom, doing);
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
    isCalledOff = false;
    for (const name of archivesIn(folder)) rmSync(join(folder, name));
    for (const name of stored('objects')) rmSync(join(storage, 'objects', name));
  });

  const place = () => {
    const { path, url } = fleet.site('plain');
    return { site: { id: randomUUID(), version: 1, path, url, php: null }, content: null };
  };
  const aName = () => `site-20260101-000000-${randomUUID().slice(0, 8)}.wpress`;
  const inputOf = (filename: string, more: Partial<BackupInput> = {}): BackupInput => ({
    ...place(),
    filename,
    exclude_cache: true,
    location: 'remote',
    object: null,
    ...more,
  });
  const newObject = () => ({ key: FileStore.newKey(), size: null, sha256: null });
  const shaOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

  const drive = (kind: string, input: BackupInput, onTold?: ReportHook, id?: string) =>
    runForTests(handlers, {
      kind: `backups.${kind}`,
      input,
      access,
      ...(onTold && { onTold }),
      ...(id && { id }),
      onReleased: () => {
        isAway = false;
        return isCalledOff ? 'cancelled' : undefined;
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

  const makeOne = async () => resultOf(await drive('create', inputOf(aName())));

  it('is made, listed, copied, read, removed and put back, all of it as the owner of the site', async () => {
    const filename = aName();
    const { id, outcome } = await drive('create', inputOf(filename));
    const made = resultOf({ outcome });
    const file = join(folder, filename);
    const { size, uid } = statSync(file);
    expect(made).toMatchObject({ filename, size, storage: 'wp-content/ai1wm-backups', location: 'Distant', missed: 0 });
    expect([uid, made['stdout']]).toEqual([deploy.uid, expect.stringContaining(filename)]);
    writeFileSync(join(folder, 'de mon été.wpress'), 'x');
    symlinkSync('/etc/passwd', join(folder, 'lien.wpress'));
    writeFileSync(join(folder, `.vigie-${id}.part`), 'x');
    chownSync(join(folder, `.vigie-${id}.part`), deploy.uid, deploy.gid);
    const { items, free, folder: told } = await readHostBackups(connections, { ...place(), access });
    expect([told, free]).toEqual([folder, expect.any(Number)]);
    const usable = items.map(({ filename: name, is_usable }) => `${name} ${is_usable}`);
    expect(usable.toSorted()).toEqual(['de mon été.wpress false', `${filename} true`]);
    expect(items.find((item) => item.filename === filename)).toMatchObject({ size });

    const object = newObject();
    const down = resultOf(await drive('download', inputOf(filename, { object })));
    const sha256 = shaOf(file);
    expect(down).toEqual({ local: filename, size, sha256, created: made['created'] });
    expect(stored('objects')).toEqual([object.key]);
    const kept = { ...object, size, sha256 };
    for (const location of ['local', 'remote'] as const) {
      const verified = resultOf(await drive('verify', inputOf(filename, { location, object: kept })));
      expect(verified).toMatchObject({ filename, size, by: 'vigie', entries: made['entries'] });
    }
    await removeHostBackup(connections, { ...place(), access, filename });
    expect(existsSync(file)).toBe(false);
    await expect(removeHostBackup(connections, { ...place(), access, filename })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(removeHostBackup(connections, { ...place(), access, filename: 'lien.wpress' })).rejects.toMatchObject({
      code: 'not_found',
    });

    const back = resultOf(await drive('import', inputOf(filename, { object: kept })));
    expect(back).toEqual({ filename, size, storage: 'wp-content/ai1wm-backups' });
    expect([shaOf(file), statSync(file).uid, statSync(file).mode & 0o777]).toEqual([sha256, deploy.uid, 0o600]);
    const before = statSync(file).mtimeMs;
    resultOf(await drive('import', inputOf(filename, { object: kept })));
    expect(statSync(file).mtimeMs).toBe(before);
    truncateSync(file, size - 1);
    const refused = await drive('import', inputOf(filename, { object: kept }));
    expect(refused.outcome).toMatchObject({ state: 'failed', error: { code: 'exists' } });
    expect(statSync(file).size).toBe(size - 1);
    const damaged = await drive('verify', inputOf(filename));
    expect(damaged.outcome).toMatchObject({ state: 'failed', error: { code: 'damaged_archive' } });
    expect(archivesIn(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('is made once, whoever goes on with it, and not at all where it is cancelled', async () => {
    const filename = aName();
    const seen = new Set<string>();
    const each: ReportHook = (progress) => {
      if (!progress || seen.has(progress.step)) return undefined;
      seen.add(progress.step);
      return 'handover';
    };
    const { outcome, attempts } = await drive('create', inputOf(filename), each);
    // Steps that follow each other within a second are told as one: how many hand it over is up to the machine.
    expect([resultOf({ outcome })['filename'], attempts]).toEqual([filename, expect.any(Number)]);
    // A job that does the same again finds it whole.
    const again = resultOf(await drive('create', inputOf(filename)));
    expect(again).toMatchObject({ filename, size: statSync(join(folder, filename)).size });
    expect(archivesIn(folder)).toEqual([filename]);

    const other = aName();
    // It lasts longer than a cancellation takes to get there.
    truncateSync(large, 4_000 * mega);
    const cancelled = await drive('create', inputOf(other), (progress) => (progress ? 'cancelled' : undefined));
    truncateSync(large, 24 * mega);
    expect([cancelled.outcome, archivesIn(folder)]).toEqual(['cancelled', [filename]]);
    await until(() => processesOf(cancelled.id).length === 0);
  });

  it('that was killed on its host is said to be interrupted, and leaves nothing', async () => {
    const id = randomUUID();
    // More than is written before it is stopped.
    truncateSync(large, 2_000 * mega);
    const driven = drive('create', inputOf(aName()), undefined, id);
    await freeze(id, join(folder, `.vigie-${id}.part`), 10 * mega);
    killOperation(id);
    const { outcome } = await driven;
    truncateSync(large, 24 * mega);
    expect(outcome).toMatchObject({ state: 'failed', error: { code: 'interrupted', remedy: expect.any(String) } });
    expect(archivesIn(folder)).toEqual([]);
  });

  it('is copied from where it was cut, by the same worker and by the next one', async () => {
    const { filename } = (await makeOne()) as { filename: string };
    const object = newObject();
    const dones: number[] = [];
    const cut = whenReached('Transfert', 10 * mega, cutLine);
    const lose = whenReached('Transfert', 14 * mega, goAway);
    const go = whenReached('Transfert', 18 * mega, () => 'handover');
    const told: ReportHook = (progress, lines) => {
      if (progress?.step === 'Transfert' && progress.done !== null) dones.push(progress.done);
      return cut(progress, lines) ?? lose(progress, lines) ?? go(progress, lines);
    };
    const { outcome, lines, attempts } = await drive('download', inputOf(filename, { object }), told);
    expect(resultOf({ outcome })).toMatchObject({ sha256: shaOf(join(folder, filename)) });
    expect([attempts, dones.every((done, at) => done >= (dones[at - 1] ?? 0))]).toEqual([3, true]);
    expect(lines).toContainEqual(expect.stringMatching(/^Reprise à 1\d{7} octets/));
    expect([stored('incoming'), shaOf(join(storage, 'objects', object.key))]).toEqual([
      [],
      shaOf(join(folder, filename)),
    ]);
  });

  it('is not kept where its copy is cancelled, or it changes meanwhile, or there is no room', async () => {
    const { filename } = (await makeOne()) as { filename: string };
    const cancel = whenReached('Transfert', 10 * mega, () => 'cancelled');
    expect((await drive('download', inputOf(filename, { object: newObject() }), cancel)).outcome).toBe('cancelled');
    const changes = whenReached('Transfert', 10 * mega, () => {
      writeFileSync(join(folder, filename), 'x', { flag: 'a' });
      return undefined;
    });
    const changed = await drive('download', inputOf(filename, { object: newObject() }), changes);
    expect(changed.outcome).toMatchObject({ state: 'failed', error: { code: 'interrupted' } });
    const small = { ...newObject(), size: mega };
    const full = await drive('download', inputOf(filename, { object: small }));
    expect(full.outcome).toMatchObject({ state: 'failed', error: { code: 'no_room' } });
    const none = await drive('download', inputOf(aName(), { object: newObject() }));
    expect(none.outcome).toMatchObject({ state: 'failed', error: { code: 'not_found' } });
    expect([stored('incoming'), stored('objects')]).toEqual([[], []]);
  });

  describe('that goes to its site', () => {
    async function inStore() {
      const { filename } = (await makeOne()) as { filename: string };
      const object = newObject();
      const { size, sha256 } = resultOf(await drive('download', inputOf(filename, { object })));
      rmSync(join(folder, filename));
      return inputOf(filename, { object: { ...object, size: Number(size), sha256: String(sha256) } });
    }

    it('goes on from where it was cut, for a restore too, and leaves nothing where it is cancelled', async () => {
      const input = await inStore();
      const cut = whenReached('Transfert', 12 * mega, cutLine);
      const rollouts = handovers(4);
      const lose = whenReached('Transfert', 15 * mega, goAway);
      const go = whenReached('Transfert', 18 * mega, () => 'handover');
      const told: ReportHook = (progress, said) =>
        rollouts(progress, said) ?? cut(progress, said) ?? lose(progress, said) ?? go(progress, said);
      const { outcome, lines } = await drive('import', input, told);
      resultOf({ outcome });
      expect(shaOf(join(folder, input.filename))).toBe(input.object?.sha256);
      const begun = lines.filter((line) => /^(?:Envoi de|Reprise à \d{7,8} octets)/.test(line));
      expect(begun.map((line) => line.startsWith('Envoi'))).toEqual([true, ...Array<boolean>(7).fill(false)]);
      rmSync(join(folder, input.filename));
      const cancelled = await drive(
        'import',
        input,
        whenReached('Transfert', 10 * mega, () => 'cancelled'),
      );
      expect([cancelled.outcome, archivesIn(folder)]).toEqual(['cancelled', []]);
      isCalledOff = true;
      const calledOff = await drive('import', input, whenReached('Transfert', 10 * mega, goAway));
      expect([calledOff.outcome, archivesIn(folder)]).toEqual(['cancelled', []]);
      isCalledOff = false;
      const order = {
        ...input,
        location: 'local' as const,
        mode: 'merge',
        scope: 'plugins',
        path: '',
        safety: aName(),
      };
      const restored = await drive('restore', order, whenReached('Transfert', 18 * mega, goAway));
      expect([restored.attempts, resultOf(restored)]).toMatchObject([2, { scope: 'plugins', warnings: [] }]);
      // The host keeps the site as it was, and no copy of what was restored.
      expect(archivesIn(folder)).toEqual([order.safety]);
    });

    it('leaves no copy of a restore where the line is cut as that gets its name, and no file of somebody else', async () => {
      const input = await inStore();
      const order = {
        ...input,
        location: 'local',
        mode: 'merge',
        scope: 'plugins',
        path: '',
        safety: aName(),
      } as const;
      const named = join(folder, input.filename);
      // Its host names it, and nobody hears that it did.
      const name = () => {
        renameSync(join(folder, String(archivesIn(folder).find((each) => each.endsWith('.part')))), named);
        return goAway();
      };
      const { attempts } = await drive('restore', order, whenReached('Vérification de l’empreinte', 0, name));
      expect([attempts, archivesIn(folder)]).toEqual([2, [order.safety]]);
      const other = () => writeFileSync(named, 'une autre') ?? ('handover' as const);
      const refused = await drive('restore', order, whenReached('Transfert', 0, other));
      expect([refused.outcome, readFileSync(named, 'utf8')]).toMatchObject([
        { error: { code: 'exists' } },
        'une autre',
      ]);
    });

    it('has its place, however often that is asked for', async () => {
      const input = await inStore();
      resultOf(await drive('import', input));
      const { path } = fleet.site('plain');
      const part = { operation: randomUUID(), name: input.filename, size: Number(input.object?.size) };
      const askAgain = (sha256: string) =>
        connections.use(access, {
          signal: new AbortController().signal,
          work: (on) => placeArchive(hostOf(on), { path, content: null, php: 'php' }, { ...part, sha256 }),
        });
      expect(await askAgain(String(input.object?.sha256))).toBe('placed');
      expect(await askAgain('0'.repeat(64))).toBe('differs');
    });

    (mayMount() ? it : it.skip)(
      'leaves nothing where its disk has no room, or fills (of a user that may mount)',
      async () => {
        const input = await inStore();
        const mount = (size: string) => {
          const how = `size=${size},uid=${deploy.uid},gid=${deploy.gid},mode=0755`;
          expect(spawnSync('mount', ['-t', 'tmpfs', '-o', how, 'tmpfs', folder]).status).toBe(0);
        };
        try {
          mount('80m');
          const before = await drive('import', input);
          expect(before.outcome).toMatchObject({ state: 'failed', error: { code: 'no_room' } });
          expect(before.lines.some((line) => line.startsWith('Envoi'))).toBe(false);
          spawnSync('umount', [folder]);
          mount('110m');
          const fill = whenReached('Transfert', 4 * mega, () => {
            spawnSync('dd', ['if=/dev/zero', `of=${folder}/plein`, 'bs=1M']);
            return undefined;
          });
          const meanwhile = await drive('import', input, fill);
          expect(meanwhile.outcome).toMatchObject({ state: 'failed', error: { code: 'no_room' } });
          expect(archivesIn(folder)).toEqual([]);
        } finally {
          spawnSync('umount', [folder]);
        }
      },
    );

    it('follows no link', async () => {
      const input = await inStore();
      const aside = `${folder}.vrai`;
      renameSync(folder, aside);
      const elsewhere = mkdtempSync(join(tmpdir(), 'vigie-elsewhere-'));
      mkdirSync(join(elsewhere, 'a'));
      symlinkSync(elsewhere, folder);
      try {
        const linked = await drive('import', input);
        expect(linked.outcome).toMatchObject({
          state: 'failed',
          error: { message: expect.stringContaining('est un lien') },
        });
        const packed = await drive('create', inputOf(aName()));
        expect(packed.outcome).toMatchObject({ state: 'failed', error: { code: 'not_writable' } });
        await expect(readHostBackups(connections, { ...place(), access })).rejects.toMatchObject({
          code: 'remote_failed',
        });
        expect(readdirSync(elsewhere)).toEqual(['a']);
      } finally {
        rmSync(folder);
        renameSync(aside, folder);
        rmSync(elsewhere, { recursive: true });
      }
    });
  });
});
