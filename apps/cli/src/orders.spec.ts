import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Api } from './api';
import { parseArguments } from './arguments';
import { Cli } from './cli';
import { commands } from './commands';
import { globalOptions } from './options';
import { exitCodes, Failure } from './failures';
import { Output } from './output';
import { Prompt } from './prompt';

const at = '2026-11-29T01:00:00.000Z';
const idOf = (n: number) => `0199d0a0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const jobId = idOf(90);

const siteLine = (n: number) => ({
  id: idOf(n),
  name: `Site ${n}`,
  url: `https://site${n}.fr`,
  groups: [],
  connection: {
    method: 'ssh',
    ssh: {
      server_id: null,
      server_name: null,
      host: null,
      port: null,
      user: null,
      wp_path: null,
      has_password: false,
      has_key: false,
      public_key: null,
      host_key: null,
      effective: null,
    },
  },
  status: 'ok',
  ssh_error: null,
  problem: null,
  http: null,
  wpCore: { version: '6.8', hasUpdate: false, new_version: null },
  php_version: null,
  updates: null,
  plugins_count: null,
  themes_count: null,
  last_backup_at: null,
  read_at: null,
});

const jobItem = (id: string, state: string, site: number | null = null) => ({
  id,
  kind: 'changes.update',
  site_id: site === null ? null : idOf(site),
  site_name: site === null ? null : `Site ${site}`,
  server_id: null,
  server_name: null,
  state,
  progress: null,
  error: null,
  created_at: at,
  started_at: at,
  finished_at: at,
  attempts: 1,
  actor_name: null,
  batch_id: null,
  retry_of: null,
  is_cancelling: false,
  counts: null,
});
const job = (id: string, state: string, fields: object = {}) => ({
  ...jobItem(id, state),
  log: [],
  result: null,
  ...fields,
});
const none = { total: 2, queued: 0, running: 0, succeeded: 0, failed: 0, cancelled: 0, unknown: 0 };
const batch = (state: string, counts: object) => job(jobId, state, { counts: { ...none, ...counts } });

const planned = (site: number, slug: string, refusal: string | null = null) => ({
  site_id: idOf(site),
  site_name: `Site ${site}`,
  kind: 'plugin',
  slug,
  name: slug,
  from: '1',
  to: '2',
  command: '',
  warnings: [],
  refusal,
});
const plan = (...items: object[]) => ({ items, disks: [], notes: [], left_out: 0 });
const ticket = { job_id: jobId, state: 'queued' };

/** A reply is a body, or the status of an answer without one, or a function that gives the next of them. */
type Replies = Record<string, unknown>;
const away = 502;
/** As when a server starts anew behind its proxy. */
function afterOutage(reply: unknown): () => unknown {
  let tries = 0;
  return () => (tries++ === 0 ? away : reply);
}

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server that gives each route its reply. */
async function serve(routes: Replies): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  server = createServer((request, response) => {
    const route = `${request.method} ${(request.url ?? '').split('?')[0]?.slice('/api'.length)}`;
    seen.push(route);
    const given = routes[route];
    const reply: unknown = typeof given === 'function' ? (given as () => unknown)() : given;
    request.resume().on('end', () => {
      const status = typeof reply === 'number' ? reply : reply === undefined ? 404 : 200;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(status === 200 ? reply : {}));
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** Runs a command line against these replies, as `main` does. */
async function vigie(argv: readonly string[], routes: Replies, seconds = '0') {
  const { url, seen } = await serve({ 'GET /sites': [1, 2].map(siteLine), 'POST /updates': ticket, ...routes });
  const { command, ...given } = parseArguments(['--patience', seconds, ...argv], commands, globalOptions);
  if (!command) throw new Error('no such command');
  const texts = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof texts) => ({
    on: () => undefined,
    write: (text: string) => (texts[name] += text),
  });
  const settings = { isJson: given.options.has('json'), mayRedraw: false };
  const output = new Output(stream('stdout'), stream('stderr'), settings);
  const env = { url, token: 'vgt_secret_of_a_test', noColor: true, isDumb: false };
  const cli = new Cli(
    given,
    { ...env, configHome: undefined, home: undefined, locale: undefined },
    'en',
    output,
    new Prompt(process.stdin, process.stderr),
    (access, patience) => new Api(access, undefined, patience),
  );
  const run = await command.load();
  const code = await run(cli).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    texts.stderr += error.words.en;
    return exitCodes[error.ending];
  });
  return { code, seen, ...texts };
}

