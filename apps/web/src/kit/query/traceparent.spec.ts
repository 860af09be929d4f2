import { expect, it } from 'vitest';
import { newTraceparent } from './traceparent';

it('gives each request a new W3C trace id', () => {
  const names = Array.from({ length: 50 }, newTraceparent);
  for (const name of names) expect(name).toMatch(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01$/);
  expect(new Set(names).size).toBe(50);
});
