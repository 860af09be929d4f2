import { beforeEach, describe, expect, it } from 'vitest';
import { useAssistants } from '@vigie/testing/assistants';
import { addUser } from '@vigie/testing/people';
import { useSiteRows } from '@vigie/testing/site-rows';

const rows = useSiteRows();
const { product, root, client, query, ask, site } = rows;
const { tokenOf, callTool, propose, outdatedSite, confirm, read, countJobs } = useAssistants(rows);

beforeEach(() => query('delete from sites.proposals'));

const ids = (answers: readonly Record<string, unknown>[]) => new Set(answers.map((answer) => answer['proposal_id']));

async function addArchive(siteId: string, name = 'vitrine.wpress'): Promise<void> {
  await query(
    `insert into sites.local_backups (id, owner_id, site_id, site_name, filename, object_key, size, sha256, made_at)
     values (gen_random_uuid(), $1, $2, 'Vitrine', $3, $4, 1, $4, now())`,
    root.id,
    siteId,
    name,
    'a'.repeat(64),
  );
}

async function addOperator(siteId: string) {
  const guest = await addUser(product(), root.token);
  await ask('POST', '/grants', { site_id: siteId, user_id: guest.id, role: 'operator' });
  return guest;
}

describe('a repeated proposal', () => {
  it('is the open one, also of two calls at once', async () => {
    const [one, two] = [await outdatedSite('Un'), await outdatedSite('Deux')];
    const token = await tokenOf();
    const wish = { site_ids: [one, two] };
    const answers = await Promise.all(Array.from({ length: 4 }, () => callTool(token, 'propose_updates', wish)));
    const again = await callTool(token, 'propose_updates', { site_ids: [two, one], reason: 'Encore.' });
    expect(ids([...answers, again]).size).toBe(1);
    const audited = await query(
      "select from sites.audit_lines where action = 'proposal_create' and target_id = $1",
      [...ids(answers)][0],
    );
    expect(audited).toHaveLength(1);
  });

  it('is another one for another token, another input, or once it is settled', async () => {
    const id = await site('Vitrine');
    const token = await tokenOf();
    const wish = { site_ids: [id] };
    const first = await propose(token, 'propose_backups', wish);
    const others = [
      await propose(await tokenOf(), 'propose_backups', wish),
      await propose(token, 'propose_backups', { ...wish, exclude_cache: false }),
    ];
    await ask('POST', `/proposals/${first}/reject`, {});
    others.push(await propose(token, 'propose_backups', wish));
    expect(new Set([first, ...others]).size).toBe(4);
  });
});

describe('a confirmation without an answer', () => {
  it('says that its outcome is unknown, and is repeated only by who confirmed it, for an hour', async () => {
    const id = await outdatedSite('Vitrine');
    const guest = await addOperator(id);
    const proposed = await propose(await tokenOf(), 'propose_updates', { site_ids: [id] });
    expect(await read(proposed, guest)).toMatchObject({ state: 'open', can_confirm: true });
    const { body } = await confirm(proposed);
    const forget = () => query('update sites.proposals set job_id = null where id = $1', proposed);
    await forget();
    expect(await read(proposed)).toMatchObject({ state: 'unknown', can_confirm: true, job_id: null });
    expect(await read(proposed, guest)).toMatchObject({ state: 'unknown', can_confirm: false });
    expect((await ask('GET', '/proposals?state=unknown')).body['total']).toBe(1);
    expect((await ask('GET', '/proposals?state=confirmed')).body['total']).toBe(0);
    expect((await confirm(proposed, guest)).status).toBe(409);
    // One may come when the other has told the outcome already.
    const repeated = await Promise.all([confirm(proposed), confirm(proposed)]);
    const jobs = repeated.flatMap(({ status, body: answer }) => (status === 409 ? [] : [[status, answer['job_id']]]));
    expect(jobs.length).toBeGreaterThan(0);
    for (const job of jobs) expect(job).toEqual([202, body['job_id']]);
    expect(await read(proposed)).toMatchObject({ state: 'confirmed', job_id: body['job_id'], can_confirm: false });
    await forget();
    await query("update sites.proposals set settled_at = now() - interval '61 minutes' where id = $1", proposed);
    expect(await read(proposed)).toMatchObject({ state: 'unknown', can_confirm: false });
    expect((await confirm(proposed)).status).toBe(409);
    expect(await countJobs()).toBe(1);
  });

  it('gives the order that was never given', async () => {
    const id = await site('Vitrine');
    const proposed = await propose(await tokenOf(), 'propose_backups', { site_ids: [id] });
    await query(
      "update sites.proposals set state = 'confirmed', settled_by = $2, settled_at = now() where id = $1",
      proposed,
      root.id,
    );
    expect((await confirm(proposed)).status).toBe(202);
    expect([await countJobs(), (await read(proposed))['state']]).toEqual([1, 'confirmed']);
  });
});

