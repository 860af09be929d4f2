import { expect, it } from 'vitest';
import { aMessage, longMessage } from '@vigie/testing/sample-alerts';
import { aReceiver, attempt, bodyFor } from '../alerts-for-tests';
import { telegramRequest } from './telegram';

it('is plain text for one conversation', () => {
  const message = aMessage({ lines: ['*gras* <b>x</b> @camille'] });
  expect(bodyFor('telegram', message)).toEqual({
    chat_id: '-1001234567890',
    text: `Critique\u00a0: boutique.fr ne répond plus\n*gras* <b>x</b> @\u200Bcamille\n\nVoir l’incident\u00a0: ${message.link}`,
    link_preview_options: { is_disabled: true },
  });
});

it('goes to the robot of the token', () => {
  const receiver = aReceiver('telegram', { url: 'https://robots.example/api/' });
  const { url } = telegramRequest(aMessage(), receiver, attempt);
  expect(url).toBe(`https://robots.example/api/bot${receiver.secret}/sendMessage`);
});

it('fills what Telegram takes, and keeps the link', () => {
  const text = String(bodyFor('telegram', longMessage())['text']);
  expect(text.length).toBeGreaterThan(4_000);
  expect(text.length).toBeLessThanOrEqual(4_096);
});
