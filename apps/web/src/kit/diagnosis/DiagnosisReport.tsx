import { Button, Group, Stack, Text } from '@mantine/core';
import { PlugZap } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Callout } from '../../ui/Callout';
import { CodeBox } from '../../ui/CodeBox';
import { CopyButton } from '../../ui/CopyLine';
import { Disclosure } from '../../ui/Disclosure';
import { Failure } from '../../ui/Failure';
import { JobProgress } from '../../ui/JobProgress';
import { useNow } from '../../ui/useNow';
import { changedKeyWarning } from './ChangedKey';
import styles from './diagnosis.module.css';
import { DiagnosisSteps, formatSteps } from './DiagnosisSteps';
import { describeFailure, type DiagnosisFailure, type Step } from './failure';
import type { Diagnosis } from './useDiagnosis';

type HostKeys = { expected: string; actual: string };

/** The server or site that is tested. */
type Subject<T> = {
  id: string;
  /** The first line of the copied details. */
  title: string;
  spell: (test: T) => string;
  stepsOf: (test: T) => readonly Step[];
  outputsOf: (test: T) => readonly string[];
  /** Lets the user accept another host key. */
  changedKey: (keys: HostKeys, onTrusted: () => void) => ReactNode;
};
type Props<T> = { subject: Subject<T>; diagnosis: Diagnosis<T> };

const slowAfterS = 10;

function Seconds({ since }: { since: string }) {
  const now = useNow(1_000);
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(since)) / 1_000));
  return (
    <Text aria-hidden fw={400}>
      {`${seconds}\u00a0s`}
      {seconds >= slowAfterS && ' · sans réponse, le test s’arrête après 45\u00a0s.'}
    </Text>
  );
}

function RunningReport({ job, isCancelling, cancel }: Pick<Diagnosis<unknown>, 'job' | 'isCancelling' | 'cancel'>) {
  const { progress = null, state, started_at: startedAt = null, log = [] } = job ?? {};
  const isQueued = state === 'queued';
  return (
    <Stack gap={12}>
      <Callout tone="info">
        <output>{isCancelling ? 'Annulation en cours…' : isQueued ? 'Test en file…' : 'Test en cours…'}</output>
        {startedAt !== null && <Seconds since={startedAt} />}
      </Callout>
      {!isCancelling && progress && <JobProgress progress={progress} />}
      {log.length > 0 && (
        <Text component="ol" aria-label="Ce qui est fait" c="muted" fz={13} className={styles['aside'] ?? ''}>
          {log.map(({ seq, text }) => (
            <li key={seq}>{text}</li>
          ))}
        </Text>
      )}
      {job && (
        <Button variant="default" w="fit-content" disabled={isCancelling} onClick={cancel}>
          Annuler
        </Button>
      )}
    </Stack>
  );
}

function Outputs({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <Disclosure name="Ce que le serveur a répondu">
      <Stack gap={8} mt={8} __vars={{ '--code': '240px' }}>
        {texts.map((text) => (
          <CodeBox key={text}>{text}</CodeBox>
        ))}
      </Stack>
    </Disclosure>
  );
}

function SuccessReport<T>({ subject, test, retryButton }: { subject: Subject<T>; test: T; retryButton: ReactNode }) {
  const [steps, outputs] = [subject.stepsOf(test), subject.outputsOf(test)];
  const copy = [`${subject.title}\u00a0: connexion OK`, ...formatSteps(steps), ...outputs];
  return (
    <>
      <Callout tone={steps.some(({ state }) => state === 'failed') ? 'warn' : 'ok'}>
        <p>{subject.spell(test)}</p>
      </Callout>
      <DiagnosisSteps steps={steps} />
      <Outputs texts={outputs} />
      <Group gap={8}>
        {retryButton}
        <CopyButton label="Copier les détails" text={copy.join('\n')} />
      </Group>
    </>
  );
}

const Remedy = ({ children }: { children: string }) => (
  <Text mt={4} c="var(--text)" fw={400}>
    {children}
  </Text>
);

type FailureProps<T> = { subject: Subject<T>; failure: DiagnosisFailure; retryButton: ReactNode; onRetry: () => void };

function FailureReport<T>({ subject, failure, retryButton, onRetry }: FailureProps<T>) {
  const { message, remedy, outputs, details, steps, changedKey } = describeFailure(failure);
  // The failed step already shows the remedy.
  const isShownInStep = steps.some((step) => step.state === 'failed' && step.remedy === remedy);
  const copy = [subject.title, details, ...formatSteps(steps)].join('\n');
  return (
    <>
      <Failure sentence={message}>
        {changedKey && <Remedy>{changedKeyWarning}</Remedy>}
        {remedy !== undefined && !isShownInStep && <Remedy>{remedy}</Remedy>}
      </Failure>
      {changedKey && subject.changedKey(changedKey, onRetry)}
      {steps.length > 0 && <DiagnosisSteps steps={steps} />}
      <Outputs texts={outputs} />
      <Group gap={8}>
        {retryButton}
        <CopyButton label="Copier les détails" text={copy} />
      </Group>
    </>
  );
}

function Report<T>({ subject, diagnosis }: Props<T>) {
  const isForSubject = diagnosis.id === subject.id;
  if (isForSubject && diagnosis.isRunning) return <RunningReport {...diagnosis} />;
  const start = () => diagnosis.run(subject.id);
  const end = isForSubject ? diagnosis.end : undefined;
  const isDone = end !== undefined && end !== 'cancelled';
  const button = (
    <Button variant="default" leftSection={<PlugZap size={16} aria-hidden />} w="fit-content" onClick={start}>
      {isDone ? 'Tester de nouveau' : 'Tester la connexion'}
    </Button>
  );
  if (!end) return button;
  if (end === 'cancelled') {
    return (
      <>
        <Callout tone="info">
          <p>Le test a été annulé.</p>
        </Callout>
        {button}
      </>
    );
  }
  if ('test' in end) return <SuccessReport subject={subject} test={end.test} retryButton={button} />;
  return <FailureReport subject={subject} failure={end.failure} retryButton={button} onRetry={start} />;
}

/** The pressed button disappears when the test starts or ends; the focus moves to the report instead of getting lost. */
function FocusKeeper({ children }: { children: ReactNode }) {
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) region.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Stack ref={region} tabIndex={-1} gap={14} miw={0} style={{ outline: 'none' }}>
      {children}
    </Stack>
  );
}

/** A connection test, before it starts, while it runs and after its end. */
export const DiagnosisReport = <T,>(props: Props<T>) => (
  <FocusKeeper key={String(props.diagnosis.isRunning)}>
    <Report {...props} />
  </FocusKeeper>
);
