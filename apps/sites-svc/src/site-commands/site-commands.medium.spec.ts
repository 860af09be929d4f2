import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimJob, finishJob, noteJob, releaseJob, renewJobs } from '@vigie/contracts/jobs';
import { connectBus } from '@vigie/testing/bus';
import { emptyTables } from '@vigie/testing/database';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';

type User = Pick<Awaited<ReturnType<typeof addUser>>, 'id' | 'token'>;
type Line = { site_id: string; refusal: string | null };
type Row = { id: string; state: string; attempts: number; fence: number; error: { message: string } | null };

const host = 'web.exemple.fr';

let product: TestProduct;
let agent: Awaited<ReturnType<typeof connectBus>>;
let owner: User;
let guest: User;
let stranger: User;
let admin: User;
let id: string;

beforeAll(async () => {
  // Without an agent of its own a job waits until the test claims it.
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc']);
  agent = await connectBus(product.keys['ssh-agent']);
  const root = await product.login();
  [owner, guest, stranger] = [await addUser(product, root), await addUser(product, root), await addUser(product, root)];
  admin = await addUser(product, root, 'admin');
});
afterAll(async () => {
  await agent?.close();
  await product?.stop();
});
beforeEach(async () => {
  await emptyTables(product.database, 'sites.jobs', 'sites.sites', 'sites.servers', 'sites.groups', 'sites.activity');
  id = await addSite();
  await share(id, 'manager');
});

const secret = 'echo le-texte-de-la-commande';
const ask = (method: string, path: string, body: object | undefined, { token }: User, headers = {}) =>
  product.request(method, `/api${path}`, { token, headers, ...(body && { body }) });

/** A site with a password that no agent has sealed: none connects to it. */
async function addSite(address: string = host, user = owner): Promise<string> {
  const { rows } = await product.database.query<{ id: string }>(
    `insert into sites.sites (id, owner_id, name, url, host, login, wp_path, method, credential, credential_for, host_key)
     values (gen_random_uuid(), $1, 'vitrine', 'https://exemple.fr', $2::text, 'www', '/srv/www', 'password',
       '{"protected": "", "iv": "", "ciphertext": "", "tag": ""}',
       jsonb_build_object('host', $2::text, 'port', 22, 'user', 'www'), 'SHA256:' || $2::text) returning id`,
    [user.id, address],
  );
  return String(rows[0]?.id);
}
const share = async (siteId: string, role: string) =>
  (await ask('POST', '/grants', { site_id: siteId, user_id: guest.id, role }, owner)).body;

const order = (siteIds: readonly string[], more: object = {}) => ({
  site_ids: siteIds,
  kind: 'shell',
  command: secret,
  timeout_seconds: 60,
  ...more,
});
const plan = (user = guest, siteIds = [id], more = {}) =>
  ask('POST', '/sites/commands/plan', order(siteIds, more), user);
const run = (user = guest, siteIds = [id], more = {}, headers = {}) =>
  ask('POST', '/sites/commands', order(siteIds, { expected: siteIds, ...more }), user, headers);
const refusals = async (user: User, siteIds: readonly string[]) => {
  const { body } = await plan(user, [...siteIds]);
  return Object.fromEntries((body['items'] as Line[]).map((line) => [line.site_id, line.refusal]));
};

const jobs = async () =>
  (
    await product.database.query(
      'select id, state, attempts, fence, error from sites.jobs where not is_batch order by created_at, id',
    )
  ).rows as Row[];
const onlyJob = async () => (await jobs())[0] as Row;

/** Claims the only job as an agent does. */
async function claim() {
  await until(async () => (await onlyJob()).attempts === 1);
  const { id: jobId, attempts } = await onlyJob();
  return (await agent.call(claimJob, { id: jobId, attempt: attempts, agent: 'a', kinds: ['commands.run'] })).job;
}

async function start(user = guest): Promise<{ batch: string; job: { id: string; fence: number } }> {
  const { status, text, body } = await run(user);
  if (status !== 202) throw new Error(text);
  const job = await claim();
  if (!job) throw new Error('not claimed');
  return { batch: String(body['job_id']), job: { id: job.id, fence: job.fence } };
}

