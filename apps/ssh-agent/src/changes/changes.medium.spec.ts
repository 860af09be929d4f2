import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChangeInput } from '@vigie/contracts/changes';
import { AppError } from '@vigie/contracts/errors';
import type { SshAccess } from '@vigie/contracts/credentials';
import type { ScanResult } from '@vigie/contracts/site-checks';
import { DiskStore } from '@vigie/files/disk-store';
import { FileStore } from '@vigie/files/file-store';
import type { Bus } from '@vigie/service-kit/bus';
import { connectionsTo } from '@vigie/testing/connections';
import { targetOf } from '@vigie/testing/ssh-targets';
import { badVersion } from '@vigie/testing/fleet/bad-extensions';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { deploy, onFleet } from '@vigie/testing/fleet/machine';
import { contentOf, type FleetSite } from '@vigie/testing/fleet/sites';
import { writeFiles } from '@vigie/testing/fleet/extensions';
import { until } from '@vigie/testing/until';
import { aZip } from '@vigie/testing/zip';
import { killOperation } from '@vigie/testing/operations';
import { runForTests } from '../jobs/run-for-tests';
import type { JobHandlers, StopReason } from '../jobs/job-handler';
import { changesJobs } from './changes.jobs';

const describeFleet = onFleet(describe);

/** Whether the worker stops at this report, and why. */
type StopAt = (reported: string) => StopReason | undefined;

