import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JobItem } from '@vigie/contracts/jobs';
import { ChangeStage, versionOf, visitPage } from '@vigie/testing/change-stage';
import { badVersion } from '@vigie/testing/fleet/bad-extensions';
import { versions } from '@vigie/testing/fleet/extensions';
import { fleetUnavailableReason, onFleet } from '@vigie/testing/fleet/machine';
import { contentOf, type FleetSite } from '@vigie/testing/fleet/sites';
import { awayFrom, type Fate, readingsFailOnce, startLossyProxy } from '@vigie/testing/lossy-proxy';
import { addToken, addUser, enableTwoFactor, totpOf } from '@vigie/testing/people';
import { distFile } from '@vigie/testing/processes';
import { admin } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const program = distFile('cli/vigie');
const script = fileURLToPath(new URL('../../../docs/examples/update-with-way-back.sh', import.meta.url));
const { installed, offered } = versions.vitrine;

type Ended = { code: number | null; stdout: string; stderr: string };
/** Without an input, what is typed is written later. */
type Options = { env?: Record<string, string>; input?: string | null };

let stage: ChangeStage;
let home: string;
let token: string;

/** Starts a program as an operator's shell would, with nothing of the environment of this process. */
function start(command: string, args: readonly string[], { env = {}, input = '' }: Options) {
  const path = [join(home, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  const child = spawn(command, args, { env: { PATH: path, HOME: home, LANG: 'fr_FR.UTF-8', ...env } });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  // A program that asks nothing may end before its input does.
  child.stdin.on('error', () => undefined);
  if (input !== null) child.stdin.end(input);
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, ...texts }));
  });
  return { child, texts, ended };
}

const access = (own = token) => ({ VIGIE_URL: stage.product.gateways[0] ?? '', VIGIE_TOKEN: own });
const vigie = (args: readonly string[], options: Options = {}) =>
  start(program, args, { env: access(), ...options }).ended;
const json = async (...args: string[]): Promise<unknown> => JSON.parse((await vigie([...args, '--json'])).stdout);

/** Starts the program at a terminal of its own. */
const startAtTerminal = (args: readonly string[], env = {}) =>
  start('script', ['-qefc', ['vigie', ...args].join(' '), '/dev/null'], { env, input: null });

async function addGroup(name: string, sites: readonly FleetSite[], parent?: string): Promise<string> {
  const { body } = await stage.ask('POST', '/groups', { name, ...(parent && { parent_id: parent }) });
  for (const each of sites) await stage.ask('PUT', `/sites/${stage.idOf(each)}`, { groups: [String(body['id'])] });
  return String(body['id']);
}

const plainSites = () => stage.fleet.sites.filter(({ kind }) => kind === 'plain');
function site(number: number): FleetSite {
  const found = plainSites()[number];
  if (!found) throw new Error('there are fewer sites');
  return found;
}
const archivesOn = (of: FleetSite, name: string) => existsSync(join(contentOf(of), 'ai1wm-backups', name));

const withFleet = onFleet(describe);
if (!fleetUnavailableReason()) {
  beforeAll(async () => {
    stage = await ChangeStage.start({ kinds: ['plain'], copies: 2 });
    home = mkdtempSync(join(tmpdir(), 'vigie-cli-'));
    mkdirSync(join(home, 'bin'));
    symlinkSync(program, join(home, 'bin/vigie'));
    token = await addToken(stage.product, stage.token, 'read', 'backup', 'restore', 'update', 'run');
  });
  afterAll(async () => {
    await stage?.stop();
    rmSync(home, { recursive: true, force: true });
  });
}

