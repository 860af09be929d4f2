import { expect, it } from 'vitest';
import { type PasskeyUse, refusalSentence } from './refusals';

const asked = { domain: 'vigie.example', waitedMs: 1_000, timeoutMs: 300_000 };
const sentenceOf = (name: string, use: PasskeyUse = 'login', waitedMs = asked.waitedMs) =>
  refusalSentence(Object.assign(new Error('browser'), { name }), { ...asked, use, waitedMs });

it('says what else to do when the question was cancelled or there is no passkey here', () => {
  expect(sentenceOf('NotAllowedError', 'creation')).toContain('Aucune clé d’accès n’a été ajoutée');
  expect(sentenceOf('NotAllowedError', 'login')).toContain('mot de passe');
  expect(sentenceOf('NotAllowedError', 'second-factor')).toContain('code');
});

it('says that the time is over rather than that somebody cancelled', () => {
  expect(sentenceOf('NotAllowedError', 'login', 300_000)).toContain('Le temps est écoulé');
});

it('says nothing when the page itself gave the question up', () => {
  expect(sentenceOf('AbortError')).toBeUndefined();
});

it.each([
  ['InvalidStateError', 'déjà'],
  ['NotSupportedError', 'ne fait pas de clé d’accès'],
  ['ConstraintError', 'ne fait pas de clé d’accès'],
  ['SecurityError', 'vigie.example'],
  ['UnknownError', 'Réessayez'],
])('explains %s', (name, part) => {
  expect(sentenceOf(name)).toContain(part);
});
