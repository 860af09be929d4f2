import { describe, expect, it } from 'vitest';
import { aRecord, storedRecord } from '@vigie/testing/dns-records';
import { quoteText } from './canonical';
import { applyChanges, recordFromForm } from './record-forms';

const text = (content: string) => ({ ...storedRecord('1', aRecord('a', { type: 'TXT', content })), proxiable: false });

describe('the text of a record', () => {
  it('keeps its quotes and bytes when another field changes', () => {
    for (const content of ['"x"', 'x', '"a\\000b"', `${'"'.repeat(2_000)}x`]) {
      for (const changes of [{ ttl: 600 }, { ttl: 600, content }]) {
        expect(applyChanges(text(content), changes, 'exemple.fr')).toMatchObject({ ttl: 600, content });
      }
    }
  });

  it('keeps a stored comment, whatever it contains', () => {
    for (const comment of ['a\nb', 'x'.repeat(600), 'a\u200bb']) {
      expect(applyChanges({ ...text('x'), comment }, { ttl: 600 }, 'exemple.fr')).toMatchObject({ ttl: 600, comment });
      expect(() => applyChanges({ ...text('x'), comment }, { comment }, 'exemple.fr')).toThrow('Ce texte');
    }
    expect(applyChanges({ ...text('x'), comment: 'a' }, { comment: null }, 'exemple.fr').comment).toBeNull();
  });

  it('is parsed when it is typed, and written back unchanged', () => {
    const form = { type: 'TXT' as const, name: 'a', content: '"\\195\\169" "\\"x\\""' };
    expect(recordFromForm(form, 'exemple.fr').content).toBe('é"x"');
    expect(applyChanges(text('a'), { content: '"x"' }, 'exemple.fr').content).toBe('x');
    expect(() => applyChanges(text('a'), { content: '"\\000"' }, 'exemple.fr')).toThrow('sans caractère invisible');
    expect(quoteText('é"x"')).toBe('"é\\"x\\""');
    expect(quoteText('"a\\000b"')).toBe('"a\\000b"');
  });
});

it('gives the default TTL to a proxied record whose new type cannot be proxied', () => {
  const record = { ...text('192.0.2.1'), type: 'A', ttl: 1, proxied: true };
  const mail = applyChanges(record, { type: 'MX', content: 'mx.exemple.fr', priority: 10 }, 'exemple.fr');
  expect(mail).toMatchObject({ type: 'MX', ttl: 3_600, proxied: false });
  expect(applyChanges(record, { proxied: false }, 'exemple.fr').ttl).toBe(3_600);
  expect(applyChanges(record, { content: '192.0.2.2' }, 'exemple.fr')).toMatchObject({ ttl: 1, proxied: true });
});
