import { randomBytes } from 'node:crypto';
import type { Caller } from '@vigie/contracts/contract';
import { FakeCloudflare } from './cloudflare';
import { portForFake } from './left-products';
import { addUser } from './people';
import { type Answer, TestProduct } from './product';

type ZoneOptions = { product: TestProduct; cloudflare: FakeCloudflare; token: string };

/** Creates a Cloudflare account with one zone and configures it for the session's user. */
export async function openZone({ product, cloudflare, token }: ZoneOptions, records: readonly object[] = []) {
  const name = `${randomBytes(5).toString('hex')}.fr`;
  const email = `dns@${name}`;
  const key = `cle-${randomBytes(12).toString('hex')}`;
  const accountId = cloudflare.addAccount(email, key);
  const zone = cloudflare.addZone(accountId, name, records);
  const answer = await product.requestPatiently('POST', '/api/cloudflare/config', {
    token,
    body: { email, api_key: key },
  });
  if (answer.status !== 201) throw new Error(`no configuration: ${answer.text}`);
  return { accountId, email, key, name, zoneId: zone.id, at: `/api/cloudflare/zones/${zone.id}` };
}

type SendRequest = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

export type ZoneOwner = Awaited<ReturnType<DnsStage['addZoneOwner']>>;

/** A product that uses a fake Cloudflare. */
export class DnsStage {
  private constructor(
    readonly product: TestProduct,
    readonly cloudflare: FakeCloudflare,
    readonly root: string,
  ) {}

  /** Uses a shared product; `more` names further replicas. */
  static async shared(more: readonly Caller[] = []): Promise<DnsStage> {
    const cloudflare = await FakeCloudflare.start(await portForFake('cloudflare'));
    const apps: Caller[] = ['gateway', 'auth-svc', 'sites-svc', 'ssh-agent', 'dns-svc', ...more];
    const product = await TestProduct.shared(apps, { VIGIE_CLOUDFLARE_URL: cloudflare.url });
    return new DnsStage(product, cloudflare, await product.login());
  }

  async stop(): Promise<void> {
    await this.product.stop();
    await this.cloudflare.close();
  }

  async addPerson() {
    const { token, id } = await addUser(this.product, this.root);
    const ask: SendRequest = (method, path, body, headers = {}) =>
      this.product.request(method, `/api/cloudflare${path}`, { token, body, headers });
    return { token, id, ask };
  }

  async addZoneOwner(records: readonly object[] = []) {
    const { product, cloudflare } = this;
    const person = await this.addPerson();
    const zone = await openZone({ product, cloudflare, token: person.token }, records);
    const readZone = (path: string) => product.requestPatiently('GET', `${zone.at}${path}`, { token: person.token });
    const stored = cloudflare.recordsOf(zone.zoneId);
    return { ...person, ...zone, askZone: requestsIn(person, zone), readZone, stored };
  }

  /** Adds a person whose own login reaches the same zone. */
  async addColleague({ accountId, zoneId, name }: ZoneOwner) {
    const person = await this.addPerson();
    const login = { email: `autre@${name}`, api_key: `autre-cle-${name}` };
    this.cloudflare.addKey(accountId, login.email, login.api_key);
    await person.ask('POST', '/config', login);
    return { ...person, email: login.email, askZone: requestsIn(person, { zoneId }) };
  }
}

const requestsIn =
  ({ ask }: { ask: SendRequest }, { zoneId }: { zoneId: string }): SendRequest =>
  (method, path, ...more) =>
    ask(method, `/zones/${zoneId}${path}`, ...more);
