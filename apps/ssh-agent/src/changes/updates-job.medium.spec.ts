import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChangeInput } from '@vigie/contracts/changes';
import type { SshAccess } from '@vigie/contracts/credentials';
import type { ScanResult } from '@vigie/contracts/site-checks';
import type { Bus } from '@vigie/service-kit/bus';
import { treeOf } from '@vigie/testing/changes';
import { connectionsTo } from '@vigie/testing/connections';
import { badVersion } from '@vigie/testing/fleet/bad-extensions';
import { versions, writeFiles } from '@vigie/testing/fleet/extensions';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { deploy, onFleet } from '@vigie/testing/fleet/machine';
import { contentOf, type FleetSite } from '@vigie/testing/fleet/sites';
import { killOperation } from '@vigie/testing/operations';
import { targetOf } from '@vigie/testing/ssh-targets';
import { until } from '@vigie/testing/until';
import type { JobHandler } from '../jobs/job-handler';
import { derivedId } from '../operations/derived-id';
import { changesJobs } from './changes.jobs';
import { runTogether } from './run-together-for-tests';

const describeFleet = onFleet(describe);
const access = { host: 'h', row: { table: 'servers', id: randomUUID() }, allows_private: true } as SshAccess;

describeFleet('updates of one site', () => {
  let fleet: Fleet;
  let update: JobHandler;
  let connections: ReturnType<typeof connectionsTo>;
  const scans: ScanResult[] = [];

  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: ['plain'], copies: 5 });
    connections = connectionsTo(targetOf(fleet.host, { user: deploy.name }));
    const call = async (_: unknown, { items }: { items: ScanResult[] }) => scans.push(...items);
    const handlers = changesJobs(connections, {
      bus: { call: call as unknown as Bus['call'] },
      openStore: () => Promise.reject(new Error('no store')),
      ruleFor: () => () => true,
      api: fleet.wordpressOrg.url,
    });
    update = handlers['changes.update'];
  });
  afterAll(async () => {
    await connections?.close();
    await fleet?.close();
  });

  const site = (name: string): FleetSite => {
    const match = fleet.sites.find((each) => each.name === name);
    if (!match) throw new Error(`no site ${name}`);
    return match;
  };

  type Slug = keyof typeof versions;
  const kindOf = (slug: Slug) => (slug === 'phare' ? 'theme' : 'plugin');

  function updatesOf({ path, url }: FleetSite, ...slugs: readonly Slug[]) {
    const target = { id: randomUUID(), version: 3, path, url, php: '/usr/bin/php' };
    const inputs = slugs.map(
      (slug): ChangeInput => ({
        site: target,
        item: { kind: kindOf(slug), slug, name: slug },
        from: versions[slug].installed,
        to: fleet.wordpressOrg.plugins.get(slug)?.version ?? versions[slug].offered,
        package: null,
        activate: false,
        aside_id: null,
      }),
    );
    return { ids: inputs.map(() => randomUUID()), inputs, access };
  }

  const versionsOf = (target: FleetSite, ...slugs: readonly Slug[]) =>
    slugs.map((slug) => {
      const main = kindOf(slug) === 'theme' ? 'style.css' : `${slug}.php`;
      const text = readFileSync(join(contentOf(target), `${kindOf(slug)}s`, slug, main), 'utf8');
      return /Version: ([\w.-]+)/.exec(text)?.[1];
    });

  /** Stops a worker the first time that it reports or stores something that matches. */
  function onceEach(pattern = /./): (reported: string) => 'handover' | undefined {
    const stops = new Set<string>();
    return (reported) => {
      const step = reported.replaceAll(/vigie=\w+|\d+/g, '');
      if (stops.has(step) || !pattern.test(step)) return undefined;
      stops.add(step);
      return 'handover';
    };
  }

  it('are made once by one operation, whichever worker resumes them after each step', async () => {
    const target = site('plain');
    const witness = fleet.witness(target);
    const scansBefore = scans.length;
    const updates = updatesOf(target, 'vitrine', 'formulaire', 'phare');
    const { endings, attempts, lines } = await runTogether(update, { ...updates, stopAt: onceEach() });
    expect(endings).toMatchObject(
      (['vitrine', 'formulaire', 'phare'] as const).map((slug, at) => ({
        state: 'succeeded',
        result: {
          slug,
          from: versions[slug].installed,
          to: versions[slug].offered,
          status: 'active',
          aside: { id: updates.ids[at], version: versions[slug].installed },
          checks: { before: { home: { code: 200 } }, after: { home: { code: 200 } } },
        },
      })),
    );
    expect(attempts).toBeGreaterThan(2);
    const updated = witness.actions.flatMap(({ did, item }) => (did === 'update' ? item : []));
    expect(updated).toEqual(['vitrine/vitrine.php', 'formulaire/formulaire.php', 'phare']);
    expect(scans.length - scansBefore).toBe(1);
    for (const [at, each] of lines.entries()) {
      expect(each.join('\n')).toContain('WordPress démarre, et annonce');
      expect(each.filter((line) => line.includes(`${versions.vitrine.offered}.zip`)).length).toBe(at === 0 ? 1 : 0);
    }
  });

  it('are all rolled back when the site breaks, and wait to be made alone', async () => {
    const target = site('plain-2');
    const before = treeOf(target);
    fleet.wordpressOrg.plugins.set('formulaire', { version: badVersion(versions.formulaire.offered, 'front') });
    const updates = updatesOf(target, 'vitrine', 'formulaire', 'phare');
    const stopAt = onceEach(/checkpoint|Retour arrière/);
    const { endings, lines } = await runTogether(update, { ...updates, stopAt });
    fleet.wordpressOrg.plugins.set('formulaire', { version: versions.formulaire.offered });
    expect(endings).toEqual(['alone', 'alone', 'alone']);
    for (const each of lines) expect(each.join('\n')).toMatch(/Le site va moins bien.*toutes annulées/);
    expect(treeOf(target)).toBe(before);
    expect((await fetch(target.url)).status).toBe(200);
  });

  it('are all rolled back when their operation is killed', async () => {
    const target = site('plain-3');
    const before = treeOf(target);
    const updates = updatesOf(target, 'vitrine', 'formulaire', 'relais');
    const gate = pauseBeforeSecond(target);
    let killed: Promise<void> | undefined;
    const kill = async (begunAt: unknown) => {
      await until(() => existsSync(gate.reached));
      killOperation(derivedId(updates.ids[0] ?? '', `updates of ${String(begunAt)}`));
      gate.remove();
    };
    const { endings } = await runTogether(update, {
      ...updates,
      stopAt: (_, memo) => {
        if (memo) killed ??= kill(memo['begun_at']);
        return undefined;
      },
    });
    await killed;
    expect(endings).toEqual(['alone', 'alone', 'alone']);
    expect([treeOf(target), (await fetch(target.url)).status]).toEqual([before, 200]);
  });

  it('are given back when one is cancelled before anything changes, and run to their end afterwards', async () => {
    const target = site('plain-4');
    const before = treeOf(target);
    const early = await runTogether(update, {
      ...updatesOf(target, 'vitrine', 'formulaire'),
      stopAt: (reported) => (reported === 'État de départ' ? 1 : undefined),
    });
    expect([early.endings, treeOf(target) === before]).toEqual([['alone', 'cancelled'], true]);
    const late = await runTogether(update, {
      ...updatesOf(target, 'vitrine', 'formulaire'),
      stopAt: (reported) => (reported.startsWith('checkpoint looked') ? 1 : undefined),
    });
    expect(late.endings).toMatchObject([{ state: 'succeeded' }, { state: 'succeeded' }]);
    const tooLate = late.lines.map((lines) => lines.filter((line) => line.startsWith('L’annulation vient trop tard')));
    expect(tooLate.map(({ length }) => length)).toEqual([0, 1]);
  });

  it('go on without one that WordPress refuses', async () => {
    const target = site('plain-5');
    await fleet.runPhp(target, "update_option('boussole_licence', 'expired'); return true;");
    const updates = updatesOf(target, 'vitrine', 'boussole-pro', 'relais');
    const { endings } = await runTogether(update, updates);
    expect(endings).toMatchObject([
      { state: 'succeeded' },
      { state: 'failed', error: { code: 'licence_required' } },
      { state: 'succeeded' },
    ]);
    expect(versionsOf(target, 'vitrine', 'boussole-pro', 'relais')).toEqual(['1.3.0', '3.0.0', '1.0']);
  });

  it('are given back when the first one ends PHP before anything has changed', async () => {
    const target = site('plain-3');
    const before = treeOf(target);
    const exit = "add_filter('upgrader_pre_download', function () { exit; });";
    const file = join(contentOf(target), 'mu-plugins/exit.php');
    writeFiles(contentOf(target), { 'mu-plugins/exit.php': `<?php\n${exit}\n` });
    const { endings } = await runTogether(update, updatesOf(target, 'vitrine', 'formulaire'));
    rmSync(file);
    expect(endings).toMatchObject([{ state: 'failed', error: { code: 'refused_by_wordpress' } }, 'alone']);
    expect([treeOf(target), (await fetch(target.url)).status]).toEqual([before, 200]);
  });

  it('fail when the site is still broken after they were rolled back', async () => {
    const target = site('plain-6');
    fleet.wordpressOrg.plugins.set('vitrine', { version: badVersion(versions.vitrine.offered, 'front') });
    const updates = updatesOf(target, 'vitrine', 'formulaire');
    const curse = join(contentOf(target), 'mu-plugins/curse.php');
    const { endings } = await runTogether(update, {
      ...updates,
      stopAt: (reported) => {
        if (reported === 'Retour arrière')
          writeFiles(contentOf(target), { 'mu-plugins/curse.php': '<?php\nis_admin() || die();\n' });
        return undefined;
      },
    });
    fleet.wordpressOrg.plugins.set('vitrine', { version: versions.vitrine.offered });
    rmSync(curse);
    const error = { code: 'rolled_back', still: expect.any(String) };
    expect(endings).toMatchObject([
      { state: 'failed', error: { ...error, change: { slug: 'vitrine' } } },
      { state: 'failed', error: { ...error, change: { slug: 'formulaire' } } },
    ]);
    expect(versionsOf(target, 'vitrine', 'formulaire')).toEqual(['1.2.0', '2.0.1']);
  });

  /** Pauses the second update for long, after it has removed the old version. */
  function pauseBeforeSecond(target: FleetSite) {
    const reached = join(target.path, 'reached');
    const file = join(contentOf(target), 'mu-plugins/hold.php');
    const hold = `<?php add_filter('upgrader_clear_destination', function ($done) {
      static $count = 0;
      if (++$count === 2) { touch('${reached}'); sleep(60); }
      return $done;
    });`;
    writeFiles(contentOf(target), { 'mu-plugins/hold.php': hold });
    return {
      reached,
      remove: () => {
        rmSync(file);
        writeFileSync(join(target.path, 'reached'), '');
        rmSync(reached);
      },
    };
  }
});