/** The owner by a token of theirs. */
async function tokenOf(scope: string, groupIds: string[] | null = null): Promise<User & { tokenId: string }> {
  const wish = { name: 'essai', scopes: ['read', scope], group_ids: groupIds };
  const expires = new Date(Date.now() + 86_400_000).toISOString();
  const { body } = await ask('POST', '/tokens', { ...wish, expires_at: expires }, owner);
  return { ...owner, token: String(body['token']), tokenId: String(body['id']) };
}

describe('who may run commands', () => {
  it('are the owner, a manager and an administrator; others see no more than before', async () => {
    for (const user of [owner, guest]) expect(await refusals(user, [id])).toEqual({ [id]: null });
    expect((await plan(admin)).status).toBe(404);
    expect((await ask('POST', '/sites/commands/plan', order([id]), admin, { 'x-admin-mode': '1' })).status).toBe(200);
    expect([(await plan(stranger)).status, (await run(stranger)).status]).toEqual([404, 404]);
    for (const role of ['operator', 'viewer']) {
      await share(id, role);
      expect([(await plan()).status, (await run()).status]).toEqual([403, 403]);
    }
    expect(await jobs()).toEqual([]);
  });

  it('is no manager whose login reaches a site of somebody else, in a sentence that names nothing', async () => {
    const free = await addSite('seul.exemple.fr');
    await share(free, 'manager');
    await addSite(host, stranger);
    const found = await refusals(guest, [id, free]);
    expect(found).toEqual({ [free]: null, [id]: expect.stringContaining('atteint plus que ce qui est partagé') });
    expect(JSON.stringify(found)).not.toContain(host);
    expect((await run(guest, [id, free])).status).toBe(409);
    expect((await run(guest, [id, free], { expected: [free] })).status).toBe(202);
    expect(await jobs()).toHaveLength(1);
    expect((await run(guest)).status).toBe(403);
    expect(await refusals(owner, [id])).toEqual({ [id]: null });
  });

  it('is no manager before the key of the host is pinned: it may be a machine of others by another name', async () => {
    const unpin = () => product.database.query('update sites.sites set host_key = null where id = $1', [id]);
    await run();
    await unpin();
    expect(await refusals(guest, [id])).toEqual({ [id]: 'Testez d’abord la connexion de ce site.' });
    expect((await run()).status).toBe(409);
    expect(await claim()).toBeNull();
    expect(await onlyJob()).toMatchObject({ state: 'failed', error: { code: 'forbidden' } });
    expect(await refusals(owner, [id])).toEqual({ [id]: null });
    const inAdminMode = await ask('POST', '/sites/commands/plan', order([id]), admin, { 'x-admin-mode': '1' });
    expect(inAdminMode.body['items']).toMatchObject([{ refusal: null }]);
  });

  it('is no token that is narrowed to groups or lacks the scope', async () => {
    const group = String((await ask('POST', '/groups', { name: 'clients' }, owner)).body['id']);
    await ask('PUT', `/sites/${id}`, { groups: [group] }, owner);
    const statuses = async (user: User) => [(await plan(user)).status, (await run(user)).status];
    expect(await statuses(await tokenOf('run'))).toEqual([200, 202]);
    expect(await statuses(await tokenOf('update'))).toEqual([403, 403]);
    expect(await statuses(await tokenOf('run', [group]))).toEqual([403, 403]);
    expect(await jobs()).toHaveLength(1);
  });

  it('is told without details where the connection cannot be used', async () => {
    await product.database.query("update sites.sites set host = 'ailleurs.exemple.fr' where id = $1", [id]);
    expect(await refusals(guest, [id])).toEqual({ [id]: 'Vigie n’arrive pas à se connecter à ce site.' });
    expect((await refusals(owner, [id]))[id]).toContain('a changé depuis que son mot de passe a été donné');
  });
});

