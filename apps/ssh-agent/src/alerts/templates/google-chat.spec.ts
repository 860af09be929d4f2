import { expect, it } from 'vitest';
import { aMessage } from '@vigie/testing/sample-alerts';
import { bodyFor } from '../alerts-for-tests';

it('writes mentions and links as text', () => {
  const message = aMessage({ title: 'x', lines: ['<users/all>', '<https://evil.example|ici> *gras*'] });
  const { link } = message;
  expect(bodyFor('google_chat', message)).toEqual({
    text: `Critique\u00a0: x\n‹users/all›\n‹https:\u200B//evil.example|ici› ∗gras∗\n<${link}|Voir l’incident>`,
  });
});
