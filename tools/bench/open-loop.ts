import { setTimeout as sleep } from 'node:timers/promises';

/** Returns arrival times of independent users in milliseconds, with `rate` arrivals per second on average. */
export function arrivals(rate: number, seconds: number, random: () => number): number[] {
  const dues: number[] = [];
  for (let due = gap(rate, random()); due < seconds * 1_000; due += gap(rate, random())) dues.push(due);
  return dues;
}

const gap = (rate: number, chance: number) => (-Math.log(1 - chance) * 1_000) / rate;

/**
 * Sends each request when it is due, even when earlier ones are unanswered, and resolves after all answers. `dues` are
 * ascending times of `performance.now()`.
 */
export async function sendAt(
  dues: readonly number[],
  send: (due: number, index: number) => Promise<void>,
): Promise<void> {
  const answers: Promise<void>[] = [];
  for (const [index, due] of dues.entries()) {
    const early = due - performance.now();
    if (early > 0) await sleep(Math.ceil(early));
    answers.push(send(due, index));
  }
  await Promise.all(answers);
}
