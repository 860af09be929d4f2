import { setTimeout as wait } from 'node:timers/promises';
import { ConsoleClient, RefusedConsole } from '@vigie/testing/consoles';
import type { Person } from './person';
import type { Random } from './random';
import type { Stage } from './stage';
import { type RealSite, type Whole } from './whole';
import type { DnsNotes } from './zone-audit';

const slugs = ['vitrine', 'formulaire', 'relais', 'boussole-pro', 'sonde'] as const;
const theme = 'phare';
const consoleMs = 20_000;

/** What people want of the whole product, one thing after the other. */
export class Wishes {
  /** Archives that somebody had deleted, or may have: `site file place`. */
  readonly deleted = new Set<string>();
  /** By the name of a record, what was said of it last. */
  readonly records: DnsNotes = new Map();
  private named = 0;

  constructor(
    private readonly stage: Stage,
    private readonly whole: Whole,
    private readonly person: Person,
    private readonly random: Random,
    /** So that two people never name the same. */
    private readonly mark: number,
  ) {}

  /** One of them; whether it was accepted. */
  make(): Promise<boolean> {
    const total = this.wishes.reduce((sum, [weight]) => sum + weight, 0);
    let drawn = this.random.next() * total;
    const wish = this.wishes.find(([weight]) => (drawn -= weight) < 0);
    return wish ? wish[1]() : Promise.resolve(false);
  }

  private readonly wishes: readonly (readonly [number, () => Promise<boolean>])[] = [
    [12, () => this.change('plugins/update')],
    [8, () => this.change('plugins/restore')],
    [6, () => this.change('plugins/activate')],
    [6, () => this.change('plugins/deactivate')],
    [3, () => this.change('themes/update', theme)],
    [3, () => this.change('themes/restore', theme)],
    [2, () => this.change('core/update')],
    [2, () => this.change('core/restore')],
    [5, () => this.install()],
    [5, () => this.person.order(`/api/sites/${this.site().id}/test`)],
    [5, () => this.inspect()],
    [10, () => this.person.order(`/api/sites/${this.site().id}/backups`)],
    [7, () => this.onArchive('download')],
    [3, () => this.onArchive('verify')],
    [9, () => this.onArchive('restore', { confirm: 'RESTORE' })],
    [4, () => this.bringBack()],
    [4, () => this.deleteArchive()],
    [2, () => this.updateMany()],
    [2, () => this.person.order('/api/sites/batches/backup', { ids: this.someSites() })],
    [2, () => this.installMany()],
    [5, () => this.again()],
    [4, () => this.takeBack()],
    [6, () => this.addRecord()],
    [3, () => this.editRecord()],
    [3, () => this.deleteRecord()],
    [2, () => this.addRecords()],
    [4, () => this.openConsole()],
  ];

  private site = (): RealSite => this.random.one(this.whole.sites);
  private someSites = () => this.whole.sites.filter(() => this.random.next() < 0.6).map(({ id }) => id);

  /** Of WordPress itself the slug says nothing. */
  private change(verb: string, slug: string = this.random.one(slugs)): Promise<boolean> {
    return this.person.order(`/api/sites/${this.site().id}/${verb}`, { slug });
  }

  private install(): Promise<boolean> {
    const body = { filename: this.whole.upload.filename, activate: this.random.next() < 0.5 };
    return this.person.order(`/api/sites/${this.site().id}/plugins/install`, body);
  }

  private async inspect(): Promise<boolean> {
    const headers = { prefer: 'respond-async' };
    const { answer } = await this.person.insist('GET', `/api/sites/${this.site().id}/inventory?fresh=1`, { headers });
    const id = answer?.body['job_id'];
    if (typeof id !== 'string') return false;
    this.person.accepted.push(id);
    return true;
  }

  /** One of a site's own list, as somebody picks it there. */
  private async pick(site: RealSite, location: 'Distant' | 'Local'): Promise<string | undefined> {
    const answer = await this.person.once('GET', `/api/sites/${site.id}/backups`);
    if (answer?.status !== 200) return undefined;
    const listed = answer.body as unknown as { filename: string; location: string }[];
    const own = listed.filter((one) => one.location === location).map(({ filename }) => filename);
    return own.length === 0 ? undefined : this.random.one(own);
  }

  private async onArchive(verb: 'download' | 'verify' | 'restore', body: object = {}): Promise<boolean> {
    const site = this.site();
    const filename = await this.pick(site, 'Distant');
    return filename !== undefined && this.person.order(`/api/sites/${site.id}/backups/${filename}/${verb}`, body);
  }

  private async bringBack(): Promise<boolean> {
    const site = this.site();
    const filename = await this.pick(site, 'Local');
    return filename !== undefined && this.person.order(`/api/sites/${site.id}/backups/import`, { filename });
  }

  private async deleteArchive(): Promise<boolean> {
    const [site, isLocal] = [this.site(), this.random.next() < 0.4];
    const filename = await this.pick(site, isLocal ? 'Local' : 'Distant');
    if (filename === undefined) return false;
    // From the first time that it is asked for it may be done.
    this.deleted.add(`${isLocal ? 'local' : site.id} ${filename}`);
    const query = isLocal ? '?location=local' : '';
    const { answer } = await this.person.insist('DELETE', `/api/sites/${site.id}/backups/${filename}${query}`);
    return answer?.status === 204;
  }

