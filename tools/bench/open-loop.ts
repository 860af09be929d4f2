import { setTimeout as sleep } from 'node:timers/promises';

/**
 * When those come who know nothing of each other, `rate` a second on average, in milliseconds from the first moment:
 * now two at once, now nobody for a while, as a queue meets them.
 */
export function arrivals(rate: number, seconds: number, random: () => number): number[] {
  const dues: number[] = [];
  for (let due = gap(rate, random()); due < seconds * 1_000; due += gap(rate, random())) dues.push(due);
  return dues;
}

const gap = (rate: number, chance: number) => (-Math.log(1 - chance) * 1_000) / rate;

/**
 * Does each when it is due, whatever became of those before it, and resolves once all have ended. What waits is so
 * counted as whoever waits would count it. `dues` go up, by the clock of `performance`.
 */
export async function fireAt(
  dues: readonly number[],
  send: (due: number, place: number) => Promise<void>,
): Promise<void> {
  const answers: Promise<void>[] = [];
  for (const [place, due] of dues.entries()) {
    const early = due - performance.now();
    if (early > 0) await sleep(Math.ceil(early));
    answers.push(send(due, place));
  }
  await Promise.all(answers);
}
