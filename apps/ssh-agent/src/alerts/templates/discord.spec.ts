import { expect, it } from 'vitest';
import { aMessage, longMessage } from '@vigie/testing/sample-alerts';
import { bodyFor } from '../alerts-for-tests';

const embedOf = (...message: Parameters<typeof aMessage>) => {
  const body = bodyFor('discord', aMessage(...message)) as { embeds: Record<string, string>[] };
  return body.embeds[0];
};

it('mentions nobody, whatever its texts say', () => {
  expect(bodyFor('discord', aMessage())).toMatchObject({ allowed_mentions: { parse: [] } });
  const { title } = embedOf({ title: '@everyone <@123>' }) ?? {};
  expect(title).toBe(String.raw`Critique${'\u00a0'}: @${'\u200B'}everyone \<@${'\u200B'}123>`);
});

it('escapes Markdown, and links only to Vigie', () => {
  const { description } = embedOf({ lines: ['**gras** [ici](https://evil.example)', '# titre'] }) ?? {};
  const text = String.raw`\*\*gras\*\* \[ici\](https:${'\u200B'}//evil.example)`;
  expect(description).toBe(`${text}\n\u200B# titre\n[Voir l’incident](${aMessage().link})`);
});

it('encodes what would end the link', () => {
  expect(embedOf({ link: 'https://vigie.example/a)b c' })?.['description']).toMatch(
    /\(https:\/\/vigie\.example\/a%29b%20c\)$/,
  );
});

it('never ends a cut text inside an escape', () => {
  const { embeds } = bodyFor('discord', longMessage()) as { embeds: [{ title: string; description: string }] };
  expect(embeds[0].title).toMatch(/[^\\](?:\\\\)*…$/);
  expect(embeds[0].title.length).toBeGreaterThan(200);
});
