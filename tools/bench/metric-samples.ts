import { sum } from './statistics';

export type Sample = { name: string; labels: ReadonlyMap<string, string>; value: number };

/** What a process answers to Prometheus, line by line. */
export function readSamples(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name = '', inside = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (value === undefined) return [];
    const labels = [...inside.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
      ([, key = '', said = '']) => [key, said] as const,
    );
    return [{ name, labels: new Map(labels), value: Number(value) }];
  });
}

/** Of one measure over all who say it, of those with these labels. */
export const sumOf = (samples: readonly Sample[], name: string, wanted: Record<string, string> = {}): number =>
  sum(
    samples
      .filter((one) => one.name === name && Object.entries(wanted).every(([key, said]) => one.labels.get(key) === said))
      .map(({ value }) => value),
  );
