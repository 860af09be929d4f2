import { setTimeout as wait } from 'node:timers/promises';
import { ConsoleClient, RefusedConsole } from '@vigie/testing/consoles';
import type { Person } from './person';
import type { Random } from './random';
import type { Stage } from './stage';
import { type RealSite, type WholeStage } from './whole-stage';
import type { ExpectedRecords } from './zone-audit';

const slugs = ['vitrine', 'formulaire', 'relais', 'boussole-pro', 'sonde'] as const;
const theme = 'phare';
const consoleMs = 20_000;

export class UserActions {
  /** Archives that may have been deleted, as `site file` or `local file`. */
  readonly deleted = new Set<string>();
  /** The last reported state of each record, by name. */
  readonly records: ExpectedRecords = new Map();
  private recordCount = 0;

  constructor(
    private readonly stage: Stage,
    private readonly whole: WholeStage,
    private readonly person: Person,
    private readonly random: Random,
    /** Makes record names unique among users. */
    private readonly prefix: number,
  ) {}

  /** Performs a random action; resolves to whether it was accepted. */
  perform(): Promise<boolean> {
    const total = this.actions.reduce((sum, [weight]) => sum + weight, 0);
    let remaining = this.random.next() * total;
    const action = this.actions.find(([weight]) => (remaining -= weight) < 0);
    return action ? action[1]() : Promise.resolve(false);
  }

  private readonly actions: readonly (readonly [number, () => Promise<boolean>])[] = [
    [12, () => this.change('plugins/update')],
    [8, () => this.change('plugins/restore')],
    [6, () => this.change('plugins/activate')],
    [6, () => this.change('plugins/deactivate')],
    [3, () => this.change('themes/update', theme)],
    [3, () => this.change('themes/restore', theme)],
    [2, () => this.change('core/update')],
    [2, () => this.change('core/restore')],
    [5, () => this.install()],
    [5, () => this.person.order(`/api/sites/${this.pickSite().id}/test`)],
    [5, () => this.inspect()],
    [10, () => this.person.order(`/api/sites/${this.pickSite().id}/backups`)],
    [7, () => this.runOnBackup('download')],
    [3, () => this.runOnBackup('verify')],
    [9, () => this.runOnBackup('restore', { confirm: 'RESTORE' })],
    [4, () => this.importBackup()],
    [4, () => this.deleteBackup()],
    [2, () => this.updateMany()],
    [2, () => this.person.order('/api/sites/batches/backup', { ids: this.pickSites() })],
    [2, () => this.installMany()],
    [5, () => this.retryJob()],
    [4, () => this.cancelJob()],
    [6, () => this.addRecord()],
    [3, () => this.editRecord()],
    [3, () => this.deleteRecord()],
    [2, () => this.addRecords()],
    [4, () => this.openConsole()],
  ];

  private pickSite = (): RealSite => this.random.one(this.whole.sites);
  private pickSites = () => this.whole.sites.filter(() => this.random.next() < 0.6).map(({ id }) => id);

  /** Changes an item; the slug is ignored for WordPress itself. */
  private change(verb: string, slug: string = this.random.one(slugs)): Promise<boolean> {
    return this.person.order(`/api/sites/${this.pickSite().id}/${verb}`, { slug });
  }

  private install(): Promise<boolean> {
    const body = { filename: this.whole.upload.filename, activate: this.random.next() < 0.5 };
    return this.person.order(`/api/sites/${this.pickSite().id}/plugins/install`, body);
  }

  private async inspect(): Promise<boolean> {
    const headers = { prefer: 'respond-async' };
    const { answer } = await this.person.sendUntilAnswered(
      'GET',
      `/api/sites/${this.pickSite().id}/inventory?fresh=1`,
      { headers },
    );
    const id = answer?.body['job_id'];
    if (typeof id !== 'string') return false;
    this.person.accepted.push(id);
    return true;
  }

  private async pick(site: RealSite, location: 'Distant' | 'Local'): Promise<string | undefined> {
    const answer = await this.person.sendOnce('GET', `/api/sites/${site.id}/backups`);
    if (answer?.status !== 200) return undefined;
    const listed = answer.body as unknown as { filename: string; location: string }[];
    const filenames = listed.filter((backup) => backup.location === location).map(({ filename }) => filename);
    return filenames.length === 0 ? undefined : this.random.one(filenames);
  }

  private async runOnBackup(verb: 'download' | 'verify' | 'restore', body: object = {}): Promise<boolean> {
    const site = this.pickSite();
    const filename = await this.pick(site, 'Distant');
    return filename !== undefined && this.person.order(`/api/sites/${site.id}/backups/${filename}/${verb}`, body);
  }

  private async importBackup(): Promise<boolean> {
    const site = this.pickSite();
    const filename = await this.pick(site, 'Local');
    return filename !== undefined && this.person.order(`/api/sites/${site.id}/backups/import`, { filename });
  }

