import { describe, expect, it } from 'vitest';
import { allContracts } from '@vigie/contracts/all';
import { createServer } from '@vigie/contracts/servers';
import { createSite } from '@vigie/contracts/sites';
import { z } from 'zod';
import { exampleOf, fieldsOf } from './schemas';
import { toJson, toQuery } from './values';

const pathsOf = (schema: z.ZodType) => fieldsOf(schema).map(({ path }) => path.join('.'));

describe('the fields of an input', () => {
  it('are found whatever is wrapped around them', () => {
    const schema = z
      .object({
        a: z.string().optional(),
        list: z.array(z.object({ b: z.int() })).default([]),
        either: z.union([z.object({ c: z.string() }), z.object({ d: z.string() })]).nullish(),
        map: z.record(z.string(), z.object({ e: z.boolean() })),
        later: z.preprocess((value) => value, z.object({ f: z.string() })),
      })
      .transform(({ a }) => a);
    const found = 'a list list.0 list.0.b either either.c either.d map map.phare map.phare.e later later.f';
    expect(pathsOf(schema)).toEqual(found.split(' '));
  });

  it('are those of real forms', () => {
    expect(pathsOf(createSite.input)).toEqual(expect.arrayContaining(['name', 'connection.ssh.auth.password']));
    expect(pathsOf(createServer.input)).toEqual(expect.arrayContaining(['port', 'groups.0', 'auth.privateKeyPem']));
  });
});

it('makes an input that its contract takes, of nearly all that people may ask', () => {
  const asked = allContracts.filter(({ callers }) => callers.includes('gateway'));
  const known = { auth: { password: 'phare-et-balise' } };
  const taken = asked.filter(({ input }) => input.safeParse(exampleOf(input, known)).success);
  expect(taken.length / asked.length).toBeGreaterThan(0.85);
});

describe('a value', () => {
  it('stands in JSON as no value of JavaScript would', () => {
    const raw = `\uE000${Buffer.from('1e999').toString('base64')}\uE000`;
    expect(toJson({ a: raw, b: [raw], c: 'x\0' })).toBe('{"a":1e999,"b":[1e999],"c":"x\\u0000"}');
  });

  it('stands in an address, half a character too', () => {
    expect([toQuery('a\uD800\0'), toQuery(['a'])]).toEqual(['a%ED%A0%80%00', '%5B%22a%22%5D']);
  });
});
