import { expect, it } from 'vitest';
import { aMessage } from '@vigie/testing/sample-alerts';
import { bodyFor } from '../alerts-for-tests';

const textOf = (title: string) => String(bodyFor('slack', aMessage({ title, lines: [] }))['text']).split('\n')[0];

it('escapes what would be a mention or a link', () => {
  expect(textOf('<!channel> & <https://evil.example|ici>')).toBe(
    'Critique\u00a0: &lt;!channel&gt; &amp; &lt;https:\u200B//evil.example|ici&gt;',
  );
});

it('breaks the mentions of Mattermost, and writes its signs of format as others', () => {
  expect(textOf('@all *web_03* _x_ [a](b)')).toBe('Critique\u00a0: @\u200Ball ∗web_03∗ ＿x＿ ［a］(b)');
});

it('ends with one link to Vigie', () => {
  const { link } = aMessage();
  expect(bodyFor('slack', aMessage({ link_label: 'a|b>c' }))['text']).toMatch(new RegExp(`\n<${link}\\|a b&gt;c>$`));
});