  private updateMany(): Promise<boolean> {
    const targets = this.someSites().flatMap((id) =>
      slugs.slice(0, 2).map((slug) => ({ site_id: id, kind: 'plugin', slug })),
    );
    return this.person.order('/api/updates', { targets });
  }

  private installMany(): Promise<boolean> {
    const body = { site_ids: this.someSites(), activate: true };
    return this.person.order(`/api/uploads/${this.whole.upload.id}/install`, body);
  }

  /** What did not succeed. */
  private async again(): Promise<boolean> {
    const answer = await this.person.once('GET', '/api/jobs?limit=100');
    const items = (answer?.body['items'] ?? []) as { id: string; state: string }[];
    const ended = items.filter(({ state }) => ['failed', 'unknown', 'cancelled'].includes(state));
    return ended.length > 0 && this.person.order(`/api/jobs/${this.random.one(ended).id}/retry`);
  }

  private async takeBack(): Promise<boolean> {
    const answer = await this.person.once('GET', '/api/jobs?state=open&limit=50');
    const items = (answer?.body['items'] ?? []) as { id: string }[];
    if (items.length === 0) return false;
    const { answer: said } = await this.person.insist('POST', `/api/jobs/${this.random.one(items).id}/cancel`);
    return said?.status === 200;
  }

  private get zonePath(): string {
    return `/api/cloudflare/zones/${this.whole.zone.id}/dns`;
  }

  private newRecord() {
    this.named += 1;
    const content = `203.0.113.${Math.floor(this.random.between(1, 250))}`;
    return { type: 'A', name: `n${this.mark}-${this.named}`, content };
  }

  private async addRecord(): Promise<boolean> {
    const record = this.newRecord();
    const { answer } = await this.person.insist('POST', this.zonePath, { body: record });
    const isMade = answer?.status === 201;
    const id = isMade ? String(Object(answer.body['record']).id) : '';
    this.records.set(record.name, { is: isMade ? 'there' : answer ? 'gone' : 'unsure', id, content: record.content });
    return isMade;
  }

  private pickRecord(): string | undefined {
    const there = [...this.records].filter(([, { is, id }]) => is === 'there' && id !== '').map(([name]) => name);
    return there.length === 0 ? undefined : this.random.one(there);
  }

  private async editRecord(): Promise<boolean> {
    const name = this.pickRecord();
    const known = this.records.get(name ?? '');
    if (name === undefined || !known) return false;
    const { content } = this.newRecord();
    this.records.set(name, { ...known, is: 'unsure' });
    const { answer } = await this.person.insist('PUT', `${this.zonePath}/${known.id}`, { body: { content } });
    if (answer) this.records.set(name, { ...known, content: answer.status === 200 ? content : known.content });
    return answer?.status === 200;
  }

  private async deleteRecord(): Promise<boolean> {
    const name = this.pickRecord();
    const known = this.records.get(name ?? '');
    if (name === undefined || !known) return false;
    this.records.set(name, { ...known, is: 'unsure' });
    const { answer, tries } = await this.person.insist('DELETE', `${this.zonePath}/${known.id}`);
    const isGone = answer !== undefined && (answer.status < 300 || (answer.status === 404 && tries > 1));
    if (answer) this.records.set(name, { ...known, is: isGone ? 'gone' : 'there' });
    return isGone;
  }

  /** A bulk has no key: what is asked again is compared with what is there. */
  private async addRecords(): Promise<boolean> {
    const made = Array.from({ length: 5 }, () => this.newRecord());
    const changes = made.map((record) => ({ action: 'create', record }));
    const { answer, tries } = await this.person.insist('POST', `${this.zonePath}/bulk`, { body: { changes } });
    const results = (answer?.body['results'] ?? []) as { index: number; state: string }[];
    for (const [at, { name, content }] of made.entries()) {
      const state = results.find(({ index }) => index === at)?.state;
      // Refused the second time it may have been done the first time.
      const is = state === 'done' ? 'there' : state === 'refused' && tries === 1 ? 'gone' : 'unsure';
      this.records.set(name, { is, id: '', content });
    }
    return answer?.status === 200;
  }

  /** Typed in, and left open, as people leave it, or with its network lost. */
  private async openConsole(): Promise<boolean> {
    const { product, token } = this.stage;
    const servers = [this.whole.serverId, ...this.stage.hosts.map(({ serverId }) => serverId)];
    const at = Math.floor(this.random.next() * product.gateways.length);
    const opened = ConsoleClient.open(product, this.random.one(servers), { token, at }).catch((error: unknown) => {
      if (error instanceof RefusedConsole && error.status === 500) this.person.complaints.push(String(error));
      return undefined;
    });
    const client = await Promise.race([opened, wait(consoleMs, undefined, { ref: false })]);
    if (!client) return false;
    client.type('echo bon$((1+1))jour\n');
    await wait(this.random.between(200, 2_000));
    if (this.random.next() < 0.5) client.type('exit\n');
    await wait(200);
    client.cut();
    return true;
  }
}
