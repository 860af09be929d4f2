import { Group, Text } from '@mantine/core';
import { diagnosisStepNames } from '@vigie/contracts/servers';
import { siteStepNames } from '@vigie/contracts/sites';
import { Card } from '../../ui/Card';
import { Lines } from '../../ui/Lines';
import { Status, type Tone } from '../../ui/Status';
import styles from './diagnosis.module.css';
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
    <Group component="li" gap="2px 8px" p="8px 12px" fz={13} lh="18px">
      <Text span flex={1} fw={500} fz={14} lh="20px" {...(state === 'skipped' && { c: 'muted' })}>
        {nameOf(step)}
      </Text>
      <Status tone={tone}>{word}</Status>
      <Text span w={64} c="muted" fz={12} ta="right">
        {ms !== null && formatMs(ms)}
      </Text>
      {message !== '' && (
        <Text w="100%" c="muted">
          {message}
        </Text>
      )}
      {remedy !== null && (state === 'warning' || state === 'failed') && (
        <Text w="100%" className={styles['aside'] ?? ''}>
          {remedy}
        </Text>
      )}
    </Group>
  );
}

export const DiagnosisSteps = ({ steps }: { steps: readonly Step[] }) => (
  <Card>
    <Lines component="ol" aria-label="Étapes du test">
      {steps.map((step) => (
        <Line key={step.step} step={step} />
      ))}
    </Lines>
  </Card>
);

/** The steps as plain text, to copy and send to somebody else. */
export const formatSteps = (steps: readonly Step[]): string[] =>
  steps.map(({ step, state, message, remedy, ms }) =>
    [`${nameOf(step)}\u00a0: ${states[state].word}`, message, remedy, ms === null ? undefined : formatMs(ms)]
      .filter(Boolean)
      .join(' — '),
  );
