import { Button } from '@mantine/core';
import type { Server, ServerTest } from '@vigie/contracts/servers';
import { PlugZap } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { detailsOf, isApiError } from '../../app/api-error';
import { Callout } from '../../ui/Callout';
import { CopyButton } from '../../ui/CopyButton';
import { Failure } from '../../ui/Failure';
import { ChangedKey, danger } from './ChangedKey';
import styles from './DiagnosisReport.module.css';
import { DiagnosisSteps, spellSteps } from './DiagnosisSteps';
import { failureOf } from './failure';
import type { Diagnosis } from './useDiagnosis';
import { addressOf } from './words';

type Props = { server: Server; diagnosis: Diagnosis };

const patientS = 10;

function Running({ since, onStop }: { since: number; onStop: () => void }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.round((Date.now() - since) / 1_000)), 1_000);
    return () => clearInterval(timer);
  }, [since]);
  return (
    <div className={styles['running']}>
      <Callout tone="info">
        <output>Test en cours…</output>
        <p aria-hidden className={styles['seconds']}>
          {`${seconds}\u00a0s`}
          {seconds >= patientS && ' · un hôte muet se reconnaît en 45\u00a0s au plus.'}
        </p>
      </Callout>
      <Button variant="default" onClick={onStop}>
        Arrêter
      </Button>
    </div>
  );
}

function Outputs({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <details className={styles['outputs']}>
      <summary>Ce que le serveur a répondu</summary>
      {texts.map((text) => (
        <pre key={text}>{text}</pre>
      ))}
    </details>
  );
}

const ways = { key: 'avec la clé', password: 'avec le mot de passe' };

function Success({ server, test, again }: { server: Server; test: ServerTest; again: ReactNode }) {
  const copy = [`${server.name} (${addressOf(server)})\u00a0: connexion OK`, ...spellSteps(test.steps), test.stdout];
  return (
    <>
      <Callout tone="ok">
        <p>{`Connexion établie ${ways[test.method]}.`}</p>
      </Callout>
      <DiagnosisSteps steps={test.steps} />
      <Outputs texts={[test.stdout.trim()].filter(Boolean)} />
      <div className={styles['actions']}>
        {again}
        <CopyButton label="Copier les détails" text={copy.filter(Boolean).join('\n')} />
      </div>
    </>
  );
}

type Refusal = { server: Server; error: unknown; again: ReactNode; onRetry: () => void };

function Refused({ server, error, again, onRetry }: Refusal) {
  const { message, remedy, outputs, steps, changedKey } = failureOf(error);
  // The step that failed says it in its place.
  const isSaid = steps.some((step) => step.state === 'failed' && step.remedy === remedy);
  const details = isApiError(error) ? detailsOf(error) : message;
  const copy = [`${server.name} (${addressOf(server)})`, details, ...spellSteps(steps)].join('\n');
  return (
    <>
      <Failure sentence={message}>
        {changedKey && <p className={styles['remedy']}>{danger}</p>}
        {remedy !== undefined && !isSaid && <p className={styles['remedy']}>{remedy}</p>}
      </Failure>
      {changedKey && <ChangedKey server={server} {...changedKey} onTrusted={onRetry} />}
      {steps.length > 0 && <DiagnosisSteps steps={steps} />}
      <Outputs texts={outputs} />
      <div className={styles['actions']}>
        {again}
        <CopyButton label="Copier les détails" text={copy} />
      </div>
    </>
  );
}

function Report({ server, diagnosis }: Props) {
  const { data, error, isRunning, startedAt = 0, run, stop } = diagnosis;
  const isOwn = diagnosis.id === server.id;
  const start = () => void run(server.id);
  if (isOwn && isRunning) return <Running since={startedAt} onStop={stop} />;
  const isDone = isOwn && (data !== undefined || error !== undefined);
  const button = (
    <Button
      variant={isDone ? 'default' : 'filled'}
      leftSection={<PlugZap size={16} aria-hidden />}
      className={styles['test'] ?? ''}
      onClick={start}
    >
      {isDone ? 'Tester de nouveau' : 'Tester la connexion'}
    </Button>
  );
  if (isOwn && data) return <Success server={server} test={data} again={button} />;
  if (isOwn && error !== undefined) return <Refused server={server} error={error} again={button} onRetry={start} />;
  return button;
}

/** The button that was pressed is gone with what it was for: whoever reads by the keyboard goes on from here. */
function Place({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={place} tabIndex={-1} className={styles['report']}>
      {children}
    </div>
  );
}

/** The test of a server: not made yet, under way, or what it found. */
export const DiagnosisReport = (props: Props) => (
  <Place key={String(props.diagnosis.isRunning)}>
    <Report {...props} />
  </Place>
);