withFleet('the login', () => {
  it('exchanges the password and the code for a token that it keeps, and ends its session', async () => {
    const person = await addUser(stage.product, stage.token);
    const { secret } = await enableTwoFactor(stage.product, person.token);
    const args = ['login', access().VIGIE_URL, '--email', person.credentials.email];
    const login = await start(program, args, { input: `${person.credentials.password}\n${totpOf(secret, 1)}\n` }).ended;
    expect(login).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('Connecté') });
    const file = join(home, '.config/vigie/config.json');
    const { token: kept } = JSON.parse(readFileSync(file, 'utf8')) as { token: string };
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(login.stderr).not.toContain(kept);
    expect((await start(program, ['whoami'], {}).ended).stdout).toContain(person.credentials.email);
    const { body } = await stage.product.request('GET', '/api/auth/sessions', { token: person.token });
    expect(body['items']).toHaveLength(1);
    const { body: tokens } = await stage.product.request('GET', '/api/tokens', { token: person.token });
    expect(tokens['items']).toMatchObject([
      { name: expect.stringMatching(/^vigie sur /), scopes: ['read', 'backup', 'restore', 'update', 'dns'] },
    ]);
    const logout = await start(program, ['logout'], {}).ended;
    expect(logout).toMatchObject({ code: 0, stderr: expect.stringContaining('révoquez-le') });
    expect(await start(program, ['sites'], {}).ended).toMatchObject({ code: 3 });
  });

  it('shows nothing of a password that is typed', async () => {
    const args = ['login', access().VIGIE_URL, '--email', admin.email, '--days', '1'];
    const { child, texts, ended } = startAtTerminal(args);
    await until(() => texts.stdout.includes('Mot de passe'));
    child.stdin.write(`${admin.password}\n`);
    const { code, stdout } = await ended;
    expect([code, stdout]).toEqual([0, expect.stringContaining('Connecté')]);
    expect(stdout).not.toContain(admin.password);
    await start(program, ['logout'], {}).ended;
  });

  it('refuses a wrong password in the words of the server, and keeps nothing', async () => {
    const args = ['login', access().VIGIE_URL, '--email', admin.email];
    const login = await start(program, args, { input: 'faux-mot-de-passe\n' }).ended;
    expect(login).toMatchObject({ code: 3, stderr: expect.stringMatching(/^Mot de passe.*vigie\u00a0: \S/s) });
    expect(existsSync(join(home, '.config/vigie/config.json'))).toBe(false);
  });
});

