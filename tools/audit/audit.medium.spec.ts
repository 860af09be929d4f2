import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addUser, enrol, type Person } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { runTool } from '@vigie/testing/tools';
import { until } from '@vigie/testing/until';

let home: string;
let product: TestProduct;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'vigie-audit-'));
  product = await TestProduct.shared(['gateway', 'auth-svc']);
  await product.login();
});
afterAll(async () => {
  await product?.stop();
  rmSync(home, { recursive: true });
});

const audit = (env: Record<string, string>, ...args: string[]) => runTool('audit', args, { VIGIE_HOME: home, ...env });

const here = () => ({ DATABASE_URL: product.database.url });
const isChained = async () =>
  (await product.database.query('select 1 from auth.audit_pending')).rowCount === 0 &&
  (await product.database.query('select 1 from auth.audit_chain')).rowCount !== 0;

it('says that the chain is whole, how long it is and where it ends', async () => {
  await until(isChained);
  const { code, printed } = await audit(here());
  expect(printed).toMatch(/^auth : \d+ lignes dans la chaîne, 0 en attente, dernière empreinte [0-9a-f]{64}$/m);
  expect(printed).toContain('auth : la chaîne est intacte.');
  expect(code).toBe(0);
});

it('names the line that was changed, and fails', async () => {
  await until(isChained);
  const { rows } = await product.database.query('select line_id as id from auth.audit_chain where seq = 1');
  await product.database.query("update auth.audit_lines set result = 'refused' where id = $1", [rows[0].id]);
  const { code, printed } = await audit(here());
  await product.database.query("update auth.audit_lines set result = 'done' where id = $1", [rows[0].id]);
  expect(printed).toContain(`auth : chaîne rompue, la ligne n° 1 (${rows[0].id}) a été modifiée.`);
  expect(code).toBe(1);
});

describe('an administrator who lost everything', () => {
  const recover = (...args: string[]) => runTool('admin', args, here());
  const login = (who: Person) => product.request('POST', '/api/auth/login', { body: who });
  const passwordOf = (printed: string) => /Mot de passe : (\S+)/.exec(printed)?.[1] ?? '';

  it('gets a new password once, keeps the second factor unless it is lifted, and is told of in the audit', async () => {
    const { who, token } = await addUser(product, await product.login());
    await enrol(product, token);
    const first = await recover(who.email);
    expect(first.printed).toContain('est administrateur désormais');
    expect(first.printed).toContain('--without-2fa');
    const withFactor = await login({ ...who, password: passwordOf(first.printed) });
    expect(withFactor.body).toMatchObject({ requires_2fa: true });
    const { code, printed } = await recover(who.email, '--without-2fa');
    expect([code, printed]).toEqual([0, expect.stringContaining('est levée')]);
    const freed = await login({ ...who, password: passwordOf(printed) });
    const seen = await product.request('GET', '/api/admin/users', { token: String(freed.body['access_token']) });
    expect([freed.status, seen.status, (await login(who)).status]).toEqual([200, 200, 401]);
    await until(async () => (await product.request('GET', '/api/auth/sessions', { token })).status === 401);
    await until(isChained);
    const { rows } = await product.database.query(
      "select 1 from auth.audit_lines l join auth.audit_chain c on c.line_id = l.id where action = 'admin_recover' and target = $1",
      [who.email],
    );
    expect(rows).toHaveLength(2);
  });

  it('is not told of a first password any more that is none', async () => {
    const file = join(home, 'first-admin.json');
    const { who } = await addUser(product, await product.login());
    const recoverAt = (email: string) => runTool('admin', [email], { ...here(), VIGIE_HOME: home });
    writeFileSync(file, JSON.stringify({ email: 'admin@localhost', password: 'celui du début' }));
    expect([(await recoverAt(who.email)).code, existsSync(file)]).toEqual([0, true]);
    writeFileSync(file, JSON.stringify(who));
    expect([(await recoverAt(` ${who.email.toUpperCase()} `)).code, existsSync(file)]).toEqual([0, false]);
  });

  it('is made where there is none, and only by an address', async () => {
    const { printed } = await recover('secours@localhost');
    expect(printed).toContain('n’existait pas');
    expect((await login({ email: 'secours@localhost', password: passwordOf(printed) })).status).toBe(200);
    expect(await recover('pas une adresse')).toEqual({ code: 1, printed: expect.stringContaining('n’est pas valide') });
    expect(await recover()).toEqual({ code: 1, printed: expect.stringContaining('npm run admin') });
  });
});

it('says that nothing runs in the state folder, even where notes of a start were left', async () => {
  const refusal = `La base de Vigie ne tourne pas dans ${home} : lancez npm start`;
  expect(await audit({})).toEqual({ code: 1, printed: expect.stringContaining(refusal) });
  const notes = { data: home, passwords: { postgresql: 'x', redis: 'x', nats: 'x' } };
  writeFileSync(join(home, 'servers.json'), JSON.stringify(notes));
  expect(await audit({})).toEqual({ code: 1, printed: expect.stringContaining(refusal) });
});

it('does not take a database without an audit for a whole one', async () => {
  const url = new URL(product.database.url);
  url.pathname = '/postgres';
  const { code, printed } = await audit({ DATABASE_URL: url.href });
  expect([code, printed]).toEqual([1, expect.stringContaining('ne contient aucun journal d’audit')]);
});

it('says in one sentence that a database cannot be opened, and never its password', async () => {
  const url = new URL(product.database.url);
  url.password = 'canari-de-base';
  const { code, printed } = await audit({ DATABASE_URL: url.href });
  expect([code, printed]).toEqual([1, expect.stringContaining('La base ne se laisse pas ouvrir')]);
  expect(printed).not.toMatch(/canari|^ +at /m);
});

it('explains itself, and takes no option that it does not know', async () => {
  expect(await audit({}, '--help')).toEqual({ code: 0, printed: expect.stringContaining('npm run audit') });
  expect(await audit({}, '--everything')).toEqual({ code: 1, printed: expect.stringContaining('npm run audit') });
});
