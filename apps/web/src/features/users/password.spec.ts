import { describe, expect, it } from 'vitest';
import { generatePassword } from './password';

describe('generatePassword', () => {
  it('makes another each time, of letters and digits that cannot be mistaken', () => {
    const made = Array.from({ length: 200 }, () => generatePassword());
    expect(new Set(made).size).toBe(200);
    for (const password of made) expect(password).toMatch(/^[a-km-zA-HJ-NP-Z2-9]{20}$/);
  });
});