withFleet('the command line', () => {
  it('lists and shows sites to a program', async () => {
    const { stdout, code } = await vigie(['sites', 'maj:oui']);
    expect(code).toBe(0);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0]),
    ).toEqual(expect.arrayContaining(stage.fleet.sites.map((each) => stage.idOf(each))));
    expect(await json('sites')).toHaveLength(3);
    expect(await json('site', 'show', site(0).url)).toMatchObject({ id: stage.idOf(site(0)) });
    expect(await json('servers', 'parc')).toMatchObject([{ name: 'parc', sites_count: 3 }]);
  });

  it('says what is wrong in JSON too, and never guesses a name', async () => {
    const { code, stderr, stdout } = await vigie(['site', 'show', 'nulle-part', '--json']);
    expect([code, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toMatchObject({ error: { status: null } });
    expect(await vigie(['site', 'show', '127.0.0.1'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(site(0).url),
    });
  });

  it('does only what its token may, and sees only what it may', async () => {
    const reader = await addToken(stage.product, stage.token, 'read');
    const refused = await vigie(['backup', site(0).url], { env: access(reader) });
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(refused.stderr).toContain('backup');
    const groupId = await addGroup('Étroit', [site(2)]);
    const { body } = await stage.product.request('POST', '/api/tokens', {
      token: stage.token,
      body: {
        name: 'étroit',
        scopes: ['read', 'backup'],
        group_ids: [groupId],
        expires_at: new Date(Date.now() + 60_000_000).toISOString(),
      },
    });
    const narrow = { env: access(String(body['token'])) };
    expect((await vigie(['sites'], narrow)).stdout.trim().split('\n')).toHaveLength(1);
    expect(await vigie(['backup', site(0).url], narrow)).toMatchObject({ code: 2 });
    expect(await vigie(['sites'], { env: access('vgt_wrong') })).toMatchObject({ code: 3 });
  });

  it('plans an update without making it, and asks nobody where nobody can answer', async () => {
    const args = ['update', site(0).url, '--only', 'vitrine'];
    const plan = await vigie([...args, '--plan']);
    expect(plan).toMatchObject({ code: 0, stdout: expect.stringContaining(`Vitrine\t${installed}\t${offered}`) });
    expect(await vigie(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(versionOf(site(0), 'vitrine')).toBe(installed);
  });

  it('makes only the update that the person saw', async () => {
    const { child, texts, ended } = startAtTerminal(['update', site(0).url, '--only', 'vitrine'], access());
    await until(() => texts.stdout.includes('(o/n)'));
    const { pluginsOf } = stage.fleet.wordpressOrg;
    pluginsOf.set(site(0).url, new Map([['vitrine', { version: badVersion(offered, 'front') }]]));
    await stage.refresh(site(0));
    child.stdin.write('o\n');
    expect(await ended).toMatchObject({ code: 3 });
    expect(versionOf(site(0), 'vitrine')).toBe(installed);
    pluginsOf.clear();
    await stage.refresh(site(0));
  });

  it('backs up, updates, goes back and restores', async () => {
    const backup = await vigie(['backup', site(0).url, '--download']);
    expect(backup).toMatchObject({ code: 0 });
    const [id, archive = ''] = backup.stdout.trim().split('\t');
    expect(id).toBe(stage.idOf(site(0)));
    expect(archivesOn(site(0), archive)).toBe(true);
    expect((await vigie(['backups', site(0).url])).stdout).toMatch(new RegExp(`${archive}.*Vigie`));
    const update = await vigie(['update', site(0).url, '--only', 'vitrine', '--yes']);
    expect(update).toMatchObject({ code: 0, stdout: expect.stringContaining('réussi') });
    expect((await visitPage(site(0))).text).toContain(`<!-- vitrine ${offered} -->`);
    expect(await vigie(['rollback', site(0).url, 'vitrine', '--yes'])).toMatchObject({ code: 0 });
    expect(versionOf(site(0), 'vitrine')).toBe(installed);
    expect(await vigie(['update', site(0).url, '--only', 'vitrine', '--yes', '--json'])).toMatchObject({ code: 0 });
    expect(await vigie(['restore', site(0).url, archive, '--yes'])).toMatchObject({ code: 0 });
    expect((await visitPage(site(0))).text).toContain(`<!-- vitrine ${installed} -->`);
    const local = await vigie(['restore', site(0).url, archive, '--local', '--yes', '--json']);
    expect(JSON.parse(local.stdout)).toMatchObject({ state: 'succeeded', result: { filename: archive } });
    expect(await vigie(['restore', site(0).url, 'absent.wpress', '--yes'])).toMatchObject({ code: 2 });
  });

  it('runs a command with its words as they were typed', async () => {
    const ran = await vigie(['run', site(1).url, '--yes', '--', 'printf', '%s|', "a b'c", '$HOME']);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("a b'c|$HOME|") });
    expect(await vigie(['run', site(1).url, '--yes', '--', 'echo non >&2; exit 3'])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/, 3\) ==\nnon\n/),
    });
  });

  it.each([
    ['stdout', 'exit 3', 1],
    ['stderr', 'true', 0],
  ] as const)('ends as its work does when nobody reads its %s', async (name, command, code) => {
    const { child, ended } = start(program, ['run', site(1).url, '--yes', '--', command], { env: access() });
    child[name].destroy();
    expect(await ended).toMatchObject({ code });
  });

  it('checks a site for repairs, and tells what happened', async () => {
    expect(await vigie(['repair', site(1).url])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('WordPress'),
    });
    expect((await vigie(['events', '--kind', 'backups'])).stdout).toContain('backup_create');
  });

  /** A job that lasts until the test ends it. */
  async function startLongJob(): Promise<{ id: string; end: () => void }> {
    const sign = join(site(1).path, `go-on-${Date.now()}`);
    const wait = `while [ ! -e '${sign}' ]; do sleep 0.2; done; rm '${sign}'`;
    const { code, stdout } = await vigie(['run', site(1).url, '--yes', '--detach', '--', wait]);
    expect(code).toBe(0);
    return { id: stdout.trim(), end: () => writeFileSync(sign, '') };
  }
  const hasShown = (texts: { stderr: string }) => until(() => texts.stderr.includes('0/1'));
  const interrupt = (child: ChildProcess) => child.kill('SIGINT');

  it('leaves a job that Ctrl-C no longer follows, and follows it again', async () => {
    const { id, end } = await startLongJob();
    const { child, texts, ended } = start(program, ['jobs', 'follow', id], { env: access() });
    await hasShown(texts);
    interrupt(child);
    expect(await ended).toMatchObject({ code: 4, stderr: expect.stringContaining(`vigie jobs follow ${id}`) });
    const again = start(program, ['jobs', 'follow', id], { env: access() });
    end();
    expect(await again.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('réussi') });
  });

  it('says that an order may have arrived that Ctrl-C interrupts', async () => {
    let hasArrived = false;
    const silent = createServer(() => {
      hasArrived = true;
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const { child, ended } = start(program, ['jobs', 'cancel', crypto.randomUUID()], {
      env: { ...access(), VIGIE_URL: url },
    });
    await until(() => hasArrived);
    interrupt(child);
    expect(await ended).toMatchObject({ code: 4, stderr: expect.stringContaining('vigie jobs') });
    silent.closeAllConnections();
    silent.close();
  });

  it('cancels a job, which then has failed', async () => {
    const { id } = await startLongJob();
    const { texts, ended } = start(program, ['jobs', 'follow', id], { env: access() });
    await hasShown(texts);
    expect(await vigie(['jobs', 'cancel', id])).toMatchObject({ code: 0 });
    expect(await ended).toMatchObject({ code: 1, stderr: expect.stringContaining('annulé') });
  });

  it('follows through an outage, and says that the outcome is unknown when its patience ends', async () => {
    const { id, end } = await startLongJob();
    const lost = access();
    const { texts, ended } = start(program, ['jobs', 'follow', id, '--patience', '1'], { env: lost });
    await hasShown(texts);
    await stage.product.processesOf('gateway')[0]?.kill();
    expect(await ended).toMatchObject({ code: 4, stderr: expect.stringContaining(`vigie jobs follow ${id}`) });
    expect(await vigie(['sites', '--patience', '0'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('ne répond pas'),
    });
    const patient = start(program, ['jobs', 'follow', id], { env: lost });
    await until(() => patient.texts.stderr.includes('ne répond pas'));
    await stage.product.add('gateway', { PORT: new URL(lost.VIGIE_URL).port });
    end();
    expect(await patient.ended).toMatchObject({ code: 0 });
  });
});

withFleet('the script of the documentation', () => {
  const run = (group: string, env = {}) => start(script, [group], { env: { ...access(), ...env } }).ended;
  const pages = () => Promise.all([site(1), site(2)].map(async (each) => (await visitPage(each)).text));

  /** Runs the script with a command that is less patient than a person would want. */
  async function runImpatiently(group: string, fateOf: (route: string) => Fate): Promise<Ended> {
    const folder = join(home, 'impatient');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'vigie'), `#!/bin/sh\nexec '${program}' --patience 1 "$@"\n`, { mode: 0o755 });
    const { url, stop } = await startLossyProxy(access().VIGIE_URL, fateOf);
    const path = [folder, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
    const ended = await run(group, { VIGIE_URL: url, PATH: path });
    stop();
    return ended;
  }
  const restoresOf = async (of: FleetSite) => {
    const { body } = await stage.ask('GET', `/jobs?site_id=${stage.idOf(of)}&limit=200`);
    return (body['items'] as JobItem[]).filter(({ kind }) => kind === 'backups.restore').length;
  };
  const listIn = (stderr: string) => /^archives: (.*)$/m.exec(stderr)?.[1] ?? '';

  it('restores nothing when Vigie is away after the backups, and says where their names are', async () => {
    await addGroup('Ailleurs', [site(1)]);
    const restores = await restoresOf(site(1));
    const { code, stderr } = await runImpatiently('Ailleurs', awayFrom('POST /api/updates/plan', 'away'));
    expect([code, stderr]).toEqual([1, expect.stringContaining('502')]);
    const list = listIn(stderr);
    expect(readFileSync(list, 'utf8')).toContain(stage.idOf(site(1)));
    rmSync(list);
    expect(versionOf(site(1), 'vitrine')).toBe(installed);
    expect(await restoresOf(site(1))).toBe(restores);
  });

  it('restores nothing when nobody knows whether the update was ordered', async () => {
    await addGroup('Perdu', [site(0)]);
    await stage.refresh(site(0));
    const restores = await restoresOf(site(0));
    const { code, stderr } = await runImpatiently('Perdu', awayFrom('POST /api/updates', 'lost'));
    expect(code).toBe(4);
    rmSync(listIn(stderr));
    const [batch] = (await stage.ask('GET', '/jobs?limit=1')).body['items'] as JobItem[];
    await stage.waitForJob(batch?.id ?? '');
    expect(versionOf(site(0), 'vitrine')).toBe(offered);
    expect(await restoresOf(site(0))).toBe(restores);
  });

  describe('for a group with names that a shell would take apart', () => {
    const groupName = `Clients d'«\u00a0été\u00a0» "2026" $HOME`;
    beforeAll(async () => {
      const parent = await addGroup(groupName, [site(1)]);
      await addGroup('Dupont', [site(2)], parent);
      await stage.ask('PUT', `/sites/${stage.idOf(site(1))}`, { name: `Chez l'ami "Bob"  *\u00a0` });
    });
    afterEach(() => stage.fleet.wordpressOrg.pluginsOf.clear());

    it('puts the sites of a group back as they were when an update fails', async () => {
      const offer = { version: badVersion(offered, 'fatal') };
      stage.fleet.wordpressOrg.pluginsOf.set(site(2).url, new Map([['vitrine', offer]]));
      await stage.refresh(site(2));
      const { url, stop } = await startLossyProxy(access().VIGIE_URL, readingsFailOnce());
      const failed = await run(groupName, { VIGIE_URL: url });
      stop();
      expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^archives: /m) });
      rmSync(listIn(failed.stderr));
      for (const page of await pages()) expect(page).toContain(`<!-- vitrine ${installed} -->`);
      const { installed: other } = versions.formulaire;
      expect([site(1), site(2)].map((each) => versionOf(each, 'formulaire'))).toEqual([other, other]);
    });

    it('updates the sites of a group when nothing fails', async () => {
      await Promise.all([site(1), site(2)].map((each) => stage.refresh(each)));
      expect(await run(groupName)).toMatchObject({ code: 0, stderr: expect.not.stringContaining('archives: ') });
      for (const page of await pages()) expect(page).toContain(`<!-- vitrine ${offered} -->`);
    });
  });

  it('changes nothing when a name is wrong', async () => {
    const { code, stderr } = await run('Personne');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Personne')]);
    expect(stderr).not.toContain('archives: ');
  });
});
