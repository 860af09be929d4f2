import { type AlertAnswer, type AlertMessage, sendAlert } from '@vigie/contracts/alerts';
import type { Delivery } from '@vigie/contracts/channels';
import { addUser } from '@vigie/testing/people';
import { IncidentStage } from '@vigie/testing/incidents';
import { until } from '@vigie/testing/until';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

let stage: IncidentStage;
/** What the agents were asked to send, and how they answer. */
let sent: { channel_id: string; message_id: string; message: AlertMessage; allows_private: boolean }[] = [];
const isSent: AlertAnswer = { outcome: 'sent', status: 200, answer: 'ok', error: null, retry_after: null };
let answer: AlertAnswer = isSent;

beforeAll(async () => {
  stage = await IncidentStage.open();
  await stage.agent.answer(sendAlert, async (input) => {
    sent.push(input);
    return answer;
  });
});
afterAll(() => stage?.close());
beforeEach(async () => {
  await stage.empty();
  await stage.empty('channels');
  sent = [];
  answer = isSent;
});

const sealed = { protected: 'a', iv: 'b', ciphertext: 'c', tag: 'd' };
const defaults = { name: 'Astreinte', min_severity: 'warning', all_groups: true, delay_minutes: 0 };
type Columns = Partial<typeof defaults> & { quiet_from?: string; quiet_to?: string };

/** Stores a channel whose target nobody opens; without an owner it is the installation's. */
async function addChannel(columns: Columns = {}, owner: string | null = stage.owner.id): Promise<{ id: string }> {
  const { rows } = await stage.query<{ id: string }>(
    `insert into sites.channels (id, owner_id, kind, target, time_zone, name, min_severity, all_groups, delay_minutes, quiet_from, quiet_to)
     select gen_random_uuid(), $1, 'webhook', $2, 'Europe/Paris', r.name, r.min_severity, r.all_groups, r.delay_minutes, r.quiet_from, r.quiet_to
     from jsonb_to_record($3) r(name text, min_severity text, all_groups boolean, delay_minutes int, quiet_from time, quiet_to time)
     returning id`,
    owner,
    JSON.stringify(sealed),
    JSON.stringify({ ...defaults, ...columns }),
  );
  return rows[0] ?? { id: '' };
}

const deliveries = async (search = '', person = stage.owner): Promise<Delivery[]> =>
  (await stage.ask('GET', `/deliveries${search}`, undefined, person)).body['items'] as Delivery[];

const goDown = (sites: Record<string, string>) => stage.reportTimes(3, sites, { code: 502 });
const goUp = (sites: Record<string, string>, times = 2) => stage.reportTimes(times, sites, { code: 200 });
const titles = () => sent.map(({ message }) => `${message.kind} ${message.title}`.replaceAll('\u00a0', ' '));

/** As a minute later for the planner. */
const lookAgain = () => stage.query('update sites.incidents set alerts_due_at = now() where alerts_due_at is not null');
/** Passes of the planner and the sender are a second apart. */
const settle = async () => {
  await lookAgain();
  await until(async () => {
    const { rows } = await stage.query('select from sites.incidents where alerts_due_at <= now()');
    return rows.length === 0;
  });
  await until(async () => {
    const { rows } = await stage.query(
      "select from sites.deliveries d join sites.channels c on c.id = d.channel_id where state = 'queued' and attempts = 0 and held_until < now() + interval '1 minute'",
    );
    return rows.length === 0;
  });
};

