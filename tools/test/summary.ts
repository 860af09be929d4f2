import type { FileTime } from './results';
import type { StepResult } from './steps';

const maxFiles = 10;

/** Shows which parts and files took the most time, and which stories are flaky. */
export function summary(done: readonly StepResult[]): string[] {
  const flaky = done.flatMap(({ outcome }) => outcome.flaky ?? []);
  const files = done
    .flatMap(({ outcome }) => outcome.files ?? [])
    .toSorted((first, second) => second.seconds - first.seconds);
  return [
    ...(flaky.length > 0
      ? ['', 'Instables, réussis au second essai, à réparer avant toute autre chose :', ...flaky]
      : []),
    ...(done.length > 1 ? ['', 'Où le temps est passé :', ...done.toSorted(byCpu).map(stepLine)] : []),
    ...(files.length > maxFiles
      ? ['', 'Les fichiers les plus longs :', ...files.slice(0, maxFiles).map(fileLine)]
      : []),
    '',
  ];
}

const byCpu = (first: StepResult, second: StepResult) =>
  second.cpuSeconds - first.cpuSeconds || second.seconds - first.seconds;

const stepLine = ({ name, seconds, cpuSeconds }: StepResult) =>
  `${name.padEnd(10)} ${formatSeconds(seconds)} s ${cpuSeconds > 0 ? `${formatSeconds(cpuSeconds)} s de processeur` : ''}`.trimEnd();

const fileLine = ({ file, seconds }: FileTime) => `${formatSeconds(seconds)} s  ${file}`;

const formatSeconds = (seconds: number) => seconds.toFixed(1).replace('.', ',').padStart(7);
