import type { Channel, Delivery } from '@vigie/contracts/channels';
import { aChannel } from '@vigie/testing/sample-channels';
import { afterEach, expect, it } from 'vitest';
import { type Answers, closeServers, prepare } from './test-cli';
import { formatTime } from './times';

afterEach(closeServers);

const mail = aChannel({ name: 'Administrateurs' });
const { id, created_at: at } = mail;
const later = '2026-11-29T03:13:00.000Z';
const failed = { id, state: 'failed', at, error: 'hooks.slack.com answers 404.' } as const;
const watch: Channel = { ...mail, kind: 'heartbeat', host: 'hc-ping.com', min_severity: null };
const called = { called_at: at, accepted_at: at, status: 200, error: null, missing: [] };
const channels: Channel[] = [
  mail,
  { ...mail, name: 'Moi', is_shared: false, min_severity: null, digest_at: '08:00' },
  { ...mail, name: 'Astreinte', emails: ['a@exemple.fr', 'b@exemple.fr'], is_enabled: false },
  { ...mail, kind: 'slack', name: 'Alertes', host: 'hooks.slack.com', min_severity: 'critical', last_delivery: failed },
  { ...mail, kind: 'telegram', name: 'Garde', host: 'api.telegram.org', chat_id: '@garde' },
  { ...watch, name: 'Veille', heartbeat: called },
  { ...watch, name: 'Panne', heartbeat: { ...called, status: 500, error: 'No.' } },
  { ...watch, name: 'Silence', heartbeat: { ...called, missing: [{ part: 'ssh-agent', since: at }] } },
];
const waiting: Delivery = {
  id,
  channel: { id, kind: 'slack', name: 'Alertes' },
  kind: 'opened',
  title: 'boutique ne répond plus',
  incident_id: id,
  state: 'queued',
  attempts: 1,
  status: 503,
  answer: 'no',
  error: 'hooks.slack.com answers 503.',
  created_at: at,
  next_at: later,
  sent_at: null,
  resent_from: null,
};
const fresh: Delivery = { ...waiting, attempts: 0, status: null, answer: null, error: null };
const sent: Delivery = {
  ...waiting,
  kind: 'test',
  title: 'Message de test de Vigie',
  state: 'sent',
  error: null,
  next_at: null,
};

async function vigie(line: string, answers: Answers) {
  const { run, written } = await prepare(line.split(' '), answers);
  const code = await run();
  return { code, ...written };
}
const rowsOf = (out: string) =>
  out
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.split('\t'));

it('lists the channels, where they send and how the last message ended', async () => {
  const { code, out } = await vigie('channels', ({ path }) =>
    path === '/channels' ? { body: { items: channels, total: channels.length } } : undefined,
  );
  expect(code).toBe(0);
  expect(rowsOf(out)).toEqual([
    ['Administrateurs', 'mail', 'administrators', 'warning', 'yes', ''],
    ['Moi', 'mail', 'its owner', 'summary only', 'yes', ''],
    ['Astreinte', 'mail', 'a@exemple.fr, b@exemple.fr', 'warning', 'no', ''],
    ['Alertes', 'slack', 'hooks.slack.com', 'critical', 'yes', `${formatTime(at)} failed hooks.slack.com answers 404.`],
    ['Garde', 'telegram', '@garde', 'warning', 'yes', ''],
    ['Veille', 'heartbeat', 'hc-ping.com', '', 'yes', `${formatTime(at)} accepted`],
    ['Panne', 'heartbeat', 'hc-ping.com', '', 'yes', `${formatTime(at)} failed No.`],
    ['Silence', 'heartbeat', 'hc-ping.com', '', 'yes', 'no call: ssh-agent missing'],
  ]);
});

it('lists the messages, or those of one state', async () => {
  const paths: string[] = [];
  const answers: Answers = ({ path }) => {
    paths.push(path);
    return { body: { items: [waiting, sent], total: 2 } };
  };
  const { code, out } = await vigie('deliveries', answers);
  const again = `hooks.slack.com answers 503. tried again ${formatTime(later)}`;
  expect([code, rowsOf(out)]).toEqual([
    0,
    [
      [formatTime(at), 'Alertes', 'began', 'boutique ne répond plus', 'waits', again],
      [formatTime(at), 'Alertes', 'test', 'Message de test de Vigie', 'sent', ''],
    ],
  ]);
  await vigie('deliveries --state failed --limit 5', answers);
  expect(paths).toEqual(['/deliveries?limit=20', '/deliveries?state=failed&limit=5']);
  await expect(vigie('deliveries --state lost', answers)).rejects.toThrow('--state');
});

it('says when a message leaves that was not tried yet', async () => {
  const items: Delivery[] = [fresh, { ...fresh, next_at: null }];
  const { out } = await vigie('deliveries', () => ({ body: { items, total: items.length } }));
  expect(rowsOf(out).map((row) => row.at(-1))).toEqual([`leaves ${formatTime(later)}`, '']);
});

it('answers in JSON as the server did', async () => {
  const body = { items: [{ ...sent, unknown_field: 1 }], total: 1 };
  const { out } = await vigie('deliveries --json', () => ({ body }));
  expect(JSON.parse(out)).toEqual(body);
});
