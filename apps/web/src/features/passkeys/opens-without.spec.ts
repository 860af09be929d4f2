import type { Passkey } from '@vigie/contracts/passkeys';
import { expect, it } from 'vitest';
import { opensWithout } from './opens-without';

const passkey = (id: string, formerHost: string | null = null): Passkey => ({
  id,
  name: id,
  created_at: '2026-01-31T00:00:00.000Z',
  last_used_at: null,
  transports: [],
  is_synced: false,
  former_host: formerHost,
});

it('counts no passkey of a former address as another one', () => {
  const [phone, laptop, dead] = [passkey('phone'), passkey('laptop'), passkey('dead', 'old.example')];
  expect(opensWithout(phone, [phone])).toBe(false);
  expect(opensWithout(phone, [phone, dead])).toBe(false);
  expect(opensWithout(phone, [phone, laptop])).toBe(true);
  expect(opensWithout(dead, [phone, dead])).toBe(true);
});