describe('a proposal', () => {
  it('is executed by one of two people who confirm it at once', async () => {
    const id = await outdatedSite('Vitrine');
    const guest = await addOperator(id);
    const proposed = await propose(await tokenOf(), 'propose_updates', { site_ids: [id] });
    const answers = await Promise.all([confirm(proposed), confirm(proposed, guest)]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([202, 409]);
    expect(await countJobs()).toBe(1);
    expect(await read(proposed)).toMatchObject({ state: 'confirmed', job_id: expect.any(String) });
  });

  it('says by the clock of the server how long it is open', async () => {
    const proposed = await propose(await tokenOf(), 'propose_backups', { site_ids: [await site('Vitrine')] });
    const left = Number((await read(proposed))['seconds_left']);
    expect([left > 3_500, left <= 3_600]).toEqual([true, true]);
    await query("update sites.proposals set expires_at = now() - interval '1 second' where id = $1", proposed);
    expect(await read(proposed)).toMatchObject({ state: 'expired', seconds_left: 0, can_confirm: false });
  });

  it('of a restore says what it brings back, and ends when its site has moved before the order', async () => {
    const id = await site('Vitrine');
    await addArchive(id);
    const wish = { site_id: id, filename: 'vitrine.wpress', mode: 'replace', scope: 'database' };
    const proposed = await propose(await tokenOf(), 'propose_restore', wish);
    const shown = await read(proposed);
    expect(shown).toMatchObject({
      restore: { mode: 'replace', scope: 'database' },
      plan: [{ made_at: expect.any(String) }],
    });
    expect(JSON.stringify(shown['notes'])).not.toMatch(/\d{4}-\d{2}/);
    await query("update sites.sites set wp_path = '/srv/ailleurs' where id = $1", id);
    const { status, body } = await confirm(proposed);
    expect([status, JSON.stringify(body['detail'])]).toEqual([409, expect.stringContaining('a changé')]);
    expect(await read(proposed)).toMatchObject({ state: 'refused', refusal: expect.stringContaining('a changé') });
    expect(await countJobs()).toBe(0);
  });

  it('of a restore carries its place to the order, which refuses any other', async () => {
    const id = await site('Vitrine');
    await addArchive(id);
    const restore = (place: string) =>
      ask(
        'POST',
        `/sites/${id}/backups/vitrine.wpress/restore`,
        {
          location: 'local',
          confirm: 'RESTORE',
          expected_place: place,
        },
        root,
        { prefer: 'respond-async' },
      );
    expect((await restore('b'.repeat(64))).status).toBe(409);
    const wish = { site_id: id, filename: 'vitrine.wpress' };
    const proposed = await propose(await tokenOf(), 'propose_restore', wish);
    const [row] = await query('select place from sites.proposals where id = $1', proposed);
    expect((await restore(String(row?.['place']))).status).toBe(202);
  });
});

describe('an open proposal', () => {
  const todoOf = async (user = root, headers = {}) => {
    const { body } = await ask('GET', '/dashboard/todo', undefined, user, headers);
    const lines = body['items'] as { kind: string; count: number; worst: { id: string }[] }[];
    const line = lines.find(({ kind }) => kind === 'proposals');
    return line ? { count: line.count, ids: line.worst.map(({ id }) => id) } : undefined;
  };

  it('is on the dashboard of those who may confirm it, while it is open', async () => {
    const [shared, kept] = [await site('Partagé'), await site('Gardé')];
    const token = await tokenOf();
    const one = await propose(token, 'propose_backups', { site_ids: [shared] });
    const both = await propose(token, 'propose_backups', { site_ids: [shared, kept] });
    const guest = await addUser(product(), root.token);
    expect(await todoOf(root)).toEqual({ count: 2, ids: [one, both] });
    expect(await todoOf(guest)).toBeUndefined();
    const grant = (role: string) => ask('POST', '/grants', { site_id: shared, user_id: guest.id, role });
    const viewer = String((await grant('viewer')).body['id']);
    expect(await todoOf(guest)).toBeUndefined();
    await ask('DELETE', `/grants/${viewer}`);
    await grant('operator');
    expect(await todoOf(guest)).toEqual({ count: 1, ids: [one] });
    expect(await todoOf({ ...root, token: await tokenOf() })).toBeUndefined();
    const admin = await rows.addAdmin();
    expect([await todoOf(admin), await todoOf(admin, { 'x-admin-mode': '1' })]).toEqual([
      undefined,
      { count: 2, ids: [one, both] },
    ]);
    await query("update sites.proposals set expires_at = now() - interval '1 second' where id = $1", both);
    await ask('POST', `/proposals/${one}/reject`, {});
    expect(await todoOf(root)).toBeUndefined();
  });

  it('names what it is about', async () => {
    const proposed = await propose(await tokenOf(), 'propose_backups', { site_ids: [await site('Vitrine')] });
    const { body } = await ask('GET', '/dashboard/todo');
    expect(body['items']).toContainEqual(
      expect.objectContaining({
        kind: 'proposals',
        worst: [{ id: proposed, order: 'backups', sites: 1, lines: 1, created_at: expect.stringMatching(/Z$/) }],
      }),
    );
  });
});

describe('the feed', () => {
  type Line = { type: string; site_name: string; run: { sites: number } | null; details: Record<string, unknown> };
  const feedOf = async (user = root, more = '') =>
    (await ask('GET', `/dashboard/activity?limit=50&kind=proposals${more}`, undefined, user)).body['items'] as Line[];
  beforeEach(() => query('delete from sites.activity'));

  it('says who proposed, confirmed and rejected what, to those who see the sites', async () => {
    const [shared, kept] = [await site('Partagé'), await site('Gardé')];
    const guest = await addOperator(shared);
    const token = await tokenOf();
    await ask('POST', `/proposals/${await propose(token, 'propose_backups', { site_ids: [shared] })}/reject`, {});
    const proposed = await propose(token, 'propose_backups', { site_ids: [shared, kept] });
    await confirm(proposed);
    const seen = (await feedOf(root, '&grouped=1')).map(({ type, run }) => [type, run?.sites ?? 1]);
    expect(seen).toEqual([
      ['proposal_confirm', 2],
      ['proposal_create', 2],
      ['proposal_reject', 1],
      ['proposal_create', 1],
    ]);
    expect((await feedOf()).at(-1)?.details).toMatchObject({ order: 'backups', token: 'Claude' });
    const lines = await feedOf(guest);
    expect(lines.map(({ type, site_name: name }) => [type, name])).toEqual([
      ['proposal_confirm', 'Partagé'],
      ['proposal_create', 'Partagé'],
      ['proposal_reject', 'Partagé'],
      ['proposal_create', 'Partagé'],
    ]);
    expect(lines[1]?.details).toEqual({ proposal_id: proposed, order: 'backups' });
    expect(await feedOf(await addUser(product(), root.token))).toEqual([]);
  });

  it('says why a confirmed one was not executed', async () => {
    const id = await outdatedSite('Vitrine');
    const proposed = await propose(await tokenOf(), 'propose_updates', { site_ids: [id] });
    await query("update sites.site_extensions set new_version = '2.0' where site_id = $1", id);
    await confirm(proposed);
    const [line] = await feedOf();
    expect(line).toMatchObject({
      type: 'proposal_refuse',
      details: { state: 'failed', reason: expect.stringContaining('2.0') },
    });
  });

  it('names no site to the owner of another one', async () => {
    const siteIds = [await outdatedSite('Vitrine'), await outdatedSite('Boutique')];
    const proposed = await propose(await tokenOf(), 'propose_updates', { site_ids: siteIds });
    await query("update sites.site_extensions set new_version = '2.0' where site_id = any($1)", siteIds);
    await confirm(proposed);
    // What was planned for several sites is no longer possible either.
    expect(await read(proposed)).toMatchObject({ state: 'refused' });
    const refused = (await feedOf()).filter(({ type }) => type === 'proposal_refuse');
    expect(refused.map(({ details }) => details)).toEqual(
      siteIds.map(() => ({ proposal_id: proposed, order: 'updates', state: 'failed' })),
    );
  });
});

describe('the address of assistants', () => {
  it('takes the admin mode only with a token that may have it', async () => {
    const [mine, foreign] = [await site('À moi'), await site('Au client', {}, client)];
    const namesOf = async (token: string) =>
      JSON.stringify(await callTool(token, 'list_sites', {}, { 'x-admin-mode': '1' }));
    const plain = await tokenOf();
    expect(await namesOf(plain)).toContain(mine);
    expect(await namesOf(plain)).not.toContain(foreign);
    expect(await callTool(plain, 'propose_backups', { site_ids: [foreign] }, { 'x-admin-mode': '1' })).toMatchObject({
      code: 'not_found',
    });
    expect(await namesOf(await tokenOf(root, ['read', 'admin']))).toContain(foreign);
    expect(await namesOf(await tokenOf(client))).not.toContain(mine);
  });
});