const update = ['update', 'site 1', 'site 2', '--yes'];

describe('an update that is narrowed', () => {
  it.each(['', ','])('to nothing (%j) is none of everything', async (only) => {
    const { code, seen } = await vigie([...update, '--only', only], {});
    expect([code, seen]).toEqual([exitCodes.usage, []]);
  });

  it('to a slug without an update is not ordered, not even in part', async () => {
    const routes = { 'POST /updates/plan': plan(planned(1, 'shop')) };
    const { code, seen, stderr } = await vigie([...update, '--only', 'shop,shpo'], routes);
    expect([code, stderr]).toEqual([exitCodes.usage, expect.stringContaining('shpo')]);
    expect(seen).not.toContain('POST /updates');
  });
});

describe('what is left out of an order', () => {
  const routes = {
    'POST /updates/plan': plan(planned(1, 'shop'), planned(2, 'forms', 'It needs a licence.')),
    [`GET /jobs/${jobId}`]: job(jobId, 'succeeded'),
  };

  it('is named and keeps it from being all done', async () => {
    const { code, stderr } = await vigie(update, routes);
    expect([code, stderr]).toEqual([exitCodes.failed, expect.stringContaining('Left out: Site 2, forms. It needs')]);
  });

  it('stands in the JSON, of a detached order too', async () => {
    const left = [
      { site_id: idOf(2), site_name: 'Site 2', kind: 'plugin', slug: 'forms', refusal: 'It needs a licence.' },
    ];
    for (const more of [[], ['--detach']]) {
      const { code, stdout } = await vigie([...update, '--json', ...more], routes);
      expect([code, JSON.parse(stdout)]).toEqual([exitCodes.failed, expect.objectContaining({ left_out: left })]);
    }
  });

  it('is told where a plan has no room for it', async () => {
    const crowded = { ...plan(planned(1, 'shop')), left_out: 3 };
    const { code, stderr } = await vigie(update, { ...routes, 'POST /updates/plan': crowded });
    expect([code, stderr]).toEqual([exitCodes.failed, expect.stringContaining('3 further lines')]);
  });

  it('is told of a command too, whose plan nobody was asked about', async () => {
    const items = [1, 2].map((n) => ({
      site_id: idOf(n),
      site_name: `Site ${n}`,
      url: '',
      refusal: n === 2 ? 'No shell.' : null,
    }));
    const { code, stderr } = await vigie(['run', 'site 1', 'site 2', '--yes', '--', 'true'], {
      ...routes,
      'POST /sites/commands/plan': { items },
      'POST /sites/commands': ticket,
    });
    expect([code, stderr]).toEqual([exitCodes.failed, expect.stringContaining('Left out: Site 2. No shell.')]);
  });
});

describe('a detached order', () => {
  it('prints the id of its job and nothing else', async () => {
    const { code, stdout, stderr } = await vigie([...update, '--detach'], {
      'POST /updates/plan': plan(planned(1, 'shop')),
    });
    expect([code, stdout]).toEqual([exitCodes.done, `${jobId}\n`]);
    expect(stderr).toContain('shop');
  });

  it('leaves its plan to a person who asks for that', async () => {
    const { stdout, seen } = await vigie(['update', 'site 1', '--plan', '--detach'], {
      'POST /updates/plan': plan(planned(1, 'shop')),
    });
    expect(stdout).toContain('shop');
    expect(seen).not.toContain('POST /updates');
  });

  it.each([[['backup', 'site 1', '--download', '--detach']], [['repair', 'site 1', '--detach']]])(
    'is refused where something must follow it: %j',
    async (argv) => {
      const { code, seen } = await vigie(argv, {});
      expect([code, seen]).toEqual([exitCodes.usage, []]);
    },
  );
});