describeFleet('a change of one item', () => {
  let fleet: Fleet;
  let handlers: JobHandlers;
  let store: FileStore;
  let away: AppError | undefined;
  const folder = mkdtempSync(join(tmpdir(), 'vigie-changes-'));
  let connections: ReturnType<typeof connectionsTo>;
  const scans: ScanResult[] = [];
  let lastJob = '';

  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: ['plain'], copies: 3 });
    store = await DiskStore.open(pathToFileURL(folder).href);
    connections = connectionsTo(targetOf(fleet.host, { user: deploy.name }));
    const call = async (_: unknown, { items }: { items: ScanResult[] }) => scans.push(...items);
    handlers = changesJobs(connections, {
      bus: { call: call as unknown as Bus['call'] },
      openStore: () => (away ? Promise.reject(away) : Promise.resolve(store)),
      ruleFor: () => () => true,
      api: fleet.wordpressOrg.url,
    });
  });
  afterAll(async () => {
    await connections?.close();
    await fleet?.close();
    rmSync(folder, { recursive: true });
  });

  const home = () => fleet.host.homeOf(deploy.name);
  const access = { host: 'h', row: { table: 'servers', id: randomUUID() }, allows_private: true } as SshAccess;
  const siteOf = ({ path, url }: FleetSite) => ({ id: randomUUID(), version: 3, path, url, php: '/usr/bin/php' });
  const updateOf = (site: FleetSite, to: string, from = '1.2.0', slug = 'vitrine'): ChangeInput => ({
    site: siteOf(site),
    item: { kind: 'plugin', slug, name: slug === 'vitrine' ? 'Vitrine' : slug },
    from,
    to,
    package: null,
    activate: false,
    aside_id: null,
  });

  async function runChange(action: string, input: ChangeInput, stopAt: StopAt = () => undefined) {
    lastJob = randomUUID();
    return runForTests(handlers, {
      kind: `changes.${action}`,
      input,
      access,
      id: lastJob,
      onReport: (progress, lines) =>
        firstOf([progress?.step, ...lines].map((reported) => reported && stopAt(reported))),
      onCheckpoint: (checkpoint) => {
        const phases = ['back_at', 'tries', 'verdict', 'looked'].filter((key) => checkpoint[key]);
        return stopAt(`remembered ${phases.join(' ')}`);
      },
    });
  }
  const firstOf = (reasons: (StopReason | '' | undefined)[]) =>
    reasons.find((reason) => reason !== undefined) || undefined;

  const site = (name: string): FleetSite => {
    const match = fleet.sites.find((each) => each.name === name);
    if (!match) throw new Error(`no site ${name}`);
    return match;
  };
  const versionOf = (target: FleetSite, slug = 'vitrine') =>
    /Version: ([\d.]+)/.exec(readFileSync(join(contentOf(target), `plugins/${slug}/${slug}.php`), 'utf8'))?.[1];
  const codeOf = async (url: string) => (await fetch(url)).status;
  const leftovers = (target: FleetSite) => [
    ...readdirSync(target.path).filter((name) => name === '.maintenance'),
    ...readdirSync(join(contentOf(target), 'plugins')).filter((name) => name.startsWith('.')),
    ...(existsSync(join(home(), '.vigie/packages')) ? readdirSync(join(home(), '.vigie/packages')) : []),
  ];

  it('is done once, whichever worker resumes it after each step', async () => {
    const plain = site('plain');
    const witness = fleet.witness(plain);
    const stops = new Set<string>();
    const once: StopAt = (reported) => {
      const step = reported.replaceAll(/vigie=\w+|\d+/g, '');
      if (stops.has(step)) return undefined;
      stops.add(step);
      return 'handover';
    };
    const seen = { url: expect.any(String), code: 200, ms: expect.any(Number), error: null };
    const { id, outcome, attempts, lines } = await runChange('update', updateOf(plain, '1.3.0'), once);
    expect([outcome, lines.join('\n')]).toEqual([
      {
        state: 'succeeded',
        result: {
          kind: 'plugin',
          slug: 'vitrine',
          name: 'Vitrine',
          from: '1.2.0',
          to: '1.3.0',
          status: 'active',
          aside: { id, version: '1.2.0', bytes: expect.any(Number), made_at: expect.any(String), has_tables: false },
          checks: {
            before: { home: seen, login: seen },
            after: { home: seen, login: seen },
            restored: null,
            php_errors: [],
          },
        },
      },
      expect.any(String),
    ]);
    // Steps within one second are reported as one, so a fast machine has few attempts.
    expect(attempts).toBeGreaterThan(2);
    expect(witness.actions.filter(({ did }) => did === 'update')).toHaveLength(1);
    expect([versionOf(plain), leftovers(plain)]).toEqual(['1.3.0', []]);
    const state = scans.at(-1)?.facts;
    expect(state?.extensions.find(({ slug }) => slug === 'vitrine')).toMatchObject({ version: '1.3.0' });
    expect(scans.at(-1)).toMatchObject({ version: 3, failure: null });
  });

  it('is rolled back when the site breaks', async () => {
    const hurt = site('plain-2');
    const to = badVersion('1.3.0', 'blank');
    fleet.wordpressOrg.plugins.set('vitrine', { version: to });
    // One worker stops after the verdict, and another one during the rollback.
    const stops = new Set<string>();
    const stopAt: StopAt = (reported) => {
      if (!/verdict|tries/.test(reported) || stops.has(reported)) return undefined;
      stops.add(reported);
      return 'handover';
    };
    const { outcome } = await runChange('update', updateOf(hurt, to), stopAt);
    fleet.wordpressOrg.plugins.set('vitrine', { version: '1.3.0' });
    expect(outcome).toMatchObject({
      state: 'failed',
      error: {
        code: 'rolled_back',
        message: expect.stringMatching(/page d’accueil est vide.*La version 1\.2\.0 est de retour\./s),
        remedy: expect.any(String),
        change: {
          slug: 'vitrine',
          from: '1.2.0',
          to,
          aside: null,
          checks: {
            before: { home: { code: 200, error: null } },
            after: { home: { code: 200, error: 'page vide' } },
            restored: { home: { code: 200, error: null } },
          },
        },
      },
    });
    expect([versionOf(hurt), leftovers(hurt), await codeOf(hurt.url)]).toEqual(['1.2.0', [], 200]);
    const vitrine = scans.at(-1)?.facts?.extensions.find(({ slug }) => slug === 'vitrine');
    expect(vitrine).toMatchObject({ version: '1.2.0', status: 'active' });
  });

  it('needs nothing of its operation for the second check, which a cancellation does not stop', async () => {
    const input = updateOf(site('plain-2'), '1.3.0');
    const { id, outcome, lines } = await runChange('update', input, (reported) => {
      if (reported !== 'remembered looked') return undefined;
      rmSync(join(home(), '.vigie/operations', lastJob), { recursive: true });
      return 'cancelled';
    });
    expect(outcome).toMatchObject({ state: 'succeeded', result: { from: '1.2.0', to: '1.3.0', aside: { id } } });
    expect(lines.filter((line) => line.startsWith('L’annulation vient trop tard'))).toHaveLength(1);
    const back = await runChange('restore', { ...input, from: '1.3.0', to: '1.2.0', aside_id: id });
    expect(back.outcome).toMatchObject({ state: 'succeeded', result: { to: '1.2.0' } });
  });

  it('has an unknown outcome when the second check finds another version than the operation left', async () => {
    const back = site('plain-2');
    const file = join(contentOf(back), 'plugins/vitrine/vitrine.php');
    // As if Vigie itself had been restored, and had forgotten the rollback.
    const { outcome } = await runChange('update', updateOf(back, '1.3.0'), (reported) => {
      if (reported !== 'remembered looked') return undefined;
      writeFileSync(file, readFileSync(file, 'utf8').replace('Version: 1.3.0', 'Version: 1.2.0'));
      return 'handover';
    });
    expect(outcome).toMatchObject({
      state: 'unknown',
      error: { code: 'interrupted', message: expect.stringContaining('WordPress dit 1.2.0 au lieu de 1.3.0') },
    });
    const vitrine = scans.at(-1)?.facts?.extensions.find(({ slug }) => slug === 'vitrine');
    expect(vitrine).toMatchObject({ version: '1.2.0' });
  });

  it('fails when it is refused before it starts, in any attempt', async () => {
    away = new AppError('unavailable', 'Le stockage de Vigie ne répond pas.');
    const archive = { key: FileStore.newKey(), sha256: '', size: 1, filename: 'boussole.zip', unpacked: 1 };
    const input = { ...updateOf(site('plain-2'), '1.0', '1.0', 'boussole'), package: archive };
    let isCut = false;
    const { outcome, attempts } = await runChange('install', input, (reported) => {
      if (isCut || reported !== 'État de départ') return undefined;
      isCut = true;
      return 'handover';
    });
    away = undefined;
    expect([outcome, attempts]).toMatchObject([{ state: 'failed', error: { code: 'unavailable' } }, 2]);
  });

  it('can be cancelled before it changes anything, and runs to its end afterwards', async () => {
    const calm = site('plain-3');
    const early = await runChange('update', updateOf(calm, '1.3.0'), (reported) =>
      reported === 'État de départ' ? 'cancelled' : undefined,
    );
    expect([early.outcome, versionOf(calm)]).toEqual(['cancelled', '1.2.0']);
    const prepared = await runChange('update', updateOf(calm, '1.3.0'), (reported) =>
      reported === 'remembered ' ? 'cancelled' : undefined,
    );
    expect([prepared.outcome, versionOf(calm), leftovers(calm)]).toEqual(['cancelled', '1.2.0', []]);
    const gate = pauseHalfway(calm);
    const late = await runChange('update', updateOf(calm, '1.3.0'), (reported) => {
      if (reported.startsWith('L’annulation vient trop tard')) gate.open();
      return reported === halfway ? 'cancelled' : undefined;
    });
    expect([late.outcome, versionOf(calm)]).toMatchObject([{ state: 'succeeded' }, '1.3.0']);
  });

  it('installs an archive that it sends, and leaves none behind', async () => {
    const to = site('plain-4');
    const php =
      "<?php\n/* Plugin Name: Boussole\nVersion: 1.0 */\nadd_action('wp_footer', fn () => print('<!-- b -->'));\n";
    const zip = aZip([
      { name: 'boussole/boussole.php', content: php },
      { name: 'boussole/carte.bin', content: Buffer.alloc(400_000, 'carte'), isStored: true },
    ]);
    const key = FileStore.newKey();
    const content = (async function* () {
      yield zip;
    })();
    const stored = await store.write(key, content, zip.length);
    expect(stored.sha256).toBe(createHash('sha256').update(zip).digest('hex'));
    const input: ChangeInput = {
      ...updateOf(to, '1.0', '1.0', 'boussole'),
      from: null,
      to: null,
      activate: true,
      package: { key, ...stored, filename: 'boussole.zip', unpacked: 500_000 },
    };
    let cuts = 0;
    const { outcome } = await runChange('install', input, (reported) =>
      reported === 'Transfert' && (cuts += 1) === 2 ? 'handover' : undefined,
    );
    expect(outcome).toMatchObject({ state: 'succeeded', result: { to: '1.0', status: 'active', aside: null } });
    expect([versionOf(to, 'boussole'), leftovers(to)]).toEqual(['1.0', []]);
    await store.delete(key);
    const again = await runChange('install', input);
    expect(again.outcome).toMatchObject({ state: 'failed', error: { code: 'not_found' } });
    expect(leftovers(to)).toEqual([]);
  });

  it('is kept, with a line in the log, when it closes the site to its visitors on purpose', async () => {
    const target = site('plain-3');
    const page = `status_header(503); echo '<html><body>Bientôt</body></html>'; exit;`;
    const php = `<?php\n/* Plugin Name: Rideau\nVersion: 1.0 */\nadd_action('template_redirect', function () { ${page} });\n`;
    writeFiles(contentOf(target), { 'plugins/rideau/rideau.php': php });
    const { outcome, lines } = await runChange('activate', updateOf(target, '1.0', '1.0', 'rideau'));
    expect([outcome, lines.join('\n')]).toMatchObject([
      { state: 'succeeded', result: { status: 'active' } },
      expect.stringContaining('répond maintenant 503 à ses visiteurs'),
    ]);
    expect(await codeOf(target.url)).toBe(503);
  });

  it('is rolled back when it was killed, even if the rollback is killed too, and says so', async () => {
    const target = site('plain-4');
    const php = join(home(), 'mortal-php');
    const order = join(home(), 'die');
    writeFileSync(php, `#!/bin/sh\nrm '${order}' 2>/dev/null && kill -9 $$\nexec /usr/bin/php "$@"\n`, { mode: 0o755 });
    const input = updateOf(target, '1.3.0');
    const gate = pauseHalfway(target);
    const plugin = join(contentOf(target), 'plugins/vitrine/vitrine.php');
    const kill = async () => {
      await until(() => !existsSync(plugin));
      killOperation(lastJob);
      gate.open();
    };
    let killed: Promise<void> | undefined;
    const { outcome } = await runChange('update', { ...input, site: { ...input.site, php } }, (reported) => {
      if (reported === halfway) killed ??= kill();
      if (reported === 'Retour arrière') writeFileSync(order, '');
      return undefined;
    });
    await killed;
    expect(existsSync(order)).toBe(false);
    expect(outcome).toMatchObject({
      state: 'failed',
      error: { code: 'interrupted', message: expect.stringContaining('La version 1.2.0 est de retour.') },
    });
    expect([versionOf(target), leftovers(target), await codeOf(target.url)]).toEqual(['1.2.0', [], 200]);
  });

  /** The line that WordPress prints before it removes the old version. */
  const halfway = 'Removing the old version of the plugin…';

  /** Pauses an update after it has removed the old version and before it installs the new one. */
  function pauseHalfway(target: FleetSite) {
    const gate = join(target.path, 'gate');
    const wait = `while (! file_exists('${gate}')) { clearstatcache(); usleep(50000); } return $done;`;
    const hold = `<?php add_filter('upgrader_clear_destination', function ($done) { ${wait} });`;
    writeFiles(contentOf(target), { 'mu-plugins/hold.php': hold });
    return { open: () => writeFileSync(gate, '') };
  }
});
