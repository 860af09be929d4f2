import { expect, it } from 'vitest';
import { hideTarget } from './hide-target';

it('hides the parts of an address, as they were written or decoded', () => {
  const receiver = { url: 'https://chat.example/v1/spaces/AbCd?key=cl%C3%A9-secr%C3%A8te', secret: null };
  expect(hideTarget('POST /v1/spaces/AbCd?key=cl%C3%A9-secr%C3%A8te', receiver)).not.toMatch(/AbCd|secr/);
  expect(hideTarget('{"path":"\\/v1\\/spaces\\/AbCd","key":"clé-secrète"}', receiver)).not.toMatch(/AbCd|secrète/);
  const inPath = { url: 'https://hooks.example/adresse-secr%C3%A8te', secret: null };
  expect(hideTarget('no adresse-secrète here', inPath)).toBe('no ••• here');
  expect(hideTarget('chat.example répond en v1', receiver)).toBe('chat.example répond en v1');
});

it('hides a secret, and its key without what comes before', () => {
  const url = 'https://hooks.example/';
  expect(hideTarget('Bearer tk_secret', { url, secret: 'tk_secret' })).toBe('Bearer •••');
  expect(hideTarget('key c2VjcmV0', { url, secret: 'whsec_c2VjcmV0' })).toBe('key •••');
  expect(hideTarget('robot AbCdEf', { url, secret: '123456:AbCdEf' })).toBe('robot •••');
  expect(hideTarget('a b c', { url, secret: 'b' })).toBe('a b c');
});
