import type { FileTime } from './results';
import type { Done } from './steps';

const slowest = 10;

/** Where the time of a whole run went, so that whoever adds to it sees it grow, and which stories are to be mended. */
export function summary(done: readonly Done[]): string[] {
  const flaky = done.flatMap(({ outcome }) => outcome.flaky ?? []);
  const files = done
    .flatMap(({ outcome }) => outcome.files ?? [])
    .toSorted((one, other) => other.seconds - one.seconds);
  return [
    ...(flaky.length > 0
      ? ['', 'Instables, réussis au second essai, à réparer avant toute autre chose :', ...flaky]
      : []),
    ...(done.length > 1 ? ['', 'Où le temps est passé :', ...done.toSorted(byCpu).map(lineOf)] : []),
    ...(files.length > slowest ? ['', 'Les fichiers les plus longs :', ...files.slice(0, slowest).map(fileLine)] : []),
    '',
  ];
}

const byCpu = (one: Done, other: Done) => other.cpuSeconds - one.cpuSeconds || other.seconds - one.seconds;

const lineOf = ({ name, seconds, cpuSeconds }: Done) =>
  `${name.padEnd(10)} ${figure(seconds)} s ${cpuSeconds > 0 ? `${figure(cpuSeconds)} s de processeur` : ''}`.trimEnd();

const fileLine = ({ file, seconds }: FileTime) => `${figure(seconds)} s  ${file}`;

const figure = (seconds: number) => seconds.toFixed(1).replace('.', ',').padStart(7);