describe('an order', () => {
  it.each([
    ['an empty command', { command: '' }],
    ['a blank command', { command: ' \n' }],
    ['a NUL', { command: 'a\0b' }],
    ['too long a command', { command: 'x'.repeat(10_001) }],
    ['another kind', { kind: 'php' }],
    ['WP-CLI without arguments', { kind: 'wp', command: 'wp' }],
    ['an open quote for WP-CLI', { kind: 'wp', command: 'option get "blogname' }],
    ['too short a time limit', { timeout_seconds: 9 }],
    ['too long a time limit', { timeout_seconds: 3_601 }],
    ['no site', { site_ids: [] }],
    ['no plan', { expected: undefined }],
  ])('is refused with %s', async (_, fault) => {
    expect([400, 422]).toContain((await run(owner, [id], fault)).status);
    expect(await jobs()).toEqual([]);
  });

  it('is made once for one idempotency key, and again for another', async () => {
    const send = async (key: string) => (await run(owner, [id], {}, { 'idempotency-key': key })).body['job_id'];
    expect(await send('0198aaaa-0000-7000-8000-000000000001')).toBe(await send('0198aaaa-0000-7000-8000-000000000001'));
    expect(await jobs()).toHaveLength(1);
    await send('0198aaaa-0000-7000-8000-000000000002');
    expect(await jobs()).toHaveLength(2);
  });

  it('is answered as before when it is repeated after a right has changed', async () => {
    const key = { 'idempotency-key': '0198aaaa-0000-7000-8000-000000000003' };
    const free = await addSite('seul.exemple.fr');
    await share(free, 'manager');
    const send = async () => (await run(guest, [id, free], {}, key)).body['job_id'];
    const first = await send();
    expect(first).toEqual(expect.any(String));
    await addSite(host, stranger);
    expect(await send()).toBe(first);
    expect(await jobs()).toHaveLength(2);
  });

  it('excludes other changes of the site, and takes one place of its server in a queue of its own', async () => {
    await run(owner);
    const { rows } = await product.database.query(
      'select is_exclusive, is_heavy, queue from sites.jobs where not is_batch',
    );
    expect(rows).toEqual([{ is_exclusive: true, is_heavy: true, queue: 'site-commands' }]);
  });

  it('keeps the whole command in the audit, and how it ended on each site', async () => {
    const command = `${secret} ${'x'.repeat(500)}`;
    await run(guest, [id], { command });
    const job = await claim();
    await agent.call(finishJob, {
      id: job?.id ?? '',
      fence: job?.fence ?? 0,
      state: 'failed',
      result: { exit_code: 3, signal: null, ms: 5, truncated: 0 },
      error: { message: 'La commande s’est terminée par le code 3.' },
    });
    const { rows } = await product.database.query(
      "select actor_id, target, details::jsonb as details from sites.audit_lines where action = 'site_command' order by id desc limit 2",
    );
    expect(rows).toMatchObject([
      { actor_id: guest.id, target: 'vitrine', details: { state: 'failed', exit_code: 3, job_id: job?.id } },
      { actor_id: guest.id, target: 'vitrine', details: { command, kind: 'shell', sites: 1, site_ids: [id] } },
    ]);
  });
});

describe('a command that waits', () => {
  const forbidden =
    'La personne qui a demandé cette commande n’en a plus le droit sur ce site\u00a0: rien n’a été lancé.';
  /** What became of the job, and whether an agent got it. */
  const atStart = async () => {
    const claimed = await claim();
    return { ...(await onlyJob()), claimed };
  };
  const refused = { claimed: null, state: 'failed', error: { message: forbidden } };

  it.each<[string, (grant: string) => Promise<unknown>]>([
    ['the grant has ended', (grant) => ask('DELETE', `/grants/${grant}`, undefined, owner)],
    ['the grant is for less', () => share(id, 'operator')],
    ['the login reaches a site of somebody else', () => addSite(host, stranger)],
  ])('does not run once %s', async (_, change) => {
    const { id: grant } = await share(id, 'manager');
    expect((await run()).status).toBe(202);
    await change(String(grant));
    expect(await atStart()).toMatchObject(refused);
  });

  it('does not run for an administrator who is none any more', async () => {
    const { status } = await ask('POST', '/sites/commands', order([id], { expected: [id] }), admin, {
      'x-admin-mode': '1',
    });
    expect(status).toBe(202);
    await product.database.query('update sites.owners set is_admin = false where user_id = $1', [admin.id]);
    expect(await atStart()).toMatchObject(refused);
    await product.database.query('update sites.owners set is_admin = true where user_id = $1', [admin.id]);
  });
});

