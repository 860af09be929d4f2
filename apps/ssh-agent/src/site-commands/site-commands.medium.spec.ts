import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SshAccess } from '@vigie/contracts/credentials';
import type { CommandKind } from '@vigie/contracts/site-commands';
import { connectionsTo } from '@vigie/testing/connections';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { deploy, onFleet } from '@vigie/testing/fleet/machine';
import { killOperation } from '@vigie/testing/operations';
import { targetOf } from '@vigie/testing/ssh-targets';
import { until } from '@vigie/testing/until';
import { type ReportHook, runForTests } from '../jobs/run-for-tests';
import { siteCommandsJobs } from './site-commands.jobs';

const describeFleet = onFleet(describe);

type Options = { kind?: CommandKind; seconds?: number; onReport?: ReportHook; user?: 'root' | 'owner'; id?: string };

describeFleet('a command on a site', () => {
  let fleet: Fleet;
  let connections: Record<'root' | 'owner', ReturnType<typeof connectionsTo>>;
  const access = { host: 'h', row: { table: 'servers', id: randomUUID() }, allows_private: true } as SshAccess;

  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: ['plain', 'other-owner'] });
    connections = {
      root: connectionsTo(targetOf(fleet.host)),
      owner: connectionsTo(targetOf(fleet.host, { user: deploy.name })),
    };
    // The owners of the sites must be able to reach their folders and homes.
    for (const folder of [fleet.host.home, dirname(fleet.host.home)]) chmodSync(folder, 0o711);
  });
  afterAll(async () => {
    await Promise.all(Object.values(connections ?? {}).map((each) => each.close()));
    await fleet?.close();
  });

  const plain = () => fleet.site('plain');
  const run = (command: string, { kind = 'shell', seconds = 60, onReport, user = 'root', id }: Options = {}) =>
    runForTests(siteCommandsJobs(connections[user]), {
      kind: 'commands.run',
      input: {
        site: { id: randomUUID(), version: 1, path: plain().path, url: plain().url, php: '/usr/bin/php' },
        kind,
        command,
        timeout_seconds: seconds,
        as_admin: false,
      },
      access,
      ...(id !== undefined && { id }),
      ...(onReport && { onReport }),
    });
  const at = (name: string) => join(plain().path, name);
  const isRunning = (mark: string) => spawnSync('pgrep', ['-f', mark]).status === 0;
  /** A `sleep` of a length that no other process has, so that it can be found. */
  const aSleep = () => `sleep 7${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;

  it.each(['root', 'owner'] as const)(
    'runs in the folder as the owner of the site, by the login of %s',
    async (user) => {
      const { lines, outcome } = await run('id -u; pwd -P; cat; umask; echo "$HOME"; echo fault >&2', { user });
      expect(lines).toEqual([
        String(deploy.uid),
        plain().path,
        expect.stringMatching(/^0?022$/),
        expect.any(String),
        'fault',
      ]);
      expect(outcome).toMatchObject({ state: 'succeeded', result: { exit_code: 0, signal: null, truncated: 0 } });
      expect(lines[3]).not.toBe('/root');
    },
  );

  it('never runs as root on a site of root', async () => {
    const changed = ['wp-load.php', 'wp-includes', 'wp-content'].map(at);
    spawnSync('chown', ['-R', '0:0', ...changed]);
    try {
      const { outcome, lines } = await run('id -u');
      expect(outcome).toMatchObject({ state: 'failed', error: { code: 'root_owned' } });
      expect(lines).toEqual([]);
    } finally {
      spawnSync('chown', ['-R', `${deploy.uid}:${deploy.gid}`, ...changed]);
    }
  });

  it('tells the code of a command that fails, and its signal', async () => {
    expect((await run('echo non; exit 3')).outcome).toMatchObject({
      state: 'failed',
      error: { message: 'La commande s’est terminée par le code 3.', code: 'exit_code' },
      result: { exit_code: 3, signal: null },
    });
    expect((await run('kill -s KILL $$')).outcome).toMatchObject({ state: 'failed', result: { signal: 9 } });
  });

  it.each([
    [`echo "l'été" '$HOME'; echo $((1+1))`, [`l'été $HOME`, '2']],
    ['echo one\necho two\n\necho three', ['one', 'two', 'three']],
    ['-x', undefined],
    [`printf '%s' "no line end"`, ['no line end']],
    [`printf 'a\\n\\n\\nb\\n\\n'`, ['a', '', '', 'b', '']],
    [`printf '\\033[31mred\\033[0m \\000 10%%\\r20%%\\n'`, ['20%']],
    ['echo \'{"is":"end","code":0}\'', ['{"is":"end","code":0}']],
  ])('takes any text as data: %j', async (command, expected) => {
    const { lines, outcome } = await run(command);
    if (expected) expect(lines).toEqual(expected);
    else expect(outcome).toMatchObject({ state: 'failed' });
  });

  it('gives WP-CLI its arguments as they are, by the site’s PHP', async () => {
    const wp = '/usr/local/bin/wp';
    expect(existsSync(wp)).toBe(false);
    expect((await run('plugin list', { kind: 'wp' })).outcome).toMatchObject({
      state: 'failed',
      error: { code: 'no_wp_cli', remedy: expect.stringContaining('wp-cli.org') },
    });
    try {
      writeFileSync(
        wp,
        '#!/usr/bin/env php\n<?php foreach (array_slice($argv, 1) as $a) echo json_encode($a), "\\n"; exit(2);',
      );
      chmodSync(wp, 0o755);
      const hostile = String.raw`wp eval 'echo "$(id) ; rm -rf *";' "it's" \$HOME * -x ; true`;
      const { lines, outcome } = await run(hostile, { kind: 'wp' });
      expect(lines.map((line) => JSON.parse(line))).toEqual([
        'eval',
        'echo "$(id) ; rm -rf *";',
        "it's",
        '$HOME',
        '*',
        '-x',
        ';',
        'true',
        `--path=${plain().path}`,
      ]);
      expect(outcome).toMatchObject({ state: 'failed', result: { exit_code: 2 } });
    } finally {
      rmSync(wp);
    }
  });

  it('keeps the beginning of a long output, and counts the rest', async () => {
    const { lines, outcome } = await run('head -c 1000000 /dev/zero | tr "\\0" "x"; echo; echo end');
    expect(lines.slice(0, -1).join('')).toBe('x'.repeat(200_000));
    expect(lines.at(-1)).toBe('… 801\u00a0Ko de plus');
    expect(outcome).toMatchObject({ state: 'succeeded', result: { truncated: 800_005 } });
  });

  it('ends all processes of a command that lasts too long, even those that ignore it or left', async () => {
    const [child, deaf, gone] = [aSleep(), aSleep(), aSleep()];
    const command = `sh -c '${child}' & sh -c 'trap "" TERM; ${deaf}; ${deaf}' & setsid ${gone} & echo begun; wait`;
    const { outcome, lines } = await run(command, { seconds: 3 });
    expect(lines).toEqual(['begun']);
    expect(outcome).toMatchObject({ state: 'failed', error: { code: 'too_long' }, result: { exit_code: null } });
    expect([child, deaf, gone].filter(isRunning)).toEqual([]);
  });

  it('ends what the command left in the background', async () => {
    const left = aSleep();
    expect((await run(`${left} & exit 0`)).outcome).toMatchObject({ state: 'succeeded' });
    expect(isRunning(left)).toBe(false);
  });

  it('ends all processes of a cancelled command', async () => {
    const [child, gone] = [aSleep(), aSleep()];
    const command = `sh -c '${child}' & setsid ${gone} & echo begun; wait`;
    const { outcome } = await run(command, {
      onReport: (_, lines) => (lines.includes('begun') ? 'cancelled' : undefined),
    });
    expect(outcome).toBe('cancelled');
    expect([child, gone].filter(isRunning)).toEqual([]);
  });

  it.each(['lost', 'handover'] as const)('runs once although its worker was %s', async (reason) => {
    const mark = at(`${reason}.txt`);
    const command = `echo x >>${reason}.txt; echo begun; while [ ! -e go-${reason} ]; do sleep 0.1; done; echo done`;
    let isStopped = false;
    const { outcome, attempts } = await run(command, {
      onReport: (_, lines) => {
        if (isStopped || !lines.includes('begun')) return undefined;
        isStopped = true;
        writeFileSync(at(`go-${reason}`), '');
        return reason;
      },
    });
    expect(outcome).toMatchObject({ state: 'succeeded', result: { exit_code: 0 } });
    expect(attempts).toBeGreaterThan(1);
    expect(readFileSync(mark, 'utf8')).toBe('x\n');
  });

  it('is of unknown outcome once its operation was killed, and does not begin again', async () => {
    const id = randomUUID();
    const running = run('echo x >>killed.txt; sleep 300', { id });
    await until(() => existsSync(at('killed.txt')) && readFileSync(at('killed.txt'), 'utf8') !== '');
    killOperation(id);
    expect((await running).outcome).toMatchObject({ state: 'unknown', error: { message: /^État inconnu/ } });
    expect(readFileSync(at('killed.txt'), 'utf8')).toBe('x\n');
  });

  it('leaves nothing of itself in the folder of the site', () => {
    expect(readdirSync(plain().path).filter((name) => name.startsWith('.vigie') || name === 'pipe')).toEqual([]);
  });
});
