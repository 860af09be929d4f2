import { expect, it } from 'vitest';
import { Gate, Gates } from './gate';

const none = new AbortController().signal;

it('lets so many in at once, the others in their order', async () => {
  const gate = new Gate(2);
  const order: string[] = [];
  const enter = async (name: string) => {
    const leave = await gate.enter(none);
    order.push(name);
    return leave;
  };
  const [a, b] = [await enter('a'), await enter('b')];
  const [c, d] = [enter('c'), enter('d')];
  expect(order).toEqual(['a', 'b']);
  b();
  b();
  await c;
  expect(order).toEqual(['a', 'b', 'c']);
  a();
  await d;
  expect(order).toEqual(['a', 'b', 'c', 'd']);
});

it('forgets whoever stops waiting', async () => {
  const gate = new Gate(1);
  const leave = await gate.enter(none);
  const stop = new AbortController();
  const impatient = gate.enter(stop.signal);
  const patient = gate.enter(none);
  stop.abort(new Error('enough'));
  await expect(impatient).rejects.toThrow('enough');
  leave();
  await expect(patient).resolves.toBeDefined();
  await expect(gate.enter(stop.signal)).rejects.toThrow('enough');
});

it('has a gate for each name, as long as anybody is at it', async () => {
  const gates = new Gates(1);
  const [a, b] = [await gates.enter('a', none), await gates.enter('b', none)];
  const stop = new AbortController();
  const impatient = gates.enter('a', stop.signal);
  const patient = gates.enter('a', none);
  stop.abort(new Error('enough'));
  await expect(impatient).rejects.toThrow('enough');
  a();
  a();
  const next = await patient;
  b();
  expect(gates.size).toBe(1);
  next();
  expect(gates.size).toBe(0);
});