describe('an incident', () => {
  it('is told once when it opens and once when it ends', async () => {
    const sites = await stage.addSites(['boutique']);
    await addChannel();
    await goDown(sites);
    await until(() => sent.length === 1);
    await settle();
    await settle();
    await goUp(sites);
    await until(() => sent.length === 2);
    await settle();
    expect(titles()).toEqual(['opened boutique ne répond plus', 'resolved boutique répond de nouveau']);
    const [first] = sent;
    expect(first?.message).toMatchObject({ severity: 'critical', incident: { cause: { name: 'boutique' } } });
    expect(first?.message.link).toMatch(/^http:\/\/localhost:8080\/incidents\/[-0-9a-f]{36}$/);
    expect(first?.allows_private).toBe(false);
    expect(await deliveries()).toMatchObject([
      { kind: 'resolved', state: 'sent', attempts: 1, status: 200, answer: 'ok', error: null },
      { kind: 'opened', state: 'sent', channel: { name: 'Astreinte', kind: 'webhook' } },
    ]);
    const { events } = await stage.only('?state=resolved');
    expect(events.filter(({ kind }) => kind === 'alerted').map(({ subject }) => subject)).toEqual([
      'Astreinte',
      'Astreinte',
    ]);
  });

  it('is one message for a server with many sites', async () => {
    const server = await stage.addServer('web-03');
    const sites = await stage.addSites(['un', 'deux', 'trois', 'quatre'], server);
    await addChannel();
    await goDown(sites);
    await until(() => sent.length === 1);
    await goUp(sites);
    await until(() => sent.length === 2);
    await settle();
    expect(titles()).toEqual([
      'opened 4 sites de web-03 ne répondent plus',
      'resolved 4 sites de web-03 répondent de nouveau',
    ]);
    expect(sent[0]?.message.lines.at(-1)).toMatch(/^Touchés\u00a0: .*quatre/);
  });

  it('is told when it ends where one was told that became a part of it, though it was not told itself', async () => {
    const server = await stage.addServer('web-03');
    const first = await stage.addSites(['un'], server);
    const all = { ...first, ...(await stage.addSites(['deux', 'trois', 'quatre'], server)) };
    await addChannel();
    await goDown(first);
    await until(() => sent.length === 1);
    await stage.query('update sites.channels set is_enabled = false');
    await goDown(all);
    await settle();
    await stage.query('update sites.channels set is_enabled = true, enabled_at = now()');
    await goUp(all);
    await until(() => sent.length === 2);
    await settle();
    expect(titles()).toEqual(['opened un ne répond plus', 'resolved 4 sites de web-03 répondent de nouveau']);
  });

  it('is not told while it is muted or once somebody cares, and of others than chosen groups', async () => {
    const sites = await stage.addSites(['boutique', 'blog']);
    const group = String((await stage.ask('POST', '/groups', { name: 'Clients' })).body['id']);
    await stage.query('insert into sites.site_groups (site_id, group_id) values ($1, $2)', sites['blog'], group);
    const late = await addChannel({ name: 'Renfort', delay_minutes: 5 });
    const ofGroup = await addChannel({ name: 'Groupe', all_groups: false });
    await stage.query('insert into sites.channel_groups values ($1, $2)', ofGroup.id, group);
    await goDown({ boutique: sites['boutique'] ?? '' });
    const open = await stage.only('?state=open');
    await stage.ask('POST', `/incidents/${open.id}/mute`, { minutes: 60 });
    await stage.query("update sites.incidents set opened_at = opened_at - interval '6 minutes'");
    await settle();
    expect(sent).toEqual([]);
    await stage.ask('POST', `/incidents/${open.id}/mute`, { minutes: 0 });
    await settle();
    expect(sent.map((one) => one.channel_id)).toEqual([late.id]);
    await goDown({ blog: sites['blog'] ?? '' });
    await until(() => sent.length === 2);
    expect(sent[1]?.channel_id).toBe(ofGroup.id);
    const [newest] = await stage.list('?state=open');
    await stage.ask('POST', `/incidents/${newest?.id}/ack`, {});
    await stage.query("update sites.incidents set opened_at = opened_at - interval '6 minutes'");
    await settle();
    expect(sent).toHaveLength(2);
    // Without its groups a channel tells of nothing, rather than of everything.
    expect((await stage.ask('DELETE', `/groups/${group}`)).status).toBe(204);
    expect((await stage.ask('GET', '/channels')).body['items']).toContainEqual(
      expect.objectContaining({ id: ofGroup.id, group_ids: [] }),
    );
    await goDown(await stage.addSites(['tiers']));
    await settle();
    expect(sent).toHaveLength(2);
  });

  it('waits for the end of quiet hours unless it is critical', async () => {
    const around = (hours: number) => `(now() at time zone 'Europe/Paris' + interval '${hours} hours')::time`;
    await addChannel();
    await stage.query(`update sites.channels set quiet_from = ${around(-2)}, quiet_to = ${around(2)}`);
    const soon = new Date(Date.now() + 5 * 86_400_000).toISOString();
    const sites = await stage.addSites(['boutique']);
    await stage.reportTimes(1, sites, { code: 200, endsAt: soon });
    await settle();
    expect(await stage.list('?state=open')).toHaveLength(1);
    expect(sent).toEqual([]);
    await goDown(sites);
    await until(() => sent.length === 1);
    expect(titles()).toEqual(['opened boutique ne répond plus']);
    await stage.query(`update sites.channels set quiet_from = ${around(2)}, quiet_to = ${around(4)}`);
    await settle();
    expect(sent.map(({ message }) => message.severity)).toEqual(['critical', 'warning']);
  });

  it('that ended before anything could leave is not told', async () => {
    await addChannel();
    const sites = await stage.addSites(['boutique']);
    await stage.query("update sites.channels set held_until = now() + interval '1 hour'");
    await goDown(sites);
    await until(async () => (await deliveries('?state=queued')).length === 1);
    await goUp(sites);
    await until(async () => (await deliveries('?state=cancelled')).length === 1);
    await stage.query('update sites.channels set held_until = now()');
    await settle();
    expect(sent).toEqual([]);
    expect(await deliveries()).toMatchObject([{ kind: 'opened', error: 'L’incident a pris fin avant l’envoi.' }]);
  });

  it('is told to people as far as they may know of it', async () => {
    const server = await stage.addServer('web-secret');
    const sites = await stage.addSites(['un', 'deux', 'trois'], server);
    await stage.ask('POST', '/grants', { site_id: sites['un'], user_id: stage.guest.id, role: 'viewer' });
    const stranger = await addUser(stage.product, stage.admin.token);
    const ofGuest = await addChannel({}, stage.guest.id);
    await addChannel({}, stranger.id);
    const ofAdmins = await addChannel({}, null);
    await goDown(sites);
    await until(() => sent.length === 2);
    await settle();
    const [toGuest, toAdmins] = [ofGuest, ofAdmins].map(({ id }) => sent.find((one) => one.channel_id === id));
    expect(JSON.stringify(toGuest)).not.toMatch(/web-secret|deux|trois/);
    expect(toGuest).toMatchObject({
      allows_private: false,
      message: { title: 'un ne répond plus' },
    });
    expect(toAdmins).toMatchObject({
      allows_private: true,
      message: { title: '3\u00a0sites de web-secret ne répondent plus' },
    });
  });
});

