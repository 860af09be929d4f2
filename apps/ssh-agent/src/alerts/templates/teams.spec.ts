import { expect, it } from 'vitest';
import { aMessage } from '@vigie/testing/sample-alerts';
import { bodyFor } from '../alerts-for-tests';

it('is an adaptive card with one button', () => {
  const { link } = aMessage();
  expect(bodyFor('teams', aMessage({ lines: ['a_b', '[ici](x)'] }))).toEqual({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            {
              type: 'TextBlock',
              text: 'Critique\u00a0: boutique.fr ne répond plus',
              wrap: true,
              weight: 'Bolder',
              size: 'Medium',
            },
            { type: 'TextBlock', text: String.raw`a\_b${'\n\n'}\[ici\](x)`, wrap: true },
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Voir l’incident', url: link }],
        },
      },
    ],
  });
});
