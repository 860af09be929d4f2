import { expect, it } from 'vitest';
import { readCertificate } from './site-certificate';

const valid = 'Jan  2 03:04:05 2035 GMT';
const read = (presented: object) => readCertificate({ getPeerCertificate: () => presented });
const issuerOf = (issuer: object) => read({ valid_to: valid, issuer })?.issuer;

it('names the organisation that issued it, or else its common name', () => {
  expect(
    read({ valid_from: 'Jan  2 03:04:05 2025 GMT', valid_to: valid, issuer: { O: 'Let’s Encrypt', CN: 'R11' } }),
  ).toEqual({
    starts_at: '2025-01-02T03:04:05.000Z',
    ends_at: '2035-01-02T03:04:05.000Z',
    issuer: 'Let’s Encrypt',
  });
  expect(read({ valid_from: [], valid_to: valid })?.starts_at).toBeNull();
  expect(issuerOf({ CN: 'R11' })).toBe('R11');
  expect(issuerOf({ O: ['', 'Deux'], CN: 'R11' })).toBe('Deux');
});

it('keeps one line of 300 characters of a hostile issuer', () => {
  expect(issuerOf({ O: 'a\r\nb\u202ec\0' })).toBe('a  b c');
  expect(issuerOf({ O: `${'a'.repeat(299)}😀` })).toBe('a'.repeat(299));
  for (const issuer of [{}, { O: 5, CN: { a: 1 } }, { O: [[]], CN: '\n' }]) expect(issuerOf(issuer)).toBe('');
});

it.each([undefined, 5, '', 'Bad time value', 'Jan  2 03:04:05 12035 GMT', 'Jan 32 2035'])(
  'is none if it ends %j',
  (end) => {
    expect(read({ valid_to: end, issuer: { O: 'x' } })).toBeNull();
  },
);

it('is none when Node cannot read it', () => {
  const getPeerCertificate = () => {
    throw new SyntaxError('bad extension');
  };
  expect(readCertificate({ getPeerCertificate })).toBeNull();
});
