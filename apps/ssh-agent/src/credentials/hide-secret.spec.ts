import { expect, it } from 'vitest';
import { hideSecretIn, hideSecret } from './hide-secret';

const offered = (password: string) => ({ auth: { password } });

it('hides a password wherever it is repeated, unless it is too short to be one', () => {
  expect(hideSecret('pam: Sésame-42 Sésame-42', offered('Sésame-42'))).toBe('pam: ••• •••');
  expect(hideSecret('pam: abc', offered('abc'))).toBe('pam: abc');
  expect(hideSecret('pam', offered(''))).toBe('pam');
});

it('hides it in what people read of a job, and not in what programs read', () => {
  const step = { message: 'exit_code ?', state: 'exit_code' };
  const error = { message: 'pam: exit_code', stderr: 'exit_code', code: 'exit_code', steps: [step] };
  const shown = { message: 'pam: •••', stderr: '•••', code: 'exit_code', steps: [{ ...step, message: '••• ?' }] };
  expect(hideSecretIn({ state: 'failed', error }, offered('exit_code'))).toEqual({ state: 'failed', error: shown });
});

it('hides it in lists of sentences, and not in lists of names', () => {
  const done = { warnings: ['motdepasse reste', 'rien'], notes: ['motdepasse'], examples: ['motdepasse'] };
  const shown = { warnings: ['••• reste', 'rien'], notes: ['•••'], examples: ['motdepasse'] };
  expect(hideSecretIn({ result: done }, offered('motdepasse'))).toEqual({ result: shown });
});

it('hides it in results, unless folders may be named like it', () => {
  const found = { items: [{ title: 'Le mot est Sésame-42', path: '/var/www/wordpress', n: 1 }], notes: [] };
  const shown = { items: [{ title: 'Le mot est •••', path: '/var/www/wordpress', n: 1 }], notes: [] };
  expect(hideSecretIn(found, offered('Sésame-42'))).toEqual(shown);
  expect(hideSecretIn(found, offered('wordpress'))).toEqual(found);
  expect(hideSecretIn(found, { auth: { privateKey: 'x' } })).toEqual(found);
});
