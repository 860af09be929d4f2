import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Repair, RepairTarget } from '@vigie/contracts/site-repairs';
import { onFleet } from '@vigie/testing/fleet/machine';
import { hostCommand } from '@vigie/testing/host-root';
import { logInAsHost } from '@vigie/testing/login';
import { SshHost } from '@vigie/testing/sshd';
import { readRepairEnd, readRepairs, repairTask } from './repairs';

const describeHost = onFleet(describe);
const php = '/usr/bin/php';
const www = 33;
const mark = 'abcdef012345';
const code = '<?php // code';

describeHost('the repairs of a site', () => {
  let folder: string;
  let path: string;
  let sshd: SshHost;
  let host: Awaited<ReturnType<typeof logInAsHost>>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vigie-repairs-'));
    spawnSync('chmod', ['755', folder]);
    sshd = await SshHost.start();
    host = await logInAsHost(sshd);
  });
  afterAll(async () => {
    await host?.close();
    await sshd?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    path = join(folder, randomUUID());
    for (const [file, text] of Object.entries({
      'wp-load.php': code,
      'wp-includes/version.php': code,
      'wp-config.php': code,
      'wp-content/plugins/avarie/avarie.php': code,
      'wp-content/plugins/seule.php': code,
      'wp-content/themes/phare/style.css': 'Theme',
      'wp-content/themes/balise/style.css': 'Theme',
      'wp-content/mu-plugins/garde.php': code,
      'wp-content/object-cache.php': code,
      'wp-content/autre.php': code,
    })) {
      writeFile(file, text);
    }
  });

  const at = (...parts: string[]) => join(path, 'wp-content', ...parts);
  function writeFile(file: string, text: string): void {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
    spawnSync('chown', ['-hR', `${www}:${www}`, path]);
  }
  function repair(repairOrder: Repair) {
    const order = { operation: randomUUID(), site: { path, content: null }, php, repair: repairOrder };
    const { script, input } = repairTask(order);
    const { stdout } = spawnSync(...hostCommand('sh', ['-c', script]), { input });
    return readRepairEnd(stdout, order);
  }
  const quarantine = (type: RepairTarget, slug: string) => repair({ action: 'set_aside', type, slug, mark });
  const check = (...suspects: { type: RepairTarget; slug: string }[]) => {
    const marked = suspects.map((each) => ({ ...each, mark }));
    return readRepairs(host, { path, content: null }, { php, suspects: marked });
  };

  const items: [RepairTarget, string, string][] = [
    ['plugin', 'avarie', 'plugins/avarie'],
    ['plugin', 'seule', 'plugins/seule.php'],
    ['theme', 'phare', 'themes/phare'],
    ['must_use', 'garde', 'mu-plugins/garde.php'],
    ['drop_in', 'object-cache', 'object-cache.php'],
  ];
  it.each(items)('quarantine an item, and put it back unchanged: %s %s', async (type, slug, itemPath) => {
    const before = lstatSync(at(itemPath));
    const id = `${type}/${itemPath.replace(/.*\//, '')}-${mark}`;
    const { proposals, aside_folder: quarantineFolder } = await check({ type, slug });
    expect(proposals).toMatchObject([{ repair: { action: 'set_aside', type, slug, mark }, refusal: null }]);
    expect(quarantineFolder).toBe(at('.vigie-aside'));
    expect(proposals[0]?.command).toContain(`mv -n -- '${at(itemPath)}' '${at('.vigie-aside', id)}'`);
    expect(quarantine(type, slug)).toEqual({ is: 'done', from: at(itemPath), path: at('.vigie-aside', id) });
    expect([existsSync(at(itemPath)), lstatSync(at('.vigie-aside', id)).ino]).toEqual([false, before.ino]);
    const { aside } = await check();
    expect(aside).toMatchObject([{ repair: { action: 'put_back', aside: id }, refusal: null }]);
    expect(aside[0]?.command).toBe(`mv -n -- '${at('.vigie-aside', id)}' '${at(itemPath)}'`);
    expect(repair({ action: 'put_back', aside: id })).toMatchObject({ is: 'done', path: at(itemPath) });
    const { ino, uid, mode } = lstatSync(at(itemPath));
    expect([ino, uid, mode]).toEqual([before.ino, before.uid, before.mode]);
    expect((await check()).aside).toEqual([]);
  });

  it('keep quarantined items from visitors, owned by the owner of the site', () => {
    quarantine('plugin', 'avarie');
    const { uid, mode } = statSync(at('.vigie-aside'));
    expect([uid, (mode & 0o777).toString(8)]).toEqual([www, '700']);
    expect(readFileSync(at('.vigie-aside/.htaccess'), 'utf8')).toContain('Require all denied');
    expect(existsSync(at('.vigie-aside/index.php'))).toBe(true);
  });

  it('never overwrite an existing item', () => {
    quarantine('plugin', 'avarie');
    writeFile('wp-content/plugins/avarie/avarie.php', '<?php // newer');
    const back = repair({ action: 'put_back', aside: `plugin/avarie-${mark}` });
    expect(back).toMatchObject({ is: 'refused', code: 'occupied' });
    expect(readFileSync(at('plugins/avarie/avarie.php'), 'utf8')).toBe('<?php // newer');
    expect(readFileSync(at(`.vigie-aside/plugin/avarie-${mark}/avarie.php`), 'utf8')).toBe(code);
    // Nor over an item that was quarantined before.
    expect(quarantine('plugin', 'avarie')).toMatchObject({ is: 'refused', code: 'occupied' });
  });

  it('never quarantine the last theme', async () => {
    quarantine('theme', 'phare');
    expect(quarantine('theme', 'balise')).toMatchObject({ is: 'refused', code: 'last_theme' });
    expect((await check({ type: 'theme', slug: 'balise' })).proposals[0]?.refusal).toContain('seul thème');
    expect(existsSync(at('themes/balise/style.css'))).toBe(true);
  });

  it('quarantine only items of the right kind, and follow no link', () => {
    const outside = join(folder, 'dehors');
    mkdirSync(outside, { recursive: true });
    symlinkSync(outside, at('plugins/lien'));
    const refusalOf = (...[type, slug]: [RepairTarget, string]) => quarantine(type, slug);
    expect(refusalOf('plugin', 'lien')).toMatchObject({ code: 'link' });
    for (const slug of ['..', '.', 'avarie/avarie.php', 'x\0y', '-rf', 'absente', 'themes/phare'])
      expect([slug, refusalOf('plugin', slug)]).toMatchObject([slug, { code: 'missing' }]);
    // Only the drop-ins that WordPress loads, and only themes that are folders.
    expect(refusalOf('drop_in', 'autre')).toMatchObject({ code: 'missing' });
    expect(refusalOf('drop_in', 'index')).toMatchObject({ code: 'missing' });
    expect(repair({ action: 'put_back', aside: `plugin/../../x-${mark}` })).toMatchObject({ code: 'missing' });
    symlinkSync(outside, at('.vigie-aside'));
    expect(refusalOf('plugin', 'avarie')).toMatchObject({ code: 'link' });
    expect([readdirSync(outside), existsSync(at('plugins/avarie/avarie.php'))]).toEqual([[], true]);
  });

  it('end the maintenance that was checked, and no other', async () => {
    const stale = Math.floor(Date.now() / 1_000) - 3_000;
    writeFile('.maintenance', `<?php $upgrading = ${stale};`);
    utimesSync(join(path, '.maintenance'), stale, stale);
    const { maintenance, proposals } = await check();
    expect(maintenance).toMatchObject({ mtime: stale, holds: 'over' });
    expect(proposals).toMatchObject([{ command: `rm -- '${path}/.maintenance'`, refusal: null }]);
    writeFile('.maintenance', `<?php $upgrading = ${stale + 2_990};`);
    expect((await check()).maintenance?.holds).toBe('until');
    expect(repair({ action: 'end_maintenance', mtime: stale })).toMatchObject({ is: 'refused', code: 'changed' });
    writeFile('.maintenance', '<?php $upgrading = time();');
    utimesSync(join(path, '.maintenance'), stale, stale);
    expect((await check()).maintenance?.holds).toBe('always');
    expect(repair({ action: 'end_maintenance', mtime: stale })).toMatchObject({ is: 'done' });
    expect(existsSync(join(path, '.maintenance'))).toBe(false);
    expect(repair({ action: 'end_maintenance', mtime: stale })).toMatchObject({ is: 'refused', code: 'missing' });
  });

  it('explain why they cannot be made on a read-only site', async () => {
    spawnSync('chmod', ['-R', 'a-w', path]);
    const { proposals } = await check({ type: 'plugin', slug: 'avarie' });
    expect(proposals[0]?.refusal).toContain('pas le droit');
    expect(quarantine('plugin', 'avarie')).toMatchObject({ is: 'refused', code: 'read_only' });
    expect(readdirSync(at()).includes('.vigie-aside')).toBe(false);
  });

  it('are never made by root on root’s files', async () => {
    spawnSync('chown', ['-R', '0:0', path]);
    expect(() => quarantine('plugin', 'avarie')).toThrow('appartiennent à root');
    await expect(check()).rejects.toThrow('appartiennent à root');
    expect(existsSync(at('plugins/avarie'))).toBe(true);
  });
});
