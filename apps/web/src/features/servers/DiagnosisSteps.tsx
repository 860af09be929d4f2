import { type DiagnosisStep, diagnosisStepNames } from '@vigie/contracts/servers';
import { Status } from '../../ui/Status';
import styles from './DiagnosisSteps.module.css';
import { stepStates } from './words';

const spellMs = (ms: number) => `${Math.round(ms)}\u00a0ms`;

function Step({ step: { step, state, message, remedy, ms } }: { step: DiagnosisStep }) {
  const { tone, word } = stepStates[state];
  return (
    <li className={styles['step']} data-state={state}>
      <span className={styles['name']}>{diagnosisStepNames[step]}</span>
      <Status tone={tone}>{word}</Status>
      <span className={styles['ms']}>{ms !== null && spellMs(ms)}</span>
      {message !== '' && <p className={styles['message']}>{message}</p>}
      {remedy !== null && (state === 'warning' || state === 'failed') && <p className={styles['remedy']}>{remedy}</p>}
    </li>
  );
}

/** What was tried on the way to the server, in its order. */
export const DiagnosisSteps = ({ steps }: { steps: readonly DiagnosisStep[] }) => (
  <ol aria-label="Étapes du test" className={styles['steps']}>
    {steps.map((step) => (
      <Step key={step.step} step={step} />
    ))}
  </ol>
);

/** For whoever asks somebody else for help. */
export const spellSteps = (steps: readonly DiagnosisStep[]): string[] =>
  steps.map(({ step, state, message, remedy, ms }) =>
    [
      `${diagnosisStepNames[step]}\u00a0: ${stepStates[state].word}`,
      message,
      remedy,
      ms === null ? undefined : spellMs(ms),
    ]
      .filter(Boolean)
      .join(' — '),
  );
