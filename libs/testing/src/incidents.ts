import { randomUUID } from 'node:crypto';
import type { Caller } from '@vigie/contracts/contract';
import type { Incident, IncidentItem } from '@vigie/contracts/incidents';
import { reportVisits } from '@vigie/contracts/site-checks';
import { connectBus, type TestBus } from './bus';
import { emptyTables } from './database';
import { addUser, type Person as Credentials } from './people';
import { TestProduct } from './product';

type Person = Pick<Awaited<ReturnType<typeof addUser>>, 'id' | 'token'>;
export type NamedSites = Readonly<Record<string, string>>;
type Visit = {
  code?: number;
  startsAt?: string;
  endsAt?: string;
  addresses?: string[];
  network?: 'up' | 'down' | null;
};

export const urlOf = (name: string) => `https://${name}.invalid/`;
const tables = ['incidents', 'conditions', 'network_state', 'visit_samples', 'sites', 'servers', 'groups', 'jobs'];

const apps = ['gateway', 'auth-svc', 'sites-svc'] as const;

/** A product, without agents unless they are named, whose checks a test reports as an agent would. */
export class IncidentStage {
  private constructor(
    readonly product: TestProduct,
    readonly agent: TestBus,
    readonly admin: Person,
    readonly owner: Person,
    readonly guest: Person,
  ) {}

  static async open(...others: Caller[]): Promise<IncidentStage> {
    return IncidentStage.on(await TestProduct.shared([...apps, ...others]));
  }

  /** With settings, and agents. */
  static async openWith(env: Record<string, string>): Promise<IncidentStage> {
    return IncidentStage.on(await TestProduct.start([...apps, 'ssh-agent'], env));
  }

  static async on(product: TestProduct): Promise<IncidentStage> {
    const agent = await connectBus(product.keys['ssh-agent']);
    const token = await product.login();
    const [owner, guest] = [await addUser(product, token), await addUser(product, token)];
    return new IncidentStage(product, agent, { id: '', token }, owner, guest);
  }

  async close(): Promise<void> {
    await this.agent.close();
    await this.product.stop();
  }

  empty = (...names: string[]) =>
    emptyTables(this.product.database, ...(names.length > 0 ? names : tables).map((table) => `sites.${table}`));

  query = <T extends object>(sql: string, ...values: unknown[]) => this.product.database.query<T>(sql, values);

  ask = (method: string, path: string, body?: object, { token } = this.owner) =>
    this.product.request(method, `/api${path}`, { token, ...(body && { body }) });

  async addServer(name: string): Promise<string> {
    const id = randomUUID();
    await this.query(
      `insert into sites.servers (id, owner_id, name, host, port, login, type, credential, method, public_key)
       values ($1, $2, $3, $3 || '.invalid', 22, 'root', 'prod', '{"protected":"","iv":"","ciphertext":"","tag":""}', 'key', '')`,
      id,
      this.owner.id,
      name,
    );
    return id;
  }

  /** Returns the ids of new sites by their names. */
  async addSites(names: readonly string[], server: string | null = null): Promise<NamedSites> {
    const ids = names.map(() => randomUUID());
    await this.query(
      `insert into sites.sites (id, owner_id, name, url, server_id)
       select id, $1, name, 'https://' || name || '.invalid/', $2 from unnest($3::uuid[], $4::text[]) x(id, name)`,
      this.owner.id,
      server,
      ids,
      names,
    );
    return Object.fromEntries(names.map((name, at) => [name, ids[at] ?? '']));
  }

  /** Reports one visit of each site, by its status. */
  async report(
    sites: NamedSites,
    { code = 0, startsAt, endsAt, addresses, network = null }: Visit = {},
  ): Promise<void> {
    const error = code === 0 ? 'Le serveur du site refuse la connexion.' : null;
    const seen = { code, error, method: 'GET', ms: code === 0 ? null : 120, checked_at: new Date().toISOString() };
    const certificate = endsAt === undefined ? null : { starts_at: startsAt ?? null, ends_at: endsAt, issuer: 'R11' };
    const items = Object.entries(sites).map(([name, id]) => ({
      id,
      url: urlOf(name),
      seen: { ...seen, url: urlOf(name) },
      certificate,
      addresses: addresses ?? null,
    }));
    await this.agent.call(reportVisits, { items, network });
  }

  /** As after a minute: a check soon after another one of the same result is not counted. */
  passMinute = () => this.query("update sites.conditions set checked_at = checked_at - interval '1 minute'");

  async reportTimes(times: number, sites: NamedSites, visit: Visit = {}): Promise<void> {
    for (let at = 0; at < times; at += 1) {
      await this.report(sites, visit);
      await this.passMinute();
    }
  }

  async list(search = '', person = this.owner): Promise<IncidentItem[]> {
    const { body, text } = await this.ask('GET', `/incidents${search}`, undefined, person);
    const { items, total } = body as { items: IncidentItem[]; total: number };
    if (total !== items.length) throw new Error(`a list of ${items.length} says that it has ${total}: ${text}`);
    return items;
  }

  /** The only incident of a list. */
  async only(search = '', person = this.owner): Promise<Incident> {
    const [item, ...others] = await this.list(search, person);
    if (!item || others.length > 0) throw new Error(`not one incident: ${JSON.stringify([item, ...others])}`);
    const { body } = await this.ask('GET', `/incidents/${item.id}`, undefined, person);
    return body as unknown as Incident;
  }
}

/** An open outage of a new site of the owner, for each route that names an incident. */
export function incidentRoutes<P extends { params: Record<string, string> }>(
  product: TestProduct,
  openSite: (owner: Credentials) => Promise<P>,
): Record<string, (owner: Credentials) => Promise<P & { body?: object }>> {
  const incident = async (owner: Credentials, body?: object) => {
    const site = await openSite(owner);
    const id = randomUUID();
    await product.database.query(
      `with made as (
         insert into sites.incidents (id, kind, severity, cause_kind, cause_id, cause_name, observed_at)
         select $1, 'outage', 'critical', 'site', id, name, now() from sites.sites where id = $2 returning *)
       insert into sites.incident_subjects (incident_id, kind, subject_id, name, since, evidence)
       select id, 'site', cause_id, cause_name, now(), '{"code": 500, "reason": null, "ends_at": null}' from made`,
      [id, site.params['id']],
    );
    return { ...site, params: { id }, ...(body && { body }) };
  };
  return {
    'GET /api/incidents/{id}': (owner) => incident(owner),
    'POST /api/incidents/{id}/ack': (owner) => incident(owner, {}),
    'POST /api/incidents/{id}/comment': (owner) => incident(owner, { text: 'Vu.' }),
    'POST /api/incidents/{id}/mute': (owner) => incident(owner, { minutes: 60 }),
    'POST /api/incidents/{id}/resolve': (owner) => incident(owner, {}),
  };
}
