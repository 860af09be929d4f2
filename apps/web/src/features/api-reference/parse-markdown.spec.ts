import { expect, it } from 'vitest';
import { parseInline, parseMarkdown } from './parse-markdown';

it('reads paragraphs, headings, lists, tables and code', () => {
  const source = [
    '## Jetons',
    'Une phrase',
    'sur deux lignes.',
    '',
    '- un',
    '  et demi',
    '- deux',
    '',
    '1. premier',
    '',
    '| Droit | Sens |',
    '|---|:--|',
    '| `read` | Lire |',
    '```sh',
    '- curl',
    '```',
  ].join('\n');
  expect(parseMarkdown(source)).toEqual([
    { kind: 'heading', text: 'Jetons' },
    { kind: 'paragraph', text: 'Une phrase sur deux lignes.' },
    { kind: 'list', isOrdered: false, items: ['un et demi', 'deux'] },
    { kind: 'list', isOrdered: true, items: ['premier'] },
    { kind: 'table', head: ['Droit', 'Sens'], rows: [['`read`', 'Lire']] },
    { kind: 'code', text: '- curl' },
  ]);
});

it('leaves HTML and what it does not know as text', () => {
  const text = '<img src=x onerror=alert(1)> [ici](javascript:alert(1)) *a* `';
  expect(parseInline(text)).toEqual([{ kind: 'text', text }]);
});

it('cuts code and strong words out of a line', () => {
  expect(parseInline('Le `a|b` est **fort**.')).toEqual([
    { kind: 'text', text: 'Le ' },
    { kind: 'code', text: 'a|b' },
    { kind: 'text', text: ' est ' },
    { kind: 'strong', text: 'fort' },
    { kind: 'text', text: '.' },
  ]);
});
