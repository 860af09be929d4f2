import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SiteRepairs } from '@vigie/contracts/site-repairs';
import { waitForOutcome } from '@vigie/testing/answers';
import { addFleet } from '@vigie/testing/change-stage';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { deploy, onFleet } from '@vigie/testing/fleet/machine';
import { contentOf } from '@vigie/testing/fleet/sites';
import { addServer, aServer } from '@vigie/testing/hosts';
import { TestProduct } from '@vigie/testing/product';

const describeFleet = onFleet(describe);
const kinds = ['plain', 'read-only', 'other-owner', 'moved-content'] as const;
type SiteKind = (typeof kinds)[number];

describeFleet('a site of a real host', () => {
  let fleet: Fleet;
  let product: TestProduct;
  let token: string;
  let ids: ReadonlyMap<string, string>;

  beforeAll(async () => {
    fleet = await Fleet.start({ kinds });
    const env = { VIGIE_WORDPRESS_API_URL: fleet.wordpressOrg.url, VIGIE_HTTP_ALLOW: '127.0.0.0/8' };
    product = await TestProduct.start(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent'], env);
    token = await product.login();
    ids = (await addFleet(fleet, product, token)).ids;
  });
  afterAll(async () => {
    await product?.stop();
    await fleet?.close();
  });

  const idOf = (kind: SiteKind) => ids.get(fleet.site(kind).path);
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    product.request(method, `/api${path}`, { token, headers, ...(body !== undefined && { body }) });
  const repairsOf = async (kind: SiteKind, repair?: object) => {
    const path = `/sites/${idOf(kind)}/repairs`;
    const answer = await ask('POST', repair ? path : `${path}/look`, repair && { repair });
    const { status, text, body } = await waitForOutcome(product, token, answer);
    if (status !== 200) throw new Error(text);
    const { look: check, done } = SiteRepairs.parse(body);
    if (!check) throw new Error(text);
    return { ...check, done };
  };
  const codeOf = async (kind: SiteKind) => (await fetch(fleet.site(kind).url)).status;

  /** Registers a site with the login of root; without a path only its address is known. */
  async function addToRoot(kind: SiteKind, ssh: object = {}): Promise<string> {
    const form = aServer(fleet.host, { auth: { privateKeyPem: fleet.host.privateKey } });
    const connection = { ssh: { server_id: (await addServer(product, token, form)).id, ...ssh } };
    const { body, text } = await ask('POST', '/sites', { name: kind, url: fleet.site(kind).url, connection });
    if (typeof body['id'] !== 'string') throw new Error(text);
    return body['id'];
  }

  it('is tested step by step for each owner', async () => {
    const id = await addToRoot('other-owner', { wp_path: fleet.site('other-owner').path });
    const { status, body } = await waitForOutcome(product, token, await ask('POST', `/sites/${id}/test`));
    expect([status, body]).toMatchObject([
      200,
      { version: fleet.versions.installed, facts: { problem: null, owner: 'www-data' } },
    ]);
    expect((body['steps'] as { state: string }[]).map(({ state }) => state)).toEqual(Array(8).fill('ok'));
  });

  it('is found by its address, and lists its updates', async () => {
    // The site's system user must be able to reach the folder.
    for (const folder of [fleet.host.home, dirname(fleet.host.home)]) chmodSync(folder, 0o711);
    const sitePath = join(fleet.host.home, 'plain/current');
    mkdirSync(dirname(sitePath));
    symlinkSync(fleet.site('plain').path, sitePath);
    const id = await addToRoot('plain');
    const inspect = () => ask('GET', `/sites/${id}/inventory?fresh=1`);
    const { status, body } = await inspect();
    expect(status).toBe(200);
    const plugins = body['plugins'] as { slug: string; new_version: string | null }[];
    expect(plugins.find(({ slug }) => slug === 'vitrine')?.new_version).toBe('1.3.0');
    expect(body).toMatchObject({ core: { new_version: fleet.versions.offered }, depth: 'inspect' });
    const checks = body['checks'] as Record<string, { checked_at: string | null; error: string | null }>;
    expect(checks['plugins']).toEqual({ checked_at: expect.any(String), error: null });
    expect((await ask('GET', `/sites/${id}`)).body).toMatchObject({ connection: { ssh: { wp_path: sitePath } } });
    // A check that fails later keeps the stored updates and their date.
    fleet.wordpressOrg.failures.push(...Array<'error'>(6).fill('error'));
    const failed = (await inspect()).body;
    fleet.wordpressOrg.failures.splice(0);
    expect(failed['checks']).toMatchObject({
      plugins: { checked_at: checks['plugins']?.checked_at, error: expect.stringContaining('500') },
    });
    expect(failed['plugins']).toEqual(body['plugins']);
  });

  it('leaves a maintenance mode that nobody ended', async () => {
    const file = join(fleet.site('plain').path, '.maintenance');
    writeFileSync(file, '<?php $upgrading = time();');
    expect(await codeOf('plain')).toBe(503);
    const check = await repairsOf('plain');
    expect(check).toMatchObject({ maintenance: { holds: 'always' }, pages: { home: { code: 503 } } });
    // A file of root in the site's own folder, which the site's user may delete.
    const after = await repairsOf('plain', check.proposals[0]?.repair);
    expect(after).toMatchObject({ maintenance: null, boot: { starts: true }, pages: { home: { code: 200 } } });
    expect(existsSync(file)).toBe(false);
    expect((await ask('GET', `/sites/${idOf('plain')}`)).body).toMatchObject({ problem: null, http: { code: 200 } });
    const { rows } = await product.database.query("select details from sites.activity where type = 'site_edit'");
    expect(rows).toMatchObject([{ details: { repair: check.proposals[0]?.repair } }]);
  });

  it('counts as broken when its active theme was set aside, although WordPress starts', async () => {
    const blank = await repairsOf('plain', { action: 'set_aside', type: 'theme', slug: 'phare' });
    expect(blank).toMatchObject({ boot: { starts: true }, pages: { home: { code: 200, error: 'La page est vide.' } } });
  });

  it('is repaired although its configuration computes the wp-content folder and WordPress does not start', async () => {
    const garde = join(contentOf(fleet.site('moved-content')), 'mu-plugins/panne.php');
    mkdirSync(dirname(garde), { recursive: true });
    writeFileSync(garde, '<?php nothing();');
    chownSync(dirname(garde), deploy.uid, deploy.gid);
    const check = await repairsOf('moved-content');
    expect(check).toMatchObject({ boot: { starts: false, starts_bare: false }, proposals: [{ refusal: null }] });
    const after = await repairsOf('moved-content', check.proposals[0]?.repair);
    expect(after).toMatchObject({ boot: { starts: true }, pages: { home: { code: 200 } } });
    expect(existsSync(garde)).toBe(false);
    const back = await repairsOf('moved-content', after.aside[0]?.repair);
    expect([existsSync(garde), back.boot.starts]).toEqual([true, false]);
    rmSync(garde);
  });

  it('stays as it is when its files are not writable, and says why', async () => {
    const repair = { action: 'set_aside', type: 'plugin', slug: 'vitrine' };
    const answer = await ask('POST', `/sites/${idOf('read-only')}/repairs`, { repair });
    const { status, body } = await waitForOutcome(product, token, answer);
    expect([400, 202]).toContain(status);
    expect([body['detail']]).toMatchObject([{ message: expect.stringContaining('pas le droit') }]);
    const { rows } = await product.database.query(
      "select 1 from sites.activity where site_name = 'read-only' and type = 'site_edit'",
    );
    expect(rows).toEqual([]);
  });

  it('gets the result of a repair again under the same idempotency key', async () => {
    const path = `/sites/${idOf('plain')}/repairs`;
    const repair = { action: 'end_maintenance', mtime: 1 };
    const key = { 'idempotency-key': 'la-meme-reparation' };
    await waitForOutcome(product, token, await ask('POST', path, { repair }, key));
    const repeated = await ask('POST', path, { repair }, { ...key, prefer: 'respond-async' });
    expect(repeated).toMatchObject({ status: 202, body: { state: 'failed' } });
  });

  it('refuses an action that is no repair', async () => {
    const path = `/sites/${idOf('plain')}/repairs`;
    for (const repair of [
      { action: 'set_aside', type: 'plugin', slug: '../x' },
      { action: 'put_back', aside: 'plugin/../x-abcdef012345' },
      { action: 'set_aside', type: 'core', slug: 'wordpress' },
    ]) {
      const { status } = await ask('POST', path, { repair });
      expect([400, 422]).toContain(status);
    }
  });
});
