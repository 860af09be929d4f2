import { diagnosisStepNames } from '@vigie/contracts/servers';
import { siteStepNames } from '@vigie/contracts/sites';
import { Status, type Tone } from '../../ui/Status';
import styles from './DiagnosisSteps.module.css';
import type { Step } from './failure';

const states: Record<Step['state'], { tone: Tone; word: string }> = {
  ok: { tone: 'ok', word: 'OK' },
  warning: { tone: 'warn', word: 'Attention' },
  failed: { tone: 'danger', word: 'Échec' },
  skipped: { tone: 'neutral', word: 'Non testé' },
};

const names: Readonly<Record<string, string>> = { ...diagnosisStepNames, ...siteStepNames };
const nameOf = (step: string) => (Object.hasOwn(names, step) ? names[step] : undefined) ?? step;

const formatMs = (ms: number) => `${Math.round(ms)}\u00a0ms`;

function Line({ step: { step, state, message, remedy, ms } }: { step: Step }) {
  const { tone, word } = states[state];
  return (
    <li className={styles['step']} data-state={state}>
      <span className={styles['name']}>{nameOf(step)}</span>
      <Status tone={tone}>{word}</Status>
      <span className={styles['ms']}>{ms !== null && formatMs(ms)}</span>
      {message !== '' && <p className={styles['message']}>{message}</p>}
      {remedy !== null && (state === 'warning' || state === 'failed') && <p className={styles['remedy']}>{remedy}</p>}
    </li>
  );
}

export const DiagnosisSteps = ({ steps }: { steps: readonly Step[] }) => (
  <ol aria-label="Étapes du test" className={styles['steps']}>
    {steps.map((step) => (
      <Line key={step.step} step={step} />
    ))}
  </ol>
);

/** The steps as plain text, to copy and send to somebody else. */
export const formatSteps = (steps: readonly Step[]): string[] =>
  steps.map(({ step, state, message, remedy, ms }) =>
    [`${nameOf(step)}\u00a0: ${states[state].word}`, message, remedy, ms === null ? undefined : formatMs(ms)]
      .filter(Boolean)
      .join(' — '),
  );
