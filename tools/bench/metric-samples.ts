import { sum } from './statistics';

export type Sample = { name: string; labels: ReadonlyMap<string, string>; value: number };

/** Parses the text format of Prometheus. */
export function readSamples(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name = '', labelText = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (value === undefined) return [];
    const labels = [...labelText.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
      ([, key = '', labelValue = '']) => [key, labelValue] as const,
    );
    return [{ name, labels: new Map(labels), value: Number(value) }];
  });
}

/** Adds up the samples of one metric with the given labels. */
export const sumSamples = (samples: readonly Sample[], name: string, labels: Record<string, string> = {}): number =>
  sum(
    samples
      .filter(
        (sample) =>
          sample.name === name &&
          Object.entries(labels).every(([key, labelValue]) => sample.labels.get(key) === labelValue),
      )
      .map(({ value }) => value),
  );