describe('a message', () => {
  const delivery = async () => (await deliveries())[0];
  const send = async () => {
    await addChannel();
    await goDown(await stage.addSites(['boutique']));
    await until(() => sent.length > 0);
  };
  const passTime = () => stage.query("update sites.deliveries set next_at = now() where state = 'queued'");

  it('is tried again after a failure, with the same id, and then given up', async () => {
    answer = { ...isSent, outcome: 'retry', status: 500, error: 'Ça ne répond pas.' };
    await send();
    for (let attempts = 1; attempts <= 6; attempts += 1) {
      await until(async () => ((await delivery())?.attempts ?? 0) >= attempts);
      await passTime();
    }
    expect(await delivery()).toMatchObject({ state: 'failed', attempts: 6, status: 500, error: 'Ça ne répond pas.' });
    expect(new Set(sent.map((one) => one.message_id)).size).toBe(1);
    const { events } = await stage.only();
    expect(events.map(({ kind, subject, text }) => `${kind} ${subject} ${text}`)).toContain(
      'alert_failed Astreinte Ça ne répond pas.',
    );
    answer = isSent;
    const again = await stage.ask('POST', `/deliveries/${(await delivery())?.id}/resend`, {});
    expect(again.status).toBe(200);
    await until(async () => (await delivery())?.state === 'sent');
    expect(new Set(sent.map((one) => one.message_id)).size).toBe(1);
    expect(await deliveries()).toHaveLength(2);
    // What was sent again says nothing new about what the channel knows.
    await settle();
    expect(await deliveries()).toHaveLength(2);
  });

  it('waits as long as the other side asks, as do all others of its channel', async () => {
    answer = { ...isSent, outcome: 'retry', status: 429, error: 'Trop.', retry_after: 600 };
    await send();
    await until(async () => (await delivery())?.attempts === 1);
    const test = await stage.ask('POST', `/channels/${(await delivery())?.channel.id}/test`, {});
    expect(test.status).toBe(429);
    answer = isSent;
    const other = await addChannel({ name: 'Autre' });
    await goDown(await stage.addSites(['blog']));
    await passTime();
    await until(() => sent.some((one) => one.channel_id === other.id));
    await settle();
    expect(sent).toHaveLength(2);
    const waiting = await deliveries('?state=queued');
    expect(waiting).toHaveLength(2);
    for (const { next_at: at } of waiting) expect(Date.parse(at ?? '') - Date.now()).toBeGreaterThan(300_000);
  });

  it('leaves before the next one of its incident', async () => {
    answer = { ...isSent, outcome: 'retry', status: 500, error: 'Non.' };
    await send();
    await until(async () => (await delivery())?.attempts === 1);
    await stage.query("update sites.deliveries set next_at = now() + interval '1 hour' where state = 'queued'");
    await stage.query("update sites.incidents set resolved_at = now(), resolution = 'closed'");
    await until(async () => (await deliveries()).length === 2);
    answer = isSent;
    // What is asked for now is claimed after all that is due.
    await stage.ask('POST', `/channels/${(await delivery())?.channel.id}/test`, {});
    expect(titles()).toEqual(['opened boutique ne répond plus', 'test Message de test de Vigie']);
    answer = isSent;
    await passTime();
    await until(() => sent.length === 4);
    expect(titles().slice(2)).toEqual([
      'opened boutique ne répond plus',
      'resolved Incident clos : boutique ne répondait plus',
    ]);
  });
});

