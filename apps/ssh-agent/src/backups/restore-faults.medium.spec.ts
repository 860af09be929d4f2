import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SshFailure } from '@vigie/ssh/failure';
import { deploy, onFleet } from '@vigie/testing/fleet/machine';
import { contentOf } from '@vigie/testing/fleet/sites';
import { killOperation } from '@vigie/testing/operations';
import { mayMount } from '@vigie/testing/mounts';
import { archivesIn } from '@vigie/testing/packs';
import { anArchive, defaultAbout } from '@vigie/testing/wpress';
import { codeOf, folderOf, pauseRestore, write, RestoreStage } from '@vigie/testing/restores';
import { runForTests } from '../jobs/run-for-tests';
import { backupsJobs } from './backups.jobs';

const describeFleet = onFleet(describe);
// A full disk is a mount of its own, which not every user may make.
const itMounts = mayMount() ? it : it.skip;
const mega = 1_048_576;

describeFleet('a restore that fails', () => {
  let stage: RestoreStage;
  /** Once these lines are reported, the host is away for one attempt, and the waiting job is cancelled. */
  let isAwayAt: ((lines: readonly string[]) => boolean) | undefined;
  beforeAll(async () => {
    stage = await RestoreStage.start(['plain'], (connections) => {
      const openStore = () => Promise.reject(new Error('no store here'));
      let isAway = false;
      const use: typeof connections.use = (access, options) =>
        isAway ? Promise.reject(new SshFailure({ kind: 'locked', path: '/' })) : connections.use(access, options);
      const handlers = backupsJobs({ ...connections, use }, { openStore, ruleFor: () => () => true });
      return ({ onReport, ...job }) =>
        runForTests(handlers, {
          ...job,
          onReport: (progress, lines) => {
            if (isAwayAt?.(lines)) [isAway, isAwayAt] = [true, undefined];
            return onReport?.(progress, lines);
          },
          onReleased: () => {
            if (!isAway) return undefined;
            isAway = false;
            return 'cancelled';
          },
        });
    });
  });
  afterAll(() => stage?.close());

  it.each(['never', 'while it goes back'])(
    'is undone when WordPress does not start, and says why: killed %s',
    async (when) => {
      const site = stage.plain;
      // WordPress starts only once the rollback is paused, which would otherwise end before the test could kill it.
      const gate = join(dirname(site.path), `porte-${randomUUID()}`);
      const loop = `while (is_dir('${gate}')) { usleep(20000); clearstatcache(); }`;
      const broken = write(site, 'mu-plugins/fatal.php', `<?php ${loop} vigie_is_not_there();`);
      const filename = await stage.pack(site);
      rmSync(broken);
      const before = await stage.contents(site);
      const id = randomUUID();
      const stateFile = join(contentOf(site), `.vigie-swap-${id}/facts.json`);
      const setHome = (home: string) => {
        if (!existsSync(stateFile)) return '';
        const state = JSON.parse(readFileSync(stateFile, 'utf8')) as { facts: { home: string } };
        writeFileSync(stateFile, JSON.stringify({ ...state, facts: { ...state.facts, home } }));
        return state.facts.home;
      };
      let [home, tries] = ['', 0];
      const pause = async () => {
        const pausedRestore = await pauseRestore(stage.fleet, site, id);
        rmSync(gate, { recursive: true });
        return pausedRestore;
      };
      const waits: { pausing?: ReturnType<typeof pause>; resuming?: Promise<void> } = {};
      const freeAfterCurrent = async () => (await waits.pausing)?.freeAfterCurrent();
      const kill = (step: string | undefined) => {
        if (when === 'never') return undefined;
        if (step === 'Démarrage de WordPress') waits.pausing ??= pause();
        if (step === 'Retour à l’état d’avant' && home === '') {
          waits.resuming = freeAfterCurrent();
          killOperation(id);
          home = setHome('of another place');
        } else if (step === undefined && home !== '') {
          // State recorded for another site cannot be undone, and is not reported as undone.
          tries += 1;
          if (tries === 2) setHome(home);
        }
        return undefined;
      };
      if (when !== 'never') mkdirSync(gate);
      const { outcome } = await stage.restore(site, filename, { mode: 'replace' }, kill, id);
      await waits.resuming;
      expect(outcome).toMatchObject({
        state: 'failed',
        error: { code: 'broken', message: expect.stringMatching(/ne démarre pas.*vigie_is_not_there/s) },
      });
      expect(await stage.contents(site)).toEqual(before);
      expect([await stage.leftovers(site), await codeOf(site)]).toEqual([[], 200]);
    },
  );

  it('leaves the site as before or after when it is killed, at any step', async () => {
    const site = stage.plain;
    const filename = await stage.pack(site);
    const archived = await stage.contents(site);
    for (const step of ['Base de données', 'Fichiers', 'Échange', 'Démarrage de WordPress', 'Rangement']) {
      await stage.wreck(site, 'wp_');
      const wrecked = await stage.contents(site);
      const id = randomUUID();
      let isKilled = false;
      const kill = (reported: string | undefined) => {
        if (reported === step && !isKilled) {
          isKilled = true;
          killOperation(id);
        }
        return undefined;
      };
      const { outcome } = await stage.restore(site, filename, { mode: 'replace' }, kill, id);
      const isDone = outcome !== 'cancelled' && outcome.state === 'succeeded';
      expect([step, isKilled, await stage.contents(site)]).toEqual([step, true, isDone ? archived : wrecked]);
      expect([await stage.leftovers(site), await codeOf(site)]).toEqual([[], 200]);
    }
  });

  it('leaves the site as before when it is cancelled while its host is away', async () => {
    const site = stage.plain;
    // The restored site does not start before the swap is reported: the restore would be over by then.
    const gate = join(dirname(site.path), `porte-${randomUUID()}`);
    const waiting = write(
      site,
      'mu-plugins/porte.php',
      `<?php while (is_dir('${gate}')) { usleep(20000); clearstatcache(); }`,
    );
    const filename = await stage.pack(site);
    rmSync(waiting);
    await stage.wreck(site, 'wp_');
    const [wrecked, id] = [await stage.contents(site), randomUUID()];
    mkdirSync(gate);
    const kill = (reported: string | undefined) => {
      if (reported !== 'Échange') return undefined;
      killOperation(id);
      rmSync(gate, { recursive: true, force: true });
      return undefined;
    };
    isAwayAt = (lines) => lines.some((line) => line.includes('remis en ordre'));
    expect((await stage.restore(site, filename, { mode: 'replace' }, kill, id)).outcome).toBe('cancelled');
    expect([await stage.contents(site), await stage.leftovers(site), await codeOf(site)]).toEqual([wrecked, [], 200]);
  });

  it('can be cancelled until the swap, and not after it', async () => {
    const site = stage.plain;
    const filename = await stage.pack(site);
    await stage.wreck(site, 'wp_');
    const wrecked = await stage.contents(site);
    const id = randomUUID();
    const { freeAfterCurrent } = await pauseRestore(stage.fleet, site, id);
    let isFreed: Promise<void> | undefined;
    const early = await stage.restore(
      site,
      filename,
      { mode: 'replace' },
      (reported) => {
        if (reported !== 'Base de données') return undefined;
        isFreed ??= freeAfterCurrent();
        return 'cancelled';
      },
      id,
    );
    await isFreed;
    expect(early.outcome).toBe('cancelled');
    expect([await stage.contents(site), await stage.leftovers(site)]).toEqual([wrecked, []]);
    const late = await stage.restore(site, filename, { mode: 'replace' }, (reported) =>
      reported === 'Échange' ? 'cancelled' : undefined,
    );
    expect(late.outcome).toMatchObject({ state: 'succeeded' });
    expect([await stage.leftovers(site), await codeOf(site)]).toEqual([[], 200]);
  });

  /** Moves the uploads to a disk of their own. */
  function mountUploads(size: string) {
    const uploads = join(contentOf(stage.plain), 'uploads');
    const original = join(stage.plain.path, 'uploads');
    renameSync(uploads, original);
    mkdirSync(uploads);
    const own = `size=${size},uid=${deploy.uid},gid=${deploy.gid},mode=755`;
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', own, 'none', uploads]).status).toBe(0);
    expect(spawnSync('cp', ['-a', `${original}/.`, uploads]).status).toBe(0);
    const unmount = () => {
      spawnSync('umount', ['-l', uploads]);
      rmSync(uploads, { recursive: true });
      renameSync(original, uploads);
    };
    return { uploads, unmount };
  }

  itMounts('swaps uploads on their own disk, and is undone or refused when that disk is full', async () => {
    const site = stage.plain;
    const photo = write(site, 'uploads/2020/photo.bin', 'x'.repeat(mega));
    const filename = await stage.pack(site);
    const { uploads, unmount } = mountUploads('80m');
    try {
      const archived = await stage.contents(site);
      rmSync(dirname(photo), { recursive: true });
      write(site, 'uploads/intrus.php', '<?php');
      await stage.completeRestore(site, filename, { mode: 'replace' });
      expect([await stage.contents(site), await stage.leftovers(site)]).toEqual([archived, []]);
      rmSync(dirname(photo), { recursive: true });
      const [before, archives] = [await stage.contents(site), archivesIn(folderOf(site))];
      // The disk shows free space, and takes only two more files.
      const { files, ffree } = statfsSync(uploads);
      const limitFiles = (max: number) => spawnSync('mount', ['-o', `remount,nr_inodes=${max}`, uploads]).status;
      expect(limitFiles(files - ffree + 2)).toBe(0);
      const { outcome: undone } = await stage.restore(site, filename);
      const isFull = expect.stringMatching(/^Le disque du site s’est rempli/);
      expect(undone).toMatchObject({ state: 'failed', error: { code: 'no_room', message: isFull } });
      expect(limitFiles(files)).toBe(0);
      const filler = join(uploads, 'plein.bin');
      writeFileSync(filler, Buffer.alloc(40 * mega));
      const { outcome: refused } = await stage.restore(site, filename);
      const hasNoRoom = expect.stringMatching(/^Il faut 6\d,\d\u00a0Mo .*, et il n’en reste que [34]\d,\d\u00a0Mo/);
      expect(refused).toMatchObject({ state: 'failed', error: { code: 'no_room', message: hasNoRoom } });
      rmSync(filler);
      const archivesNow = archivesIn(folderOf(site));
      expect([await stage.contents(site), archivesNow, await stage.leftovers(site)]).toEqual([before, archives, []]);
      expect(await codeOf(site)).toBe(200);
    } finally {
      unmount();
      rmSync(dirname(photo), { recursive: true });
    }
  });

  it('leaves the site as before or after when its database restarts in the middle', async () => {
    const site = stage.plain;
    const filename = await stage.pack(site);
    const archived = await stage.contents(site);
    for (const step of ['Base de données', 'Échange']) {
      await stage.wreck(site, 'wp_');
      const wrecked = await stage.contents(site);
      let restarted: Promise<void> | undefined;
      const stop = (reported: string | undefined) => {
        if (reported === step) restarted ??= stage.fleet.restartDatabase(() => wait(500));
        return undefined;
      };
      const { outcome } = await stage.restore(site, filename, { mode: 'replace' }, stop);
      await restarted;
      const isDone = outcome !== 'cancelled' && outcome.state === 'succeeded';
      expect([step, await stage.contents(site)]).toEqual([step, isDone ? archived : wrecked]);
      expect([await stage.leftovers(site), await codeOf(site)]).toEqual([[], 200]);
    }
    await stage.completeRestore(site, filename, { mode: 'replace' });
  });

  it('replaces a symbolic link, and never writes through it', async () => {
    const site = stage.plain;
    write(site, 'uploads/lien/a.txt', 'archive');
    const filename = await stage.pack(site);
    const outside = join(dirname(site.path), `dehors-${randomUUID()}`);
    mkdirSync(outside);
    writeFileSync(join(outside, 'a.txt'), 'dehors');
    rmSync(join(contentOf(site), 'uploads/lien'), { recursive: true });
    symlinkSync(outside, join(contentOf(site), 'uploads/lien'));
    await stage.completeRestore(site, filename);
    expect(readFileSync(join(outside, 'a.txt'), 'utf8')).toBe('dehors');
    expect(readFileSync(join(contentOf(site), 'uploads/lien/a.txt'), 'utf8')).toBe('archive');
  });

  it('restores into the target of a linked folder, and keeps the link', async () => {
    const site = stage.plain;
    const uploads = join(contentOf(site), 'uploads');
    const outside = join(dirname(site.path), `uploads-${randomUUID()}`);
    write(site, 'uploads/a.txt', 'avant');
    renameSync(uploads, outside);
    symlinkSync(outside, uploads);
    const filename = await stage.pack(site);
    write(site, 'uploads/a.txt', 'après');
    write(site, 'uploads/b.txt', 'après');
    expect((await stage.completeRestore(site, filename, { mode: 'replace' }))['warnings']).toEqual([]);
    expect(readFileSync(join(outside, 'a.txt'), 'utf8')).toBe('avant');
    expect([existsSync(join(outside, 'b.txt')), lstatSync(uploads).isSymbolicLink()]).toEqual([false, true]);
    expect((await stage.leftovers(site)).concat(readdirSync(outside).filter((name) => name.startsWith('.')))).toEqual(
      [],
    );
    rmSync(uploads);
    renameSync(outside, uploads);
  });

  it('first undoes an earlier restore that was left in the middle of its swap', async () => {
    const site = stage.plain;
    write(site, 'uploads/a.txt', 'avant');
    const [filename, before] = [await stage.pack(site), await stage.contents(site)];
    const [id, sign] = ['018f0000-0000-7000-8000-0000000000aa', '0000000000aa'];
    const tables = [['wp_options', `vgr${sign}_1`, `vgo${sign}_0`]];
    const facts = { began: true, tables, views: [], note: [], safety: null };
    write(site, `.vigie-swap-${id}/facts.json`, JSON.stringify({ areas: [], facts }));
    await stage.fleet.query(
      site,
      `rename table wp_options to vgo${sign}_0; create table vgr${sign}_1 (id int); create table vgr${sign}_at (id int)`,
    );
    await stage.completeRestore(site, filename, { scope: 'path', path: 'uploads/a.txt' });
    expect([await stage.contents(site), await stage.leftovers(site)]).toEqual([before, []]);
  });

  it('points foreign keys of tables that stay to the restored tables', async () => {
    const site = stage.plain;
    await stage.fleet.query(site, 'create table wp_parent (id int primary key); insert into wp_parent values (1)');
    const filename = await stage.pack(site);
    await stage.fleet.query(
      site,
      'create table wp_child (id int, constraint wp_led foreign key (id) references wp_parent (id)); insert into wp_child values (1)',
    );
    await stage.completeRestore(site, filename);
    await stage.fleet.query(site, 'insert into wp_child values (1)');
    const [made] = await stage.fleet.query(site, 'show create table wp_child');
    expect(made?.[1]).toContain('CONSTRAINT `wp_led` FOREIGN KEY (`id`) REFERENCES `wp_parent` (`id`)');
    await stage.fleet.query(site, 'drop table wp_child; drop table wp_parent');
  });

  it('keeps files that no archive holds', async () => {
    const site = stage.plain;
    const filename = await stage.pack(site);
    const kept = ['plugins/all-in-one-wp-migration/a.php', 'w3tc-config/master.php', 'object-cache.php.txt'];
    for (const path of kept) write(site, path, '<?php');
    // A folder of another account is moved along, and only that account may remove it.
    const foreign = join(dirname(write(site, 'uploads/intrus/a.txt', 'a')), 'root');
    mkdirSync(foreign);
    writeFileSync(join(foreign, 'b.txt'), 'b');
    const { warnings } = await stage.completeRestore(site, filename, { mode: 'replace' });
    expect(warnings).toEqual([expect.stringMatching(/n’ont pas pu être supprimés.*\.vigie-restore-/)]);
    const uploads = join(contentOf(site), 'uploads');
    for (const name of await stage.leftovers(site)) rmSync(join(uploads, name), { recursive: true });
    expect(await stage.leftovers(site)).toEqual([]);
    expect(kept.filter((path) => existsSync(join(contentOf(site), path)))).toEqual(kept.slice(0, 2));
    for (const path of ['plugins/all-in-one-wp-migration', 'w3tc-config']) {
      rmSync(join(contentOf(site), path), { recursive: true });
    }
  });

  it('refuses an archive that is damaged, or has no valid database, before it changes anything', async () => {
    const site = stage.plain;
    const filename = await stage.pack(site);
    const before = await stage.contents(site);
    const file = join(folderOf(site), filename);
    const archives = archivesIn(folderOf(site));
    const bytes = readFileSync(file);
    const middle = Math.floor(bytes.length / 2);
    const lies: [Buffer, string][] = [
      [bytes.subarray(0, bytes.length - 5_000), 'damaged_archive'],
      [Buffer.from(bytes).fill(0x41, middle, middle + 1), 'damaged_archive'],
      [await anArchive({ about: defaultAbout, files: { 'database.sql': "GRANT ALL ON *.* TO 'x'@'%';\n" } }), 'sql'],
      [
        await anArchive({ about: defaultAbout, files: { '../x.php': '<?php' } }).catch(() => Buffer.alloc(9_000)),
        'damaged_archive',
      ],
    ];
    for (const [lie, code] of lies) {
      writeFileSync(file, lie);
      const { outcome } = await stage.restore(site, filename);
      expect(outcome).toMatchObject({ state: 'failed', error: { code } });
      expect([await stage.contents(site), await stage.leftovers(site), archivesIn(folderOf(site))]).toEqual([
        before,
        [],
        archives,
      ]);
    }
  });

  it('does not touch the tables of another WordPress in the same database', async () => {
    const site = stage.plain;
    await stage.fleet.query(
      site,
      ['options', 'posts']
        .map((name) => `create table wp_voisin_${name} (id int); insert into wp_voisin_${name} values (1);`)
        .join(' '),
    );
    const filename = await stage.pack(site);
    await stage.fleet.query(site, 'insert into wp_voisin_posts values (2)');
    const { warnings } = await stage.completeRestore(site, filename, { mode: 'replace' });
    expect(warnings).toEqual([expect.stringContaining('voisin_posts')]);
    expect(await stage.fleet.query(site, 'select count(*) from wp_voisin_posts')).toEqual([['2']]);
    await stage.fleet.query(site, 'drop table wp_voisin_options, wp_voisin_posts');
  });
});
