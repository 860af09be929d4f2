import { expect, it } from 'vitest';
import { originOf, spellCounts, spellField, spellName, spellProxied, spellTtl, stateOf } from './words';

const record = {
  type: 'MX',
  name: 'exemple.fr',
  content: 'mx.exemple.fr',
  ttl: 120,
  priority: 0,
  proxied: false,
  comment: null,
};

it('shows a paused zone as paused, and an unknown status unchanged', () => {
  expect(stateOf({ status: 'active', paused: true }).word).toBe('En pause');
  expect(stateOf({ status: 'active', paused: false }).word).toBe('Actif');
  expect(stateOf({ status: 'pending', paused: false }).word).toBe('En attente');
  expect(stateOf({ status: 'moved', paused: false }).word).toBe('moved');
});

it('shows the apex as @, and other names without the zone', () => {
  expect(spellName('exemple.fr', 'exemple.fr')).toBe('@');
  expect(spellName('a.b.exemple.fr', 'exemple.fr')).toBe('a.b');
  expect(spellName('monexemple.fr', 'exemple.fr')).toBe('monexemple.fr');
});

it('shows known TTLs in minutes, hours or days, the automatic one as Auto, others in seconds', () => {
  expect([1, 60, 3600, 86_400, 120].map(spellTtl)).toEqual([
    'Auto',
    '1\u00a0min',
    '1\u00a0h',
    '1\u00a0jour',
    '120\u00a0s',
  ]);
});

it('says whether visitors pass through Cloudflare', () => {
  expect(spellProxied({ type: 'A', proxied: true })).toBe('Par Cloudflare');
  expect(spellProxied({ type: 'CNAME', proxied: false })).toBe('DNS seulement');
  expect(spellProxied({ type: 'TXT', proxied: false })).toBe('—');
});

it('shows each field of a record, also a priority of 0', () => {
  const spell = (field: Parameters<typeof spellField>[0]) => spellField(field, record, 'exemple.fr');
  expect(spell('name')).toBe('@');
  expect(spell('priority')).toBe('0');
  expect(spell('comment')).toBe('—');
  expect(spell('ttl')).toBe('120\u00a0s');
});

it('leaves out counts of zero', () => {
  expect(spellCounts({ added: 1, changed: 0, removed: 2 })).toBe('1\u00a0ajouté, 2\u00a0supprimés');
  expect(spellCounts({ added: 0, changed: 0, removed: 0 })).toBe('aucun changement');
});

it('says whether a write added, deleted or changed a record', () => {
  const by = (counts: object) =>
    originOf({ reason: 'write', actor_name: 'Anne', counts: { added: 0, changed: 0, removed: 0, ...counts } });
  expect([by({ added: 1 }), by({ removed: 2 }), by({ changed: 1 }), by({ added: 1, removed: 1 })]).toEqual([
    'Enregistrement ajouté par Anne',
    'Enregistrement supprimé par Anne',
    'Enregistrement modifié par Anne',
    'Enregistrement modifié par Anne',
  ]);
});
