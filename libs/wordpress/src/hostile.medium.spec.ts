import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onFleet, www as webUser } from '@vigie/testing/fleet/machine';
import { logInAsHost } from '@vigie/testing/login';
import { SshHost } from '@vigie/testing/sshd';
import { until } from '@vigie/testing/until';
import { discoverSites } from './discover';
import { type Host, SiteFailure } from './host';
import { inspectOrScan, inspectSite } from './inspect';
import answerPhp from './php/answer.php';
import { findPhp } from './php';
import { phpProgram, runPhp } from './run-php';
import { scanSites } from './scan';

const describeHost = onFleet(describe);
const php = '/usr/bin/php';
const www = 33;
const version = "<?php\n$wp_version = '6.1.9';\n";
const config = "<?php\ndefine( 'DB_NAME', 'x' );\ndefine( 'DB_HOST', '127.0.0.1:1' );\n$table_prefix = 'wp_';\n";
const plugin = '<?php\n/* Plugin Name: Une extension */\n';

describeHost('a hostile site', () => {
  let folder: string;
  let sshd: SshHost;
  let host: Awaited<ReturnType<typeof logInAsHost>>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vigie-hostile-'));
    spawnSync('chmod', ['755', folder]);
    sshd = await SshHost.start({ users: [webUser] });
    host = await logInAsHost(sshd);
  });
  afterAll(async () => {
    await host?.close();
    await sshd?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  type Files = Record<string, string>;
  /** Creates a folder that looks like a site of www-data. */
  function site(name: string, files: Files = {}, owner = www): string {
    const path = join(folder, name);
    const all = { 'wp-includes/version.php': version, 'wp-load.php': '<?php', 'wp-config.php': config, ...files };
    for (const [file, text] of Object.entries(all)) {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), text);
    }
    spawnSync('chown', ['-R', `${owner}:${owner}`, path]);
    return path;
  }
  const removeFiles = (path: string, ...files: string[]) => files.forEach((file) => rmSync(join(path, file)));
  async function scan(...paths: string[]) {
    const scans = await scanSites(host, paths, { php });
    return scans.map((scanned) => {
      if (!scanned || scanned instanceof SiteFailure) throw scanned ?? new Error('unread');
      return scanned.state;
    });
  }
  const boot = (path: string, seconds = 20) =>
    inspectSite(host, { path, url: 'http://x.test' }, { php, refreshes: false, api: null, seconds });

  it('has names that are listed as unusable and never used', async () => {
    const names = ["it's", '"$(touch pwned)"', '--version', '`id`', '..x', 'a\nb', '\u202Egnp', '<b>', 'é', '-rf'];
    const files = Object.fromEntries(names.map((name) => [`wp-content/plugins/${name}/x.php`, plugin]));
    const path = site('names', { ...files, 'wp-content/plugins/bonne/bonne.php': plugin });
    const bytes = Buffer.concat([Buffer.from(`${path}/wp-content/plugins/`), Buffer.from([0x61, 0xff, 0xfe])]);
    mkdirSync(bytes);
    writeFileSync(Buffer.concat([bytes, Buffer.from('/x.php')]), plugin);
    const [state] = await scan(path);
    expect(state?.extensions.map(({ slug, name }) => [slug, name])).toEqual([['bonne', 'Une extension']]);
    expect(state?.unusable.length).toBe(names.length);
    expect(state?.unusable.join()).not.toMatch(/[\p{Cc}\u202E]/u);
    expect(existsSync(join(sshd.home, 'pwned')) || existsSync(join(path, 'pwned'))).toBe(false);
  });

  it('blocks no scan with a configuration that is a pipe, a device, a loop or too long', async () => {
    const long = site('long', { 'wp-config.php': config + '#'.repeat(10 * 1_048_576) });
    const [fifo, loop, device, folderOne] = ['fifo', 'loop', 'device', 'folder'].map((name) => site(name));
    for (const path of [fifo, loop, device, folderOne]) removeFiles(path ?? '', 'wp-config.php');
    spawnSync('mkfifo', [`${fifo}/wp-config.php`]);
    symlinkSync('wp-config.php', `${loop}/wp-config.php`);
    symlinkSync('/dev/zero', `${device}/wp-config.php`);
    mkdirSync(`${folderOne}/wp-config.php`);
    const plain = site('plain', { 'wp-content/plugins/bonne.php': plugin });
    symlinkSync('..', `${plain}/wp-content/plugins/boucle`);
    spawnSync('mkfifo', [`${plain}/wp-content/plugins/pipe.php`]);
    const startedAt = performance.now();
    const paths = [long, fifo, loop, device, folderOne, plain] as string[];
    const state = await scan(...paths);
    expect(state.map(({ needs_boot: reasons }) => reasons.includes('unreadable'))).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(state.at(-1)?.extensions.map(({ slug }) => slug)).toEqual(['bonne']);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('cannot read the configuration of another owner through a link', async () => {
    const other = site('victim', { 'wp-config.php': config.replace("'x'", "'victime'") });
    spawnSync('chown', ['64001:64001', `${other}/wp-config.php`]);
    spawnSync('chmod', ['600', `${other}/wp-config.php`]);
    const thief = site('thief');
    removeFiles(thief, 'wp-config.php');
    symlinkSync(`${other}/wp-config.php`, `${thief}/wp-config.php`);
    const [state] = await scan(thief);
    expect(state?.needs_boot).toContain('unreadable');
  });

  it('runs as its owner, at low priority, without root’s environment, whatever its folder is called', async () => {
    const probe = `<?php
      $seen = [posix_geteuid(), posix_getuid(), getcwd(), getenv(), stream_get_contents(fopen('php://fd/3', 'r')),
        (int) explode(' ', file_get_contents('/proc/self/stat'))[18]];
      file_put_contents(__DIR__ . '/seen.json', json_encode($seen));`;
    const names = ['a b', "l'été", '$(id) `id`', '--help', '"x"\\', '日本 🎉', '*?[!]'];
    for (const name of names) {
      const path = site(`boot/${name}`, { 'wp-load.php': probe });
      chownSync(path, www, www);
      const { state, isOwner } = await boot(path);
      const [effective, real, where, surroundings, word, niceness] = JSON.parse(
        readFileSync(join(path, 'seen.json'), 'utf8'),
      ) as unknown[];
      expect([name, effective, real, where, word, niceness]).toEqual([name, www, www, path, '', 10]);
      expect(Object.keys(surroundings as object).filter((key) => /SSH|LD_|USER|MAIL/.test(key))).toEqual([]);
      expect(isOwner).toBe(true);
      expect(state.problem?.kind).toBe('fatal');
    }
  });

  it.each([['runuser'], ['su'], ['cat']])('never runs as root if the only tool is %s', async (...tools) => {
    const bin = join(folder, `bin-${tools.join()}`);
    mkdirSync(bin);
    for (const name of ['true', 'timeout', 'nice', 'id', 'ls', 'head', 'env', 'sh', ...tools]) {
      const found = ['/usr/bin', '/bin', '/usr/sbin', '/sbin']
        .map((at) => join(at, name))
        .find((file) => existsSync(file));
      if (found) symlinkSync(found, join(bin, name));
    }
    const limited: Host = {
      run: (script, options) => host.run(`PATH=${bin} OF_ROOT=x\nexport PATH OF_ROOT\n${script}`, options),
    };
    const path = site(`with-${tools.join()}`);
    const program = phpProgram(
      answerPhp,
      `<?php\nVigieAnswer::readInput();
      // The shell of \`su\` runs as the owner, so the site can read that shell's environment.
      $around = (string) @file_get_contents('/proc/' . posix_getppid() . '/environ');
      VigieAnswer::send(['user' => posix_geteuid(), 'path' => getenv(), 'root' => strpos($around, 'OF_ROOT')]);`,
    );
    const options = { name: 'x', php, site: path, seconds: 20, keep: 10_000 };
    const { answers, rights } = await runPhp(limited, program, {}, options);
    const surroundings = { PATH: bin, LC_ALL: 'C', HOME: '/' };
    expect([rights, answers]).toEqual(
      tools[0] !== 'cat' ? ['owner', [{ user: www, path: surroundings, root: false }]] : ['no-tool', []],
    );
  });

  it('is not started if its files are root’s', async () => {
    const path = site('root', { 'wp-load.php': "<?php touch(__DIR__ . '/ran');", 'wp-content/x': '' }, 0);
    await expect(boot(path)).rejects.toMatchObject({ code: 'root_owned' });
    expect(existsSync(join(path, 'ran'))).toBe(false);
    const [state] = await scan(path);
    expect(state?.core.version).toBe('6.1.9');
  });

  const recordRun = "<?php file_put_contents('/tmp/' . basename(__DIR__) . '-ran', posix_geteuid());";
  const links: [string, string, (path: string, victim: string) => void][] = [
    ['version.php', 'unsure_owner', (path, victim) => linkTo(path, 'wp-includes/version.php', `${victim}/wp-load.php`)],
    ['wp-load.php', 'unsure_owner', (path, victim) => linkTo(path, 'wp-load.php', `${victim}/wp-load.php`)],
    [
      'wp-content',
      'unsure_owner',
      (path, victim) => {
        linkTo(path, 'wp-content', victim);
        spawnSync('chown', ['-R', '0:0', path]);
      },
    ],
    [
      'uploads',
      'root_owned',
      (path, victim) => {
        spawnSync('chown', ['-R', '0:0', path]);
        linkTo(path, 'wp-content/uploads', victim);
      },
    ],
    ['one file', 'unsure_owner', (path) => spawnSync('chown', ['64001', `${path}/wp-includes/version.php`])],
  ];
  function linkTo(path: string, name: string, to: string): void {
    rmSync(join(path, name), { recursive: true, force: true });
    symlinkSync(to, join(path, name));
  }

  it.each(links)('cannot choose whose rights it gets: by %s', async (name, code, change) => {
    const victim = site(`victim of ${name}`, {}, 64_001);
    const path = site(`by ${name}`, { 'wp-load.php': recordRun, 'wp-content/x': '' });
    change(path, victim);
    await expect(boot(path)).rejects.toMatchObject({ code });
    const [state] = await scan(path);
    expect(state?.problem?.kind).toBe(code === 'root_owned' ? undefined : 'unreadable');
    const options = { php, refreshes: true, api: null };
    const { depth, problem, checks } = await inspectOrScan(host, { path, url: 'http://x.test' }, options);
    expect([depth, problem?.kind, checks.core.checked_at]).toEqual(['scan', 'unreadable', null]);
  });

  it('is not waited for by the other half of many sites', async () => {
    const clients = new Set<Socket>();
    let isWaitedFor = true;
    // A database that says nothing to one client until there is another.
    const server = createServer((client) => {
      clients.add(client.on('error', () => undefined).on('close', () => clients.delete(client)));
      if (clients.size < 2) return;
      isWaitedFor = false;
      for (const each of clients) each.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      const silent = { 'wp-config.php': config.replace(':1', `:${port}`) };
      const paths = Array.from({ length: 20 }, (_, at) => site(`half ${at}`, at % 10 === 0 ? silent : {}));
      const states = await scan(...paths);
      expect(states.map(({ core }) => core.version)).toEqual(paths.map(() => '6.1.9'));
      expect(isWaitedFor).toBe(false);
    } finally {
      server.close();
    }
  });

  /** Scans a site whose configuration and database socket are root's; `connections` counts those to the socket. */
  async function readAsRoot(path: string, binary = php) {
    let connections = 0;
    const socket = join(folder, 'only-root.sock');
    const server = createServer((client) => client.destroy(void (connections += 1))).listen(socket);
    await once(server, 'listening');
    try {
      writeFileSync(join(path, 'wp-config.php'), config.replace('127.0.0.1:1', `localhost:${socket}`));
      spawnSync('chmod', ['600', socket, join(path, 'wp-config.php')]);
      const [scanned] = await scanSites(host, [path], { php: binary });
      if (!scanned || scanned instanceof SiteFailure) throw scanned ?? new Error('unread');
      const error = scanned.databaseError ?? scanned.state.problem?.message ?? '';
      return { ...scanned.state, connections, error };
    } finally {
      server.close();
    }
  }

  it('is read as the owner of its folder if nothing else names an owner', async () => {
    const path = site('in a folder', {}, 0);
    removeFiles(path, 'wp-load.php');
    linkTo(path, 'wp-includes', join(site('of root', {}, 0), 'wp-includes'));
    chownSync(path, www, www);
    const state = await readAsRoot(path);
    expect(state).toMatchObject({ core: { version: '6.1.9' }, connections: 0 });
    expect(state.needs_boot).toContain('unreadable');
    chownSync(path, 0, 0);
    expect(await readAsRoot(path)).toMatchObject({ problem: { kind: 'unreadable' }, connections: 0 });
  });

  it('is read as root if all of it is root’s, but its database is not queried as root', async () => {
    const state = await readAsRoot(site('all of root', {}, 0));
    expect(state).toMatchObject({ problem: null, needs_boot: ['database_unreachable'], connections: 0 });
    expect(state.error).toContain('Permission denied');
  });

  it('is not read as root by a PHP that cannot act for others', async () => {
    const bare = join(folder, 'php-without-posix');
    writeFileSync(bare, '#!/bin/sh\nexec php -d disable_functions=posix_seteuid,posix_geteuid "$@"\n', { mode: 0o755 });
    const path = site('without posix');
    const state = await readAsRoot(path, bare);
    expect(state).toMatchObject({ core: { version: '6.1.9' }, needs_boot: ['database_unreachable'], connections: 0 });
    spawnSync('chown', ['-R', '0:0', path]);
    const { problem, connections } = await readAsRoot(path, bare);
    expect([problem?.kind, connections]).toEqual(['unreadable', 0]);
    expect(problem?.message).toContain('l’extension posix');
    expect(await findPhp(host, bare)).toMatchObject({ binary: php });
  });

  it('gets the groups of its owner, never those of its files; if root owns the code, the owner of its content counts', async () => {
    const ask = `setpriv --reuid=${www} --regid=${www} --init-groups grep ^Groups: /proc/self/status`;
    const { stdout } = await host.run(ask, { name: 'groups' });
    const [title, ...groups] = stdout.bytes.toString().trim().split(/\s+/);
    const own = groups.map(Number);
    expect(title).toBe('Groups:');
    expect([[], [www]]).toContainEqual(own);
    const probe = '<?php echo 1; throw new Error(json_encode([posix_geteuid(), posix_getegid(), posix_getgroups()]));';
    const path = site('groups', { 'wp-load.php': probe, 'wp-content/x': '' });
    spawnSync('chgrp', ['-R', '0', path]);
    const credentials = async () => JSON.parse((await boot(path)).state.problem?.message ?? '') as unknown;
    expect(await credentials()).toEqual([www, www, own]);
    spawnSync('chown', ['-R', '0:0', `${path}/wp-load.php`, `${path}/wp-includes`]);
    expect(await credentials()).toEqual([www, www, own]);
    spawnSync('chown', ['-R', '64999:0', path]);
    expect(await credentials()).toEqual([64_999, 65_534, []]);
    const shared = join(folder, 'shared');
    symlinkSync(`${site('a victim', {}, 64_001)}/wp-includes`, shared);
    linkTo(path, 'wp-includes', shared);
    expect(await credentials()).toEqual([64_999, 65_534, []]);
  });

  it('cannot forge our answers, whatever it prints', async () => {
    const deep = '['.repeat(20_000);
    const lie = '{"is":"found","core":{"version":"9.9"},"extensions":[],"needs_boot":[],"root":"/"}';
    const noise = `<?php
      while (ob_get_level()) { ob_end_clean(); }
      echo "\\nas\\towner\\n", ${JSON.stringify(lie)}, "\\n", str_repeat('a', 32), ${JSON.stringify(lie)}, str_repeat('a', 32), "\\n";
      echo ${JSON.stringify(deep)}, str_repeat("\\x1b]52;c;YQ==\\x07", 1000), "\\n";
      fwrite(STDERR, str_repeat('x', 300000));
      exit(0);`;
    const { state } = await boot(site('liar', { 'wp-load.php': noise }));
    expect(state).toMatchObject({ depth: 'scan', core: { version: '6.1.9' }, problem: { kind: 'ended_early' } });
  });

  it('is killed if it never ends', async () => {
    const path = site('endless', {
      'wp-load.php': "<?php file_put_contents(__DIR__ . '/pid', getmypid()); while (true) { usleep(1000); }",
    });
    const { state } = await boot(path, 3);
    expect(state.problem).toMatchObject({
      kind: 'timeout',
      message: 'WordPress n’a pas fini de démarrer en 3\u00a0s.',
    });
    const pid = readFileSync(join(path, 'pid'), 'utf8');
    // The killed process may linger as a zombie for a moment.
    await until(() => !existsSync(`/proc/${pid}`));
  });

  it('has its fatal error named by file and line', async () => {
    const files = { 'wp-load.php': "<?php throw new TypeError('Aïe');", 'wp-content/mu-plugins/garde.php': plugin };
    const { state } = await boot(site('throws', files));
    expect(state.problem).toMatchObject({
      kind: 'fatal',
      message: 'Aïe',
      file: 'wp-load.php',
      line: 1,
      culprit: { type: 'core' },
    });
    const mu = {
      'wp-load.php': "<?php require __DIR__ . '/wp-content/mu-plugins/garde.php';",
      'wp-content/mu-plugins/garde.php': '<?php\n\nif (',
    };
    const broken = await boot(site('mu', mu));
    expect(broken.state.problem).toMatchObject({
      kind: 'fatal',
      file: 'wp-content/mu-plugins/garde.php',
      line: 3,
      culprit: { type: 'must_use', slug: 'garde' },
    });
  });

  it('is found behind the link to the newest release, not in older releases', async () => {
    for (const release of ['1', '2']) site(`apps/web/releases/${release}`);
    symlinkSync('releases/2', join(folder, 'apps/web/current'));
    const { items } = await discoverSites(host, { php, extra: [join(folder, 'apps')] });
    const found = items.map(({ path }) => path).filter((path) => path.startsWith(folder));
    expect(found).toEqual([join(folder, 'apps/web/current')]);
  });

  it('is searched for in the named folders first, whose refusals no others hide', async () => {
    const close = (path: string) => mkdirSync(path, { recursive: true, mode: 0o700 });
    for (let index = 0; index < 60; index += 1) close(join(sshd.homeOf(webUser.name), `closed-${index}`));
    close(join(folder, 'named'));
    const user = await logInAsHost(sshd, webUser.name);
    const { notes } = await discoverSites(user, { php, extra: [join(folder, 'named')] });
    await user.close();
    expect(notes).toHaveLength(50);
    expect(notes[0]).toBe(`${join(folder, 'named')}/\u00a0: accès refusé.`);
  });

  it('is read by a command-line PHP only', async () => {
    const fake = join(folder, 'php-web');
    writeFileSync(
      fake,
      '#!/bin/sh\necho "Content-type: text/html"; echo; echo "8.2.1 cgi-fcgi json tokenizer mysqli"\n',
      { mode: 0o755 },
    );
    expect(await findPhp(host, fake)).toMatchObject({ binary: php, hasMysqli: true });
    await expect(scanSites(host, [folder], { php: '/nowhere/php' })).rejects.toMatchObject({ code: 'no_php' });
  });
});
