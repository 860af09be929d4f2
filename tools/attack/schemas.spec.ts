import { describe, expect, it } from 'vitest';
import { allContracts } from '@vigie/contracts/all';
import { createServer } from '@vigie/contracts/servers';
import { createSite } from '@vigie/contracts/sites';
import { z } from 'zod';
import { createExample, listFields } from './schemas';
import { toJson, toQuery } from './values';

const pathsOf = (schema: z.ZodType) => listFields(schema).map(({ path }) => path.join('.'));

describe('the fields of an input', () => {
  it('are found inside all kinds of wrappers', () => {
    const schema = z
      .object({
        a: z.string().optional(),
        list: z.array(z.object({ b: z.int() })).default([]),
        either: z.union([z.object({ c: z.string() }), z.object({ d: z.string() })]).nullish(),
        map: z.record(z.string(), z.object({ e: z.boolean() })),
        later: z.preprocess((value) => value, z.object({ f: z.string() })),
      })
      .transform(({ a }) => a);
    const paths = 'a list list.0 list.0.b either either.c either.d map map.phare map.phare.e later later.f';
    expect(pathsOf(schema)).toEqual(paths.split(' '));
  });

  it('are found in real forms', () => {
    expect(pathsOf(createSite.input)).toEqual(expect.arrayContaining(['name', 'connection.ssh.auth.password']));
    expect(pathsOf(createServer.input)).toEqual(expect.arrayContaining(['port', 'groups.0', 'auth.privateKeyPem']));
  });
});

it('creates a valid input for nearly all contracts of the gateway', () => {
  const contracts = allContracts.filter(({ callers }) => callers.includes('gateway'));
  const knownValues = { auth: { password: 'phare-et-balise' } };
  const accepted = contracts.filter(({ input }) => input.safeParse(createExample(input, knownValues)).success);
  expect(accepted.length / contracts.length).toBeGreaterThan(0.85);
});

describe('a value', () => {
  it('can appear in JSON as text that JSON.stringify never writes', () => {
    const raw = `\uE000${Buffer.from('1e999').toString('base64')}\uE000`;
    expect(toJson({ a: raw, b: [raw], c: 'x\0' })).toBe('{"a":1e999,"b":[1e999],"c":"x\\u0000"}');
  });

  it('can appear in an address, even as half a surrogate pair', () => {
    expect([toQuery('a\uD800\0'), toQuery(['a'])]).toEqual(['a%ED%A0%80%00', '%5B%22a%22%5D']);
  });
});
