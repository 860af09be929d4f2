import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { useAssistants } from '@vigie/testing/assistants';
import { useSiteRows } from '@vigie/testing/site-rows';

const rows = useSiteRows();
const { root, query, ask, site } = rows;
const { tokenOf, callTool, propose, outdatedSite, confirm, read, countJobs } = useAssistants(rows);

beforeEach(() => query('delete from sites.proposals'));

const detailOf = (answer: Record<string, unknown>) => String(Object(answer['data_from_sites']).detail);

describe('a rollback', () => {
  const item = { kind: 'plugin', slug: 'vitrine' };

  async function addCopy(siteId: string, version: string): Promise<void> {
    await query('delete from sites.asides where site_id = $1', siteId);
    await query(
      `insert into sites.asides (id, site_id, kind, slug, version, bytes, made_at, has_tables)
       values ($1, $2, 'plugin', 'vitrine', $3, 1, now(), false)`,
      randomUUID(),
      siteId,
      version,
    );
  }

  it('is proposed of an item with a copy, and bound to both versions', async () => {
    const id = await outdatedSite('Vitrine');
    const wish = { site_id: id, item };
    expect(detailOf(await callTool(await tokenOf(), 'propose_rollback', wish))).toContain('Aucune version précédente');
    await addCopy(id, '0.9');
    const blind = await tokenOf(root, ['read', 'update']);
    expect(await callTool(blind, 'propose_rollback', wish)).toMatchObject({ code: 'forbidden' });
    const [first, second, third, moved] = [
      await propose(await tokenOf(), 'propose_rollback', wish),
      await propose(await tokenOf(), 'propose_rollback', wish),
      await propose(await tokenOf(), 'propose_rollback', wish),
      await propose(await tokenOf(), 'propose_rollback', wish),
    ];
    expect(await read(first)).toMatchObject({
      order: 'rollback',
      plan: [{ kind: 'plugin', slug: 'vitrine', name: 'Vitrine', from: '1.0', to: '0.9', made_at: expect.any(String) }],
    });
    await query("update sites.site_extensions set version = '1.1' where site_id = $1", id);
    expect((await confirm(first)).status).toBe(409);
    expect(await read(first)).toMatchObject({ state: 'refused', refusal: expect.stringContaining('Vitrine reste') });
    await query("update sites.site_extensions set version = '1.0' where site_id = $1", id);
    await query("update sites.sites set wp_path = '/srv/ailleurs' where id = $1", id);
    expect((await confirm(moved)).status).toBe(409);
    await query("update sites.sites set wp_path = '/srv' where id = $1", id);
    expect((await confirm(second)).status).toBe(202);
    await query('delete from sites.jobs');
    await addCopy(id, '0.9');
    expect((await confirm(third)).status).toBe(409);
    expect(await countJobs()).toBe(0);
  });
});

describe('a repair', () => {
  const repair = { action: 'set_aside', type: 'plugin', slug: 'vitrine', mark: '0123456789ab' };

  /** A check of the site that ended so long ago, and what it proposes. */
  async function addCheck(siteId: string, { kind = 'site-repairs.look', minutes = 1 } = {}): Promise<string> {
    const id = randomUUID();
    const at = new Date(Date.now() - minutes * 60_000);
    const offer = { title: 'Mettre de côté le plugin vitrine', effect: 'WordPress démarre sans lui.', command: 'mv' };
    const look = {
      at,
      maintenance: null,
      boot: { starts: false, starts_bare: true, problem: null },
      last_fatal: null,
      pages: { home: page, login: page },
      proposals: [{ repair, ...offer, refusal: null }],
      aside: [],
      aside_folder: null,
      notes: [],
    };
    await query(
      `insert into sites.jobs (id, kind, owner_id, actor_id, site_id, site_name, queue, lane, is_exclusive, is_heavy, input, state, result, created_at, finished_at)
       values ($1, $2, $3, $3, $4, 'Vitrine', 'site-changes', 'h:22', $5, false, '{}', 'succeeded', $6, $7, $7)`,
      id,
      kind,
      root.id,
      siteId,
      kind !== 'site-repairs.look',
      JSON.stringify({ look, facts: null }),
      at,
    );
    return id;
  }
  const page = { code: 500, error: null, method: 'GET', url: '', ms: 1, checked_at: new Date().toISOString() };
  const countRepairs = async () =>
    (await query("select from sites.jobs where kind = 'site-repairs.apply' and state = 'queued'")).length;

  it('is proposed as a recent check of the site offers it', async () => {
    const [id, other] = [await site('Vitrine'), await site('Autre')];
    const token = await tokenOf();
    const check = await addCheck(id);
    const wish = { site_id: id, check_job_id: check, repair };
    const refusalOf = async (more: object) => detailOf(await callTool(token, 'propose_repair', { ...wish, ...more }));
    expect(await refusalOf({ site_id: other })).toContain('n’est pas un examen');
    expect(await refusalOf({ repair: { ...repair, slug: 'autre' } })).toContain('ne propose pas');
    expect(await refusalOf({ check_job_id: await addCheck(id, { minutes: 90 }) })).toContain('plus d’une heure');
    const proposed = await propose(token, 'propose_repair', wish);
    expect(await read(proposed)).toMatchObject({
      order: 'repair',
      plan: [{ name: 'Mettre de côté le plugin vitrine', site_name: 'Vitrine' }],
      notes: ['WordPress démarre sans lui.', expect.stringContaining('Rien n’est supprimé')],
    });
    expect((await confirm(proposed)).status).toBe(202);
    expect(await countRepairs()).toBe(1);
  });

  it('is refused once something was done on the site since its check', async () => {
    const id = await site('Vitrine');
    const check = await addCheck(id, { minutes: 10 });
    const wish = { site_id: id, check_job_id: check, repair };
    const [checked, changed] = [
      await propose(await tokenOf(), 'propose_repair', wish),
      await propose(await tokenOf(), 'propose_repair', wish),
    ];
    const newer = await addCheck(id);
    expect((await confirm(checked)).status).toBe(409);
    expect(await read(checked)).toMatchObject({
      state: 'refused',
      refusal: expect.stringContaining('depuis cet examen'),
    });
    await query('delete from sites.jobs where id = $1', newer);
    await addCheck(id, { kind: 'changes.update' });
    expect((await confirm(changed)).status).toBe(409);
    expect(await countRepairs()).toBe(0);
  });

  it('is refused for the check of another site', async () => {
    const [id, other] = [await site('Vitrine'), await site('Autre')];
    const repairWith = async (checkId: string) =>
      (
        await ask('POST', `/sites/${id}/repairs`, { repair, expected_check: checkId }, root, {
          prefer: 'respond-async',
        })
      ).status;
    expect(await repairWith(await addCheck(other))).toBe(409);
    expect(await repairWith(await addCheck(id))).toBe(202);
  });

  it('is refused where its site has moved since', async () => {
    const id = await site('Vitrine');
    const wish = { site_id: id, check_job_id: await addCheck(id), repair };
    const proposed = await propose(await tokenOf(), 'propose_repair', wish);
    await query("update sites.sites set url = 'https://ailleurs.exemple.fr' where id = $1", id);
    expect((await confirm(proposed)).status).toBe(409);
    expect(await read(proposed)).toMatchObject({ state: 'refused', refusal: expect.stringContaining('a changé') });
  });
});
