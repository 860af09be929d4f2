import { describe, expect, it } from 'vitest';
import { isNear, matchCommands } from './match';
import { meaningfulWords } from './verbs';

const commands = [
  { label: 'Sites', words: 'wordpress mises à jour' },
  { label: 'Plugins', words: 'extensions mises à jour' },
  { label: 'Serveurs', words: 'ssh machines' },
  { label: 'Paramètres', words: 'réglages nom de l’application' },
  { label: 'Se déconnecter', words: 'déconnexion quitter' },
];
const find = (query: string) => matchCommands(commands, meaningfulWords(query)).map(({ label }) => label);

describe('the palette', () => {
  it('shows everything, in order, to an empty query', () => {
    expect(find('  ')).toEqual(commands.map(({ label }) => label));
  });

  it('ignores accents and case on both sides', () => {
    expect(find('REGLAGES')).toEqual(['Paramètres']);
    expect(find('sërveurs')).toEqual(['Serveurs']);
  });

  it('puts a label that starts with the query before one that only contains it', () => {
    expect(find('se')).toEqual(['Serveurs', 'Se déconnecter']);
    expect(find('s')[0]).toBe('Sites');
  });

  it('finds a command only by all words of the query, in any order', () => {
    expect(find('jour extensions')).toEqual(['Plugins']);
    expect(find('jour machines')).toEqual([]);
  });

  it('accepts a straight apostrophe for a curly one', () => {
    expect(find("l'application")).toEqual(['Paramètres']);
  });

  it('forgives one typing error in a longer word, after what matches exactly', () => {
    expect(find('serveuts')).toEqual(['Serveurs']);
    expect(
      matchCommands(
        [
          { label: 'Sauvegarde', words: '' },
          { label: 'Sauvegarfe', words: '' },
        ],
        ['sauvegarf'],
      ),
    ).toEqual([
      { label: 'Sauvegarfe', words: '' },
      { label: 'Sauvegarde', words: '' },
    ]);
  });
});

it.each([
  ['sauvegrade', 'sauvegarder', true],
  ['sauvgarder', 'sauvegarder', true],
  ['sauvvegarder', 'sauvegarder', true],
  ['auvegarder', 'sauvegarder', true],
  ['sauvxgard', 'sauvegarder', true],
  ['souvegrader', 'sauvegarder', false],
  ['majj', 'maj', false],
])('takes %j for %j: %s', (word, text, isTaken) => {
  expect(isNear(word, text)).toBe(isTaken);
});