  private async deleteBackup(): Promise<boolean> {
    const [site, isLocal] = [this.pickSite(), this.random.next() < 0.4];
    const filename = await this.pick(site, isLocal ? 'Local' : 'Distant');
    if (filename === undefined) return false;
    // Recorded before the request, which may succeed without an answer.
    this.deleted.add(`${isLocal ? 'local' : site.id} ${filename}`);
    const query = isLocal ? '?location=local' : '';
    const { answer } = await this.person.sendUntilAnswered(
      'DELETE',
      `/api/sites/${site.id}/backups/${filename}${query}`,
    );
    return answer?.status === 204;
  }

  private updateMany(): Promise<boolean> {
    const targets = this.pickSites().flatMap((id) =>
      slugs.slice(0, 2).map((slug) => ({ site_id: id, kind: 'plugin', slug })),
    );
    return this.person.order('/api/updates', { targets });
  }

  private installMany(): Promise<boolean> {
    const body = { site_ids: this.pickSites(), activate: true };
    return this.person.order(`/api/uploads/${this.whole.upload.id}/install`, body);
  }

  private async retryJob(): Promise<boolean> {
    const answer = await this.person.sendOnce('GET', '/api/jobs?limit=100');
    const items = (answer?.body['items'] ?? []) as { id: string; state: string }[];
    const ended = items.filter(({ state }) => ['failed', 'unknown', 'cancelled'].includes(state));
    return ended.length > 0 && this.person.order(`/api/jobs/${this.random.one(ended).id}/retry`);
  }

  private async cancelJob(): Promise<boolean> {
    const answer = await this.person.sendOnce('GET', '/api/jobs?state=open&limit=50');
    const items = (answer?.body['items'] ?? []) as { id: string }[];
    if (items.length === 0) return false;
    const { answer: cancelAnswer } = await this.person.sendUntilAnswered(
      'POST',
      `/api/jobs/${this.random.one(items).id}/cancel`,
    );
    return cancelAnswer?.status === 200;
  }

  private get zonePath(): string {
    return `/api/cloudflare/zones/${this.whole.zone.id}/dns`;
  }

  private newRecord() {
    this.recordCount += 1;
    const content = `203.0.113.${Math.floor(this.random.between(1, 250))}`;
    return { type: 'A', name: `n${this.prefix}-${this.recordCount}`, content };
  }

  private async addRecord(): Promise<boolean> {
    const record = this.newRecord();
    const { answer } = await this.person.sendUntilAnswered('POST', this.zonePath, { body: record });
    const isCreated = answer?.status === 201;
    const id = isCreated ? String(Object(answer.body['record']).id) : '';
    this.records.set(record.name, {
      state: isCreated ? 'there' : answer ? 'gone' : 'unsure',
      id,
      content: record.content,
    });
    return isCreated;
  }

  private pickRecord(): string | undefined {
    const existing = [...this.records]
      .filter(([, { state, id }]) => state === 'there' && id !== '')
      .map(([name]) => name);
    return existing.length === 0 ? undefined : this.random.one(existing);
  }

  private async editRecord(): Promise<boolean> {
    const name = this.pickRecord();
    const record = this.records.get(name ?? '');
    if (name === undefined || !record) return false;
    const { content } = this.newRecord();
    this.records.set(name, { ...record, state: 'unsure' });
    const { answer } = await this.person.sendUntilAnswered('PUT', `${this.zonePath}/${record.id}`, {
      body: { content },
    });
    if (answer) this.records.set(name, { ...record, content: answer.status === 200 ? content : record.content });
    return answer?.status === 200;
  }

  private async deleteRecord(): Promise<boolean> {
    const name = this.pickRecord();
    const record = this.records.get(name ?? '');
    if (name === undefined || !record) return false;
    this.records.set(name, { ...record, state: 'unsure' });
    const { answer, tries } = await this.person.sendUntilAnswered('DELETE', `${this.zonePath}/${record.id}`);
    const isGone = answer !== undefined && (answer.status < 300 || (answer.status === 404 && tries > 1));
    if (answer) this.records.set(name, { ...record, state: isGone ? 'gone' : 'there' });
    return isGone;
  }

  /** A bulk request has no idempotency key: a repeated one is compared with the existing records. */
  private async addRecords(): Promise<boolean> {
    const newRecords = Array.from({ length: 5 }, () => this.newRecord());
    const changes = newRecords.map((record) => ({ action: 'create', record }));
    const { answer, tries } = await this.person.sendUntilAnswered('POST', `${this.zonePath}/bulk`, {
      body: { changes },
    });
    const results = (answer?.body['results'] ?? []) as { index: number; state: string }[];
    for (const [at, { name, content }] of newRecords.entries()) {
      const result = results.find(({ index }) => index === at)?.state;
      // A record that is refused at the second try may have been created at the first.
      const state = result === 'done' ? 'there' : result === 'refused' && tries === 1 ? 'gone' : 'unsure';
      this.records.set(name, { state, id: '', content });
    }
    return answer?.status === 200;
  }

  /** Opens a console, types a command, and disconnects with or without ending the shell. */
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