describe('a channel of a group', () => {
  const intoGroup = async (name: string, ...ids: (string | undefined)[]) => {
    const group = String((await stage.ask('POST', '/groups', { name })).body['id']);
    await stage.query(
      'insert into sites.site_groups (site_id, group_id) select s, $2 from unnest($1::uuid[]) s',
      ids,
      group,
    );
    return group;
  };

  it('says of the incident of a server only what happens to its own sites', async () => {
    const sites = await stage.addSites(['un', 'deux', 'trois'], await stage.addServer('web-03'));
    const { un = '', ...others } = sites;
    const channel = await addChannel({ all_groups: false }, null);
    await stage.query('insert into sites.channel_groups values ($1, $2)', channel.id, await intoGroup('Client', un));
    await goDown(sites);
    await until(() => sent.length === 1);
    expect(JSON.stringify(sent)).not.toMatch(/deux|trois/);
    await goUp({ un });
    await lookAgain();
    await until(() => sent.length === 2);
    await goDown({ un });
    await lookAgain();
    await until(() => sent.length === 3);
    await goUp({ ...others, un });
    await until(() => sent.length === 4);
    await settle();
    expect(sent.map(({ message }) => message.kind)).toEqual(['opened', 'resolved', 'reopened', 'resolved']);
    expect(JSON.stringify(sent)).not.toMatch(/deux|trois/);
  });

  it('sums up the day of its own sites', async () => {
    const sites = await stage.addSites(['un', 'deux']);
    await stage.addSites(['trois']);
    const channel = await addChannel({ all_groups: false }, null);
    await stage.query(
      'insert into sites.channel_groups values ($1, $2)',
      channel.id,
      await intoGroup('Client', sites['un']),
    );
    await stage.query("update sites.channels set min_severity = null, digest_at = '08:00', digest_due_at = 'infinity'");
    await goDown(sites);
    await stage.query('update sites.channels set digest_due_at = now()');
    await until(() => sent.length === 1);
    expect(titles()[0]).toContain('1 incident en cours');
    expect(sent[0]?.message.lines.at(-1)).toBe('Vigie surveille 1\u00a0site.');
    expect(JSON.stringify(sent)).not.toContain('deux');
  });
});

