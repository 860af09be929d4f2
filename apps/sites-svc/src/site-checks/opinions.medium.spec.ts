import { randomUUID } from 'node:crypto';
import type { Incident, OpinionAnswer } from '@vigie/contracts/incidents';
import { askServer, reportVisits } from '@vigie/contracts/site-checks';
import { connectBus, type TestBus } from '@vigie/testing/bus';
import { emptyTables } from '@vigie/testing/database';
import { addUser } from '@vigie/testing/people';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

let product: TestProduct;
let agent: TestBus;
let owner: Awaited<ReturnType<typeof addUser>>;
/** What the servers answer in turn; the last answer is repeated. */
let answers: OpinionAnswer[] = [];
let asked = 0;
let stop: () => void;

beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc', 'sites-svc']);
  agent = await connectBus(product.keys['ssh-agent']);
  owner = await addUser(product, await product.login());
  stop = await agent.answer(askServer, async () => {
    asked += 1;
    return answers[Math.min(asked, answers.length) - 1] ?? { code: null, ms: null, error: null };
  });
});
afterAll(async () => {
  stop?.();
  await agent?.close();
  await product?.stop();
});
const tables = ['incidents', 'conditions', 'sites', 'servers'].map((table) => `sites.${table}`);
beforeEach(() => emptyTables(product.database, ...tables));

const url = 'https://x.invalid/';
const query = <T extends object>(sql: string, ...values: unknown[]) => product.database.query<T>(sql, values);

async function addServer(name: string): Promise<string> {
  const id = randomUUID();
  await query(
    `insert into sites.servers (id, owner_id, name, host, port, login, type, credential, method, public_key, status)
     values ($1, $2, $3, $3 || '.invalid', 22, 'root', 'prod', '{"protected":"","iv":"","ciphertext":"","tag":""}', 'key', '',
       '{"online": true, "method": "ssh"}')`,
    id,
    owner.id,
    name,
  );
  return id;
}

async function addSite(name: string, server: string): Promise<string> {
  const id = randomUUID();
  await query(
    `insert into sites.sites (id, owner_id, name, url, server_id) values ($1, $2, $3, $4, $5)`,
    id,
    owner.id,
    name,
    url,
    server,
  );
  return id;
}

async function fail(ids: string[], times: number, error = 'Le serveur du site ne répond pas.'): Promise<void> {
  const seen = { code: 0, error, method: 'GET', url, ms: null, checked_at: new Date().toISOString() };
  for (let at = 0; at < times; at += 1) {
    await agent.call(reportVisits, { items: ids.map((id) => ({ id, url, seen, certificate: null })), network: 'up' });
    await query(
      "update sites.conditions set checked_at = checked_at - interval '1 minute' where subject_id = any($1)",
      ids,
    );
  }
}

async function findIncident(): Promise<Incident | undefined> {
  const ask = (path: string) => product.request('GET', path, { token: owner.token });
  const [item] = (await ask('/api/incidents')).body['items'] as { id: string }[];
  return item && ((await ask(`/api/incidents/${item.id}`)).body as unknown as Incident);
}

async function opinionOf(id: string, given: OpinionAnswer[]) {
  [answers, asked] = [given, 0];
  await fail([id], 2);
  await until(async () => (await query('select from sites.conditions where opinion is not null')).rows.length > 0);
  await fail([id], 1);
  const incident = await findIncident();
  return { incident, opinion: incident?.subjects[0]?.opinion };
}

const answered = { code: 200, ms: 40, error: null };
const failed = { code: 0, ms: null, error: 'Le site ne répond pas.' };
const unreachable = { code: null, ms: null, error: 'Le serveur refuse la connexion.' };

it('says that a site answers its own server before the incident is opened', async () => {
  const id = await addSite('boutique', await addServer('web-01'));
  const { incident, opinion } = await opinionOf(id, [answered]);
  expect(opinion).toMatchObject({ verdict: 'answers_there', own: answered, other: null });
  expect(incident).toMatchObject({ verdict: 'answers_there' });
  expect(incident?.events.map(({ kind }) => kind)).toEqual(['observed', 'opinion', 'opened']);
  expect(asked).toBe(1);
});

it('speaks of everybody only where a third place gets no answer either', async () => {
  const server = await addServer('web-01');
  const id = await addSite('boutique', server);
  expect((await opinionOf(id, [failed])).opinion).toMatchObject({ verdict: 'fails_there', other: null });
  await emptyTables(product.database, 'sites.incidents', 'sites.conditions');
  await addServer('web-02');
  expect((await opinionOf(id, [failed, answered])).opinion).toMatchObject({ verdict: 'fails_there' });
  await emptyTables(product.database, 'sites.incidents', 'sites.conditions');
  const { opinion } = await opinionOf(id, [failed, failed]);
  expect(opinion).toMatchObject({ verdict: 'fails_everywhere', other: { server_name: 'web-02', ...failed } });
});

it('does not know where the server cannot be asked', async () => {
  const id = await addSite('boutique', await addServer('web-01'));
  expect((await opinionOf(id, [unreachable])).opinion).toMatchObject({ verdict: 'unknown', own: unreachable });
  await emptyTables(product.database, 'sites.incidents', 'sites.conditions');
  await query("update sites.servers set refusal = 'Le mot de passe est refusé.'");
  // A refused credential is not presented again.
  asked = 0;
  expect((await opinionOf(id, [answered])).opinion).toMatchObject({ verdict: 'unknown' });
  expect(asked).toBe(0);
});

it('is asked once for a site, for three sites of a server, and for none that may not be visited', async () => {
  [answers, asked] = [[failed], 0];
  const server = await addServer('web-01');
  const ids = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => addSite(name, server)));
  await fail(ids, 2);
  await until(async () => (await query('select from sites.conditions where opinion is not null')).rows.length >= 3);
  const other = await addSite('z', await addServer('web-02'));
  await fail([other], 2, 'Adresse non autorisée');
  await fail(ids, 1);
  // The opinion of an outage that is open already goes into its account.
  const open = await addSite('y', await addServer('web-03'));
  await query('update sites.conditions set opinion_at = now() where opinion is null');
  await fail([open], 3);
  await until(
    async () =>
      (await query("select from sites.incident_subjects where name = 'y' and opinion is not null")).rows.length > 0,
  );
  const { rows } = await query(
    'select s.name from sites.conditions c join sites.sites s on s.id = c.subject_id where c.opinion is not null order by 1',
  );
  expect(rows).toHaveLength(4);
  expect((await query("select from sites.incident_events e where kind = 'opinion'")).rows).toHaveLength(4);
  expect(asked).toBe(5);
});
