import type { Channel, ChannelKind } from '@vigie/contracts/channels';
import { momentWords } from '@vigie/contracts/incident-words';
import { aChannel } from '@vigie/testing/sample-channels';
import { expect, it } from 'vitest';
import { attemptsWords, hasNoGroup, resendOutcome, rulesWords, targetWords, testOutcome } from './words';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

it('says where messages go', () => {
  const target = (fields: Partial<Channel>) => targetWords(aChannel(fields), 'me');
  expect(target({})).toBe('tous les administrateurs');
  expect(target({ is_shared: false })).toBe('votre adresse');
  expect(target({ is_shared: false, owner_id: 'me' })).toBe('votre adresse');
  expect(target({ is_shared: false, owner_id: 'other' })).toBe('l’adresse de son propriétaire');
  expect(target({ emails: ['a@vigie.test', 'b@vigie.test'] })).toBe('a@vigie.test et b@vigie.test');
  expect(target({ kind: 'slack', host: 'hooks.slack.com' })).toBe('hooks.slack.com');
  expect(target({ kind: 'telegram', host: 'api.telegram.org', chat_id: '@astreinte' })).toBe('conversation @astreinte');
});

it('says which incidents go, when, and after how long', () => {
  const rules = (fields: Partial<Channel>, groups: string[] = []) => plain(rulesWords(aChannel(fields), groups));
  expect(rules({})).toBe('Incidents « Attention » et critiques');
  expect(rules({ min_severity: 'critical', group_ids: ['a', 'b'], delay_minutes: 15 }, ['Clients', 'Boutiques'])).toBe(
    'Incidents critiques seulement (Clients et Boutiques), si personne ne s’en charge en 15 min',
  );
  expect(rules({ min_severity: 'info', quiet_from: '22:00', quiet_to: '07:00' })).toBe(
    'Tous les incidents · Heures calmes de 22:00 à 07:00',
  );
  expect(rules({ min_severity: null, digest_at: '08:00', delay_minutes: 15 })).toBe(
    'Aucun incident · Bulletin du jour à 08:00',
  );
  expect(rules({ kind: 'heartbeat', min_severity: null })).toBe('Un appel chaque minute, tant que tout fonctionne');
});

it('counts the groups that the reader does not know', () => {
  const rules = (ids: string[], groups: string[]) => plain(rulesWords(aChannel({ group_ids: ids }), groups));
  expect(rules(['a', 'b'], [])).toBe('Incidents « Attention » et critiques (2 groupes)');
  expect(rules(['a'], [])).toBe('Incidents « Attention » et critiques (1 groupe)');
  expect(rules(['a', 'b'], ['Clients'])).toBe('Incidents « Attention » et critiques (Clients et 1 autre groupe)');
  expect(rules(['a', 'b', 'c', 'd'], ['Clients', 'Boutiques'])).toBe(
    'Incidents « Attention » et critiques (Clients, Boutiques et 2 autres groupes)',
  );
  expect(rules([], [])).toBe('Incidents « Attention » et critiques');
});

it('says when a message leaves, and after a failure when it is tried again', () => {
  const next = '2026-11-29T08:00:00Z';
  const words = (attempts: number, nextAt: string | null) => plain(attemptsWords({ attempts, next_at: nextAt }));
  const moment = plain(momentWords(next));
  expect(words(0, next)).toBe(`part le ${moment}`);
  expect(words(1, next)).toBe(`nouvel essai le ${moment}`);
  expect(words(2, next)).toBe(`2 tentatives, nouvel essai le ${moment}`);
  expect(words(2, null)).toBe('2 tentatives');
  expect(words(0, null)).toBe('');
});

it('warns of a channel that lost its groups', () => {
  expect(hasNoGroup(aChannel({ group_ids: [] }))).toBe(true);
  expect(hasNoGroup(aChannel({ group_ids: [], min_severity: null }))).toBe(false);
  expect(hasNoGroup(aChannel())).toBe(false);
});

it('says how a test and a second sending ended', () => {
  const test = (fields: Partial<Parameters<typeof testOutcome>[0]>, kind: ChannelKind = 'slack') => {
    const channel = { id: '', kind, name: '' };
    const { tone, sentence } = testOutcome({
      state: 'sent',
      error: null,
      status: 200,
      answer: null,
      channel,
      ...fields,
    });
    return [tone, plain(sentence)];
  };
  expect(test({})).toEqual(['ok', 'Message de test envoyé.']);
  expect(test({ state: 'failed', error: 'HTTP 404.' })).toEqual(['danger', 'HTTP 404.']);
  expect(test({}, 'heartbeat')).toEqual(['ok', 'Signe de vie accepté (HTTP 200).']);
  expect(test({ answer: 'OK' }, 'heartbeat')).toEqual(['ok', 'Signe de vie accepté (HTTP 200) : OK']);
  expect(test({ state: 'failed', error: 'En panne.', answer: 'non' }, 'heartbeat')).toEqual([
    'danger',
    'En panne. Réponse : non',
  ]);
  expect(test({ state: 'queued', error: 'HTTP 500.' })[1]).toBe(
    'Le message de test n’est pas encore arrivé : Vigie réessaie. HTTP 500.',
  );
  expect(resendOutcome({ state: 'queued', error: null }).sentence).toBe('Le message repart.');
  expect(resendOutcome({ state: 'failed', error: null })).toMatchObject({ tone: 'danger' });
});