describe('the end of a job', () => {
  const ended = (reply: unknown, more: Replies = {}) => ({
    'POST /updates/plan': plan(planned(1, 'shop')),
    [`GET /jobs/${jobId}`]: reply,
    'GET /jobs': { items: [] },
    ...more,
  });

  it.each([
    ['succeeded', { succeeded: 2 }, exitCodes.done],
    ['failed', { succeeded: 1, failed: 1 }, exitCodes.failed],
    ['failed', { failed: 1, unknown: 1 }, exitCodes.unknown],
    ['cancelled', { cancelled: 2 }, exitCodes.failed],
  ])('is that of its batch: %s of %j', async (state, counts, wanted) => {
    expect((await vigie(update, ended(batch(state, counts)))).code).toBe(wanted);
  });

  it.each([
    ['succeeded', exitCodes.done],
    ['failed', exitCodes.failed],
  ])('stays what it is when the report of it is lost: %s', async (state, wanted) => {
    const routes = ended(batch(state, { [state]: 2 }), { 'GET /jobs': away });
    expect(await vigie(update, routes)).toMatchObject({ code: wanted, stderr: expect.stringContaining('502') });
    const { code, stdout } = await vigie([...update, '--json'], routes);
    expect([code, JSON.parse(stdout)]).toEqual([wanted, expect.objectContaining({ id: jobId, left_out: [] })]);
  });

  it.each([
    ['a proxy', away, exitCodes.unknown],
    ['another shape', { what: 1 }, exitCodes.unknown],
    ['a refusal', 403, exitCodes.refused],
    ['no such job', 404, exitCodes.usage],
  ])('is not called a failure when it cannot be read: %s', async (_, reply, wanted) => {
    expect((await vigie(['jobs', 'follow', jobId], { [`GET /jobs/${jobId}`]: reply })).code).toBe(wanted);
  });

  it('is read through an outage', async () => {
    const routes = { [`GET /jobs/${jobId}`]: afterOutage(job(jobId, 'succeeded')) };
    expect(await vigie(['jobs', 'follow', jobId], routes, '9')).toMatchObject({
      code: exitCodes.done,
      stderr: expect.stringContaining('502'),
    });
  });
});

describe('a backup', () => {
  const archive = (n: number) =>
    job(idOf(n), 'succeeded', { site_id: idOf(n - 90), result: { filename: `a${n}.wpress`, size: 1 } });
  const routes = {
    'POST /sites/batches/backup': ticket,
    [`GET /jobs/${jobId}`]: batch('succeeded', { succeeded: 2 }),
    'GET /jobs': { items: [1, 2].map((n) => jobItem(idOf(90 + n), 'succeeded', n)) },
    [`GET /jobs/${idOf(91)}`]: archive(91),
    [`GET /jobs/${idOf(92)}`]: archive(92),
  };
  const backup = ['backup', 'site 1', 'site 2'];

  it('names the archive of each site', async () => {
    const { code, stdout } = await vigie(backup, routes);
    expect(code).toBe(exitCodes.done);
    expect(stdout).toMatch(new RegExp(`^${idOf(1)}\ta91.wpress\t[^\n]*\n${idOf(2)}\ta92.wpress\t[^\n]*\n$`));
  });

  it.each([
    ['the list of jobs is', { 'GET /jobs': away }],
    ['one job is', { [`GET /jobs/${idOf(92)}`]: away }],
    ['the name of the archive is', { [`GET /jobs/${idOf(92)}`]: job(idOf(92), 'succeeded') }],
  ])('is not done when %s missing, so that nothing follows it', async (_, missing) => {
    const { code, stdout } = await vigie(backup, { ...routes, ...missing });
    expect(code).toBe(exitCodes.failed);
    expect(stdout.split('\t')).toEqual('GET /jobs' in missing ? [''] : expect.arrayContaining(['a91.wpress']));
  });
});

describe('a restore', () => {
  const copy = (site: number) => ({
    filename: 'a.wpress',
    size: 1,
    createdAt: at,
    created: at,
    location: 'Local',
    site_id: idOf(site),
    site_name: `Site ${site}`,
    goes_at: null,
    sha256: 'a'.repeat(64),
    verified: null,
  });
  const restore = ['restore', 'site 1', 'a.wpress', '--local', '--yes', '--detach'];
  const order = `POST /sites/${idOf(1)}/backups/a.wpress/restore`;

  it.each([
    [1, exitCodes.done],
    [2, exitCodes.usage],
  ])('of a copy takes only that of the site: of site %i ends as %i', async (site, wanted) => {
    const routes = { [`GET /sites/${idOf(1)}/backups/local`]: [copy(site)], [order]: ticket };
    const { code, seen } = await vigie(restore, routes);
    expect(code).toBe(wanted);
    expect(seen.includes(order)).toBe(wanted === exitCodes.done);
  });
});
