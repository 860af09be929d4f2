import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPasskey } from '@vigie/testing/passkeys';
import { addUser, enableTwoFactor, type Person } from '@vigie/testing/people';
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

const productEnv = () => ({ DATABASE_URL: product.database.url });
const isChained = async () =>
  (await product.database.query('select 1 from auth.audit_pending')).rowCount === 0 &&
  (await product.database.query('select 1 from auth.audit_chain')).rowCount !== 0;

it('reports that the chain is intact, with its length and last hash', async () => {
  await until(isChained);
  const { code, printed } = await audit(productEnv());
  expect(printed).toMatch(/^auth : \d+ lignes dans la chaîne, 0 en attente, dernière empreinte [0-9a-f]{64}$/m);
  expect(printed).toContain('auth : la chaîne est intacte.');
  expect(code).toBe(0);
});

it('names a changed line, and fails', async () => {
  await until(isChained);
  const { rows } = await product.database.query('select line_id as id from auth.audit_chain where seq = 1');
  await product.database.query("update auth.audit_lines set result = 'refused' where id = $1", [rows[0].id]);
  const { code, printed } = await audit(productEnv());
  await product.database.query("update auth.audit_lines set result = 'done' where id = $1", [rows[0].id]);
  expect(printed).toContain(`auth : chaîne rompue, la ligne n° 1 (${rows[0].id}) a été modifiée.`);
  expect(code).toBe(1);
});

describe('an administrator who lost everything', () => {
  const recover = (...args: string[]) => runTool('admin', args, productEnv());
  const login = (credentials: Person) => product.request('POST', '/api/auth/login', { body: credentials });
  const passwordOf = (printed: string) => /Mot de passe : (\S+)/.exec(printed)?.[1] ?? '';

  it('gets a new password once, keeps the second factor unless it is removed, and appears in the audit', async () => {
    const { credentials, token } = await addUser(product, await product.login());
    await enableTwoFactor(product, token);
    const first = await recover(credentials.email);
    expect(first.printed).toContain('est administrateur désormais');
    expect(first.printed).toContain('--without-2fa');
    const withFactor = await login({ ...credentials, password: passwordOf(first.printed) });
    expect(withFactor.body).toMatchObject({ requires_2fa: true });
    const { code, printed } = await recover(credentials.email, '--without-2fa');
    expect([code, printed]).toEqual([0, expect.stringContaining('est levée')]);
    const withoutFactor = await login({ ...credentials, password: passwordOf(printed) });
    const users = await product.request('GET', '/api/admin/users', {
      token: String(withoutFactor.body['access_token']),
    });
    expect([withoutFactor.status, users.status, (await login(credentials)).status]).toEqual([200, 200, 401]);
    await until(async () => (await product.request('GET', '/api/auth/sessions', { token })).status === 401);
    await until(isChained);
    const { rows } = await product.database.query(
      "select 1 from auth.audit_lines l join auth.audit_chain c on c.line_id = l.id where action = 'admin_recover' and target = $1",
      [credentials.email],
    );
    expect(rows).toHaveLength(2);
  });

  it('loses its passkeys, with the second factor that they are, or beside an app that stays', async () => {
    const user = await addUser(product, await product.login());
    const { email, password } = user.credentials;
    await addPasskey(product, user);
    const freed = await recover(email);
    expect(freed.printed).toMatch(/Clés d’accès supprimées : 1\..*est levée/s);
    const known = { email, password: passwordOf(freed.printed) };
    const token = String((await login(known)).body['access_token']);
    await addPasskey(product, { token, credentials: known });
    await enableTwoFactor(product, token, known.password);
    const kept = await recover(email);
    expect(kept.printed).toMatch(/Clés d’accès supprimées : 1\..*reste active/s);
    const { body } = await login({ email, password: passwordOf(kept.printed) });
    expect([password === known.password, body]).toEqual([
      false,
      { requires_2fa: true, accepts_totp: true, message: expect.any(String) },
    ]);
  });

  it('makes Vigie forget the first password only when it was for the same account', async () => {
    const file = join(home, 'first-admin.json');
    const { credentials } = await addUser(product, await product.login());
    const recoverAt = (email: string) => runTool('admin', [email], { ...productEnv(), VIGIE_HOME: home });
    writeFileSync(file, JSON.stringify({ email: 'admin@localhost', password: 'celui du début' }));
    expect([(await recoverAt(credentials.email)).code, existsSync(file)]).toEqual([0, true]);
    writeFileSync(file, JSON.stringify(credentials));
    expect([(await recoverAt(` ${credentials.email.toUpperCase()} `)).code, existsSync(file)]).toEqual([0, false]);
  });

  it('is created when the account does not exist, and only for a valid address', async () => {
    const { printed } = await recover('secours@localhost');
    expect(printed).toContain('n’existait pas');
    expect((await login({ email: 'secours@localhost', password: passwordOf(printed) })).status).toBe(200);
    expect(await recover('pas une adresse')).toEqual({ code: 1, printed: expect.stringContaining('n’est pas valide') });
    expect(await recover()).toEqual({ code: 1, printed: expect.stringContaining('npm run admin') });
  });
});

it('says that nothing runs in the state folder, even if a previous start left its notes', async () => {
  const refusal = `La base de Vigie ne tourne pas dans ${home} : lancez npm start`;
  expect(await audit({})).toEqual({ code: 1, printed: expect.stringContaining(refusal) });
  const notes = { data: home, passwords: { postgresql: 'x', redis: 'x', nats: 'x' } };
  writeFileSync(join(home, 'servers.json'), JSON.stringify(notes));
  expect(await audit({})).toEqual({ code: 1, printed: expect.stringContaining(refusal) });
});

it('does not accept a database without an audit as intact', async () => {
  const url = new URL(product.database.url);
  url.pathname = '/postgres';
  const { code, printed } = await audit({ DATABASE_URL: url.href });
  expect([code, printed]).toEqual([1, expect.stringContaining('ne contient aucun journal d’audit')]);
});

it('says in one sentence that a database cannot be opened, without its password', async () => {
  const url = new URL(product.database.url);
  url.password = 'canari-de-base';
  const { code, printed } = await audit({ DATABASE_URL: url.href });
  expect([code, printed]).toEqual([1, expect.stringContaining('La base ne se laisse pas ouvrir')]);
  expect(printed).not.toMatch(/canari|^ +at /m);
});

it('prints its help, and refuses unknown options', async () => {
  expect(await audit({}, '--help')).toEqual({ code: 0, printed: expect.stringContaining('npm run audit') });
  expect(await audit({}, '--everything')).toEqual({ code: 1, printed: expect.stringContaining('npm run audit') });
});