describe('a command that has begun', () => {
  it('is handed to the next agent only to be stopped, once its author has lost the right', async () => {
    const { id: grant } = await share(id, 'manager');
    const { job } = await start();
    const claimAgain = async () => {
      await agent.call(releaseJob, { ...(await lease()), wait_ms: 0, reason: 'Le serveur ne répond pas.' });
      const before = claims++;
      await until(async () => (await onlyJob()).attempts === before + 1);
      return (await agent.call(claimJob, { id: job.id, attempt: claims, agent: 'b', kinds: ['commands.run'] })).job;
    };
    let claims = 1;
    const lease = async () => ({ id: job.id, fence: (await onlyJob()).fence });
    expect(await claimAgain()).toMatchObject({ is_cancelling: false, was_started: true });
    await ask('DELETE', `/grants/${String(grant)}`, undefined, owner);
    expect(await claimAgain()).toMatchObject({ is_cancelling: true, was_started: true });
    await agent.call(finishJob, { ...(await lease()), state: 'cancelled', result: null, error: null });
    const message = expect.stringContaining('n’en a plus le droit sur ce site');
    expect(await onlyJob()).toMatchObject({ state: 'failed', error: { message } });
  });

  it('is stopped where it runs, once its author has lost the right', async () => {
    const { id: grant } = await share(id, 'manager');
    const { job } = await start();
    expect(await agent.call(renewJobs, { agent: 'a', held: [job] })).toEqual({ lost: [], cancelling: [] });
    await ask('DELETE', `/grants/${String(grant)}`, undefined, owner);
    expect(await agent.call(renewJobs, { agent: 'a', held: [job] })).toEqual({ lost: [], cancelling: [job.id] });
  });

  it('is cancelled only by somebody who may read it', async () => {
    const { job, batch } = await start(owner);
    await share(id, 'operator');
    for (const each of [job.id, batch]) {
      expect([403, 404]).toContain((await ask('POST', `/jobs/${each}/cancel`, {}, guest)).status);
    }
    expect(await agent.call(renewJobs, { agent: 'a', held: [job] })).toEqual({ lost: [], cancelling: [] });
    await share(id, 'manager');
    expect((await ask('POST', `/jobs/${job.id}/cancel`, {}, guest)).status).toBe(200);
    expect(await agent.call(renewJobs, { agent: 'a', held: [job] })).toEqual({ lost: [], cancelling: [job.id] });
  });

  it('ends with the token by which it was requested, and so does one that waits', async () => {
    const second = await addSite('autre.exemple.fr');
    const program = await tokenOf('run');
    const { job } = await start(program);
    expect((await run(program, [second])).status).toBe(202);
    expect((await run(owner)).status).toBe(202);
    expect((await ask('DELETE', `/tokens/${program.tokenId}`, undefined, owner)).status).toBe(204);
    const states = async () => (await jobs()).map(({ state }) => state);
    await until(async () => (await states())[1] === 'cancelled');
    expect(await states()).toEqual(['running', 'cancelled', 'queued']);
    expect(await agent.call(renewJobs, { agent: 'a', held: [job] })).toEqual({ lost: [], cancelling: [job.id] });
  });

  it('is shown whole to those who may run it, and without its text and output to others', async () => {
    const { batch, job } = await start();
    await agent.call(noteJob, { ...job, progress: null, lines: ['sortie'], heard: 1 });
    const failed = { exit_code: 3, signal: null, ms: 5, truncated: 0 };
    await agent.call(finishJob, {
      ...job,
      state: 'failed',
      result: failed,
      error: { message: 'Code 3.', stderr: 'x' },
    });
    const readJob = async (user: User) => (await ask('GET', `/jobs/${job.id}`, undefined, user)).body;
    for (const user of [owner, guest]) {
      expect(await readJob(user)).toMatchObject({
        about: `$ ${secret}`,
        log: [{ text: 'sortie' }],
        result: { exit_code: 3 },
      });
    }
    for (const role of ['operator', 'viewer']) {
      await share(id, role);
      expect(await readJob(guest)).toMatchObject({ about: null, log: [], result: null, error: { message: 'Code 3.' } });
      const seen = await Promise.all(
        ['/dashboard/activity', `/jobs?site_id=${id}`, `/jobs?batch_id=${batch}`, '/dashboard/todo'].map(
          async (path) => (await ask('GET', path, undefined, guest)).text,
        ),
      );
      expect(seen[0]).toContain('site_command');
      expect(seen.join('')).not.toContain('le-texte');
    }
    expect((await ask('GET', '/dashboard/activity', undefined, owner)).text).toContain('le-texte');
  });

  it('is not shown whole to a manager whose login reaches more, who may not run it again either', async () => {
    const { batch, job } = await start(owner);
    await agent.call(noteJob, { ...job, progress: null, lines: ['sortie'], heard: 1 });
    const result = { exit_code: 3, signal: null, ms: 5, truncated: 0 };
    await agent.call(finishJob, { ...job, state: 'failed', result, error: { message: 'Code 3.', stderr: 'x' } });
    await addSite(host, stranger);
    const { body } = await ask('GET', `/jobs/${job.id}`, undefined, guest);
    expect(body).toMatchObject({ about: null, log: [], result: null, error: { message: 'Code 3.' }, may_act: false });
    expect(JSON.stringify(body)).not.toContain('stderr');
    for (const path of [`/jobs?site_id=${id}`, `/jobs?batch_id=${batch}`, '/dashboard/activity', '/dashboard/todo']) {
      const { status, text } = await ask('GET', path, undefined, guest);
      expect([status, text.includes('le-texte')]).toEqual([200, false]);
    }
    const retry = await ask('POST', `/jobs/${job.id}/retry`, {}, guest);
    expect([retry.status, retry.text]).toEqual([403, expect.stringContaining('atteint plus que ce qui est partagé')]);
    expect((await ask('GET', `/jobs/${job.id}`, undefined, owner)).body).toMatchObject({
      about: `$ ${secret}`,
      log: [{ text: 'sortie' }],
      may_act: true,
    });
  });

  it('stays with its owner when the site passes to another one, and is stopped', async () => {
    const { batch, job } = await start(owner);
    await agent.call(noteJob, { ...job, progress: null, lines: ['sortie'], heard: 1 });
    const body = { user_id: stranger.id };
    expect((await ask('PUT', `/sites/${id}/owner`, body, admin, { 'x-admin-mode': '1' })).status).toBe(200);
    await ask('POST', '/grants', { site_id: id, user_id: guest.id, role: 'manager' }, stranger);
    for (const other of [batch, job.id]) {
      expect((await ask('GET', `/jobs/${other}`, undefined, stranger)).status).toBe(404);
    }
    for (const path of [`/jobs?site_id=${id}`, '/dashboard/activity', '/dashboard/todo']) {
      for (const user of [stranger, guest])
        expect((await ask('GET', path, undefined, user)).text).not.toContain('le-texte');
    }
    expect((await ask('GET', `/jobs/${job.id}`, undefined, guest)).body).toMatchObject({ about: null, log: [] });
    expect((await ask('GET', `/jobs/${job.id}`, undefined, owner)).body).toMatchObject({
      about: `$ ${secret}`,
      log: [{ text: 'sortie' }],
      is_cancelling: true,
    });
  });

  it('is run again only by somebody who may', async () => {
    const { job } = await start();
    await agent.call(finishJob, { ...job, state: 'failed', result: null, error: { message: 'Code 3.' } });
    await share(id, 'operator');
    expect((await ask('POST', `/jobs/${job.id}/retry`, {}, guest)).status).toBe(403);
    expect(await jobs()).toHaveLength(1);
    expect((await ask('POST', `/jobs/${job.id}/retry`, {}, owner)).status).toBeLessThan(300);
    expect(await jobs()).toHaveLength(2);
  });
});
