import { describe, expect, it } from 'vitest';
import { rolledBackError } from './sentences';

describe('the sentence of a rollback', () => {
  const item = { kind: 'core', slug: 'wordpress', name: 'WordPress' } as const;
  const subject = { action: 'update', item, from: '6.1', to: '6.2' } as const;
  const verdict = {
    code: 'rolled_back',
    reason: 'Raison.',
    remedy: 'Remède.',
    isCancelled: false,
    isDone: true,
    after: null,
    php_errors: [],
  };
  const change = { ...item, from: '6.1', to: '6.2', status: null, aside: null, checks: null };
  const messageOf = (hasTables: boolean) => rolledBackError({ subject, verdict, change, hasTables }, undefined).message;

  it('says that the database lost later changes when it was rolled back too', () => {
    expect(messageOf(true)).toMatch(/^Raison\. La version 6\.1 est de retour\. La base de données .* est perdu\.$/);
    expect(messageOf(false)).toBe('Raison. La version 6.1 est de retour.');
  });
});
