import { describe, expect, it } from 'vitest';
import { createDnsConfig, editDnsConfig } from './dns-config';
import { RecordChanges, RecordForm } from './dns-records';

const form = { type: 'TXT', name: 'a', content: 'x' };
const refusalOf = (answer: { error?: { issues: { message: string }[] } | undefined }) =>
  answer.error?.issues[0]?.message;

describe('the form of a record', () => {
  it('refuses text that is invisible or cannot be stored', () => {
    const comments = ['a\0b', 'a\nb', 'a\rb', 'a\ud800b', '\udc00'];
    for (const comment of comments) {
      expect([comment, refusalOf(RecordForm.safeParse({ ...form, comment }))]).toEqual([
        comment,
        'Ce texte tient sur une ligne, sans caractère invisible.',
      ]);
      expect(RecordChanges.safeParse({ comment }).success).toBe(false);
    }
    for (const content of ['a\ud800b', '"a\ud800b"', 'a\0b', '"a" "\udc00"']) {
      expect([content, refusalOf(RecordForm.safeParse({ ...form, content }))]).toEqual([
        content,
        expect.stringContaining('sans caractère invisible'),
      ]);
    }
    expect(RecordForm.safeParse({ ...form, name: 'a\ud800' }).success).toBe(false);
  });

  it('keeps text of any script, and takes an empty comment for none', () => {
    expect(RecordForm.parse({ ...form, content: 'été 🦊', comment: ' le site 🦊 ' })).toMatchObject({
      content: 'été 🦊',
      comment: 'le site 🦊',
    });
    expect(RecordForm.parse({ ...form, comment: ' ' }).comment).toBeNull();
    expect(RecordForm.safeParse({ ...form, comment: 'x'.repeat(501) }).success).toBe(false);
  });
});

it('accepts several lines in the notes of a configuration, without characters that cannot be stored', () => {
  const whole = { mode: 'api_token', api_key: 'x' };
  expect(createDnsConfig.input.parse({ ...whole, notes: 'une\r\n\tdeux\n' }).notes).toBe('une\r\n\tdeux');
  for (const notes of ['a\0b', 'a\ud800', 'a\u001bb']) {
    expect(refusalOf(createDnsConfig.input.safeParse({ ...whole, notes }))).toContain('retirez-le');
    expect(refusalOf(editDnsConfig.input.safeParse({ notes }))).toContain('retirez-le');
  }
});