it('says an incident again that could not be said for an hour', async () => {
  answer = { ...isSent, outcome: 'refused', status: 404, error: 'Supprimé.' };
  await addChannel();
  await goDown(await stage.addSites(['boutique']));
  await until(async () => (await deliveries('?state=failed')).length === 1);
  await settle();
  expect(sent).toHaveLength(1);
  answer = isSent;
  await stage.query("update sites.deliveries set ended_at = ended_at - interval '61 minutes'");
  await settle();
  expect(titles()).toEqual(['opened boutique ne répond plus', 'opened boutique ne répond plus']);
  await settle();
  expect(sent).toHaveLength(2);
});

it('leaves neither a paused channel nor one whose owner lost the right', async () => {
  const sites = await stage.addSites(['boutique']);
  const grant = { site_id: sites['boutique'], user_id: stage.guest.id, role: 'viewer' };
  const { body } = await stage.ask('POST', '/grants', grant);
  await addChannel({ name: 'Invité' }, stage.guest.id);
  const paused = await addChannel();
  await stage.query("update sites.channels set held_until = now() + interval '1 hour'");
  await goDown(sites);
  await until(async () => (await stage.query('select from sites.deliveries')).rows.length === 2);
  expect((await stage.ask('PUT', `/channels/${paused.id}`, { is_enabled: false })).status).toBe(200);
  expect((await stage.ask('DELETE', `/grants/${String(body['id'])}`)).status).toBe(204);
  await stage.query('update sites.channels set held_until = now()');
  await until(async () => (await stage.query("select from sites.deliveries where state = 'queued'")).rows.length === 0);
  const { rows } = await stage.query<{ state: string }>('select state from sites.deliveries');
  expect(rows).toEqual([{ state: 'cancelled' }, { state: 'cancelled' }]);
  expect(sent).toEqual([]);
});

it('sums up a day, and says when the next one is due', async () => {
  await goDown(await stage.addSites(['boutique']));
  await stage.query(
    `insert into sites.channels (id, owner_id, kind, name, target, time_zone, digest_at, digest_due_at, min_severity)
     values (gen_random_uuid(), $1, 'slack', 'Bulletin', '{}', 'Europe/Paris', '08:00', now(), null)`,
    stage.owner.id,
  );
  await until(() => sent.length === 1);
  expect(titles()[0]).toMatch(/^digest Bulletin du .* : 1 incident en cours$/);
  const { rows } = await stage.query<{ hour: string; hours: number }>(
    `select to_char(digest_due_at at time zone 'Europe/Paris', 'HH24:MI') as hour,
       extract(epoch from digest_due_at - now()) / 3600 as hours from sites.channels`,
  );
  expect(rows).toEqual([{ hour: '08:00', hours: expect.anything() }]);
  expect(Number(rows[0]?.hours)).toBeGreaterThan(0);
  expect(Number(rows[0]?.hours)).toBeLessThanOrEqual(25);
});
