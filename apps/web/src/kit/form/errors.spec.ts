import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { emptyErrors, firstErrors, schemaErrors } from './errors';

const Address = z.object({
  name: z
    .string()
    .min(2, 'Trop court.')
    .regex(/^[a-z]+$/, 'Des lettres seulement.'),
  ssh: z.object({ port: z.number({ error: 'Un nombre.' }), user: z.string() }),
  groups: z.array(z.string({ error: 'Un groupe.' })),
});

describe('the messages of a form', () => {
  it('are the first of each field, which a nested field and a list have under their own name', () => {
    const values = { name: '1', port: 'x', groups: ['a'] };
    const request = { name: values.name, ssh: { port: values.port, user: 1 }, groups: ['a', 2] };
    expect(schemaErrors(Address, values, request)).toEqual({
      name: 'Trop court.',
      port: 'Un nombre.',
      groups: 'Un groupe.',
    });
    expect(schemaErrors(z.object({ name: z.string() }), values)).toEqual({});
  });

  it('ask for a required field that is blank', () => {
    expect(emptyErrors({ name: ' ', url: 'x', path: '' }, ['name', 'url'])).toEqual({ name: 'À renseigner.' });
  });

  it('come from the first rule that has one', () => {
    const own = { name: 'À renseigner.', port: undefined };
    expect(firstErrors<{ name: string; port: string }>(own, { name: 'Trop court.', port: 'Un nombre.' })).toEqual({
      name: 'À renseigner.',
      port: 'Un nombre.',
    });
  });
});
