import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AlertMessage, sendAlert } from '@vigie/contracts/alerts';
import { IncidentStage, type NamedSites } from '@vigie/testing/incidents';
import { TestProduct } from '@vigie/testing/product';
import { until } from '@vigie/testing/until';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

const dayMs = 86_400_000;
let stage: IncidentStage;
let folder: string;
let clock: string;
let sites: NamedSites;
const sent: AlertMessage[] = [];
const titles = () => sent.map(({ kind, title }) => `${kind} ${title}`.replaceAll('\u00a0', ' '));
const endsAt = new Date(Date.now() + 22 * dayMs + dayMs / 2);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigie-clock-'));
  clock = join(folder, 'milliseconds');
  await writeFile(clock, '0');
  // On machines at the other end of the world, whose clock the test moves together with its own: calls are signed with a time.
  const preload = new URL('../../../../libs/testing/src/moved-clock.mjs', import.meta.url).href;
  const env = { TZ: 'Pacific/Auckland', NODE_OPTIONS: `--import=${preload}`, TEST_CLOCK_FILE: clock };
  stage = await IncidentStage.on(await TestProduct.start(['gateway', 'auth-svc', 'sites-svc'], env));
  await stage.agent.answer(sendAlert, async ({ message }) => {
    sent.push(message);
    return { outcome: 'sent' as const, status: 200, answer: 'ok', error: null, retry_after: null };
  });
  sites = await stage.addSites(['boutique']);
  await stage.query(
    `update sites.channels set kind = 'webhook', time_zone = 'Europe/Paris',
       target = '{"protected":"a","iv":"b","ciphertext":"c","tag":"d"}'`,
  );
});
afterAll(async () => {
  vi.useRealTimers();
  await stage?.close();
  await rm(folder, { recursive: true });
});

/** Visits the site at a time of the service, until all that is to be said of it has left. */
async function visitAt(time: Date, certificateEnd: Date): Promise<void> {
  vi.useRealTimers();
  await writeFile(clock, String(time.getTime() - Date.now()));
  vi.useFakeTimers({ toFake: ['Date'], now: time });
  await stage.report(sites, { code: 200, endsAt: certificateEnd.toISOString() });
  await stage.passMinute();
  await stage.query('update sites.incidents set alerts_due_at = now() where alerts_due_at is not null');
  await until(async () => {
    const { rows } = await stage.query(
      `select from sites.incidents where alerts_due_at <= now() union all select from sites.deliveries where state = 'queued'`,
    );
    return rows.length === 0;
  });
  // PostgreSQL has stamped the message by its own clock.
  await stage.query('update sites.deliveries set created_at = $1 where created_at <= now()', time);
}

it('tells of a certificate that expires while the time passes, once for each stage, until it is renewed', async () => {
  const before = (days: number) => new Date(endsAt.getTime() - days * dayMs);
  await visitAt(before(22.4), endsAt);
  expect(titles()).toEqual([]);
  for (const days of [20.5, 20.4, 6.5, 6.4, 0.5, 0.4, -0.5]) await visitAt(before(days), endsAt);
  expect(titles()).toEqual([
    'opened Le certificat de boutique expire dans 20 jours',
    'reminder Le certificat de boutique expire dans 6 jours',
    'reminder Le certificat de boutique expire dans moins de 24 heures',
  ]);
  const time = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'Europe/Paris' }).format(endsAt);
  expect(sent[0]?.lines[0]).toBe(`Certificat valable jusqu’au ${time} (émis par R11).`);
  const renewed = new Date(endsAt.getTime() + 90 * dayMs);
  for (const days of [-0.6, -0.7]) await visitAt(before(days), renewed);
  expect(titles().slice(3)).toEqual(['resolved Le certificat de boutique est renouvelé']);
});
