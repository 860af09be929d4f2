import { Button } from '@mantine/core';
import type { Server, ServerTest } from '@vigie/contracts/servers';
import { PlugZap } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Callout } from '../../ui/Callout';
import { CopyButton } from '../../ui/CopyButton';
import { Failure } from '../../ui/Failure';
import { JobProgress } from '../../ui/JobProgress';
import { useNow } from '../../ui/useNow';
import { addressOf } from '../../ui/serverAddress';
import { ChangedKey, danger } from './ChangedKey';
import styles from './DiagnosisReport.module.css';
import { DiagnosisSteps, spellSteps } from './DiagnosisSteps';
import { failureOf, type Refusal } from './failure';
import type { Diagnosis } from './useDiagnosis';

type Props = { server: Server; diagnosis: Diagnosis };

const patientS = 10;

function Seconds({ since }: { since: string }) {
  const now = useNow(1_000);
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(since)) / 1_000));
  return (
    <p aria-hidden className={styles['seconds']}>
      {`${seconds}\u00a0s`}
      {seconds >= patientS && ' · un hôte muet se reconnaît en 45\u00a0s au plus.'}
    </p>
  );
}

/** What it does now, and what it has found so far. */
function Running({ diagnosis: { job, isCancelling, cancel } }: Pick<Props, 'diagnosis'>) {
  const { progress = null, state, started_at: startedAt = null, log = [] } = job ?? {};
  const isQueued = state === 'queued';
  return (
    <div className={styles['running']}>
      <Callout tone="info">
        <output>{isCancelling ? 'Annulation en cours…' : isQueued ? 'Test en file…' : 'Test en cours…'}</output>
        {startedAt !== null && <Seconds since={startedAt} />}
      </Callout>
      {!isCancelling && progress && <JobProgress progress={progress} />}
      {log.length > 0 && (
        <ol aria-label="Ce qui est fait" className={styles['done']}>
          {log.map(({ seq, text }) => (
            <li key={seq}>{text}</li>
          ))}
        </ol>
      )}
      {job && (
        <Button variant="default" disabled={isCancelling} onClick={cancel}>
          Annuler
        </Button>
      )}
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

type RefusedProps = { server: Server; refusal: Refusal; again: ReactNode; onRetry: () => void };

function Refused({ server, refusal, again, onRetry }: RefusedProps) {
  const { message, remedy, outputs, details, steps, changedKey } = failureOf(refusal);
  // The step that failed says it in its place.
  const isSaid = steps.some((step) => step.state === 'failed' && step.remedy === remedy);
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
  const isOwn = diagnosis.id === server.id;
  if (isOwn && diagnosis.isRunning) return <Running diagnosis={diagnosis} />;
  const start = () => diagnosis.run(server.id);
  const end = isOwn ? diagnosis.end : undefined;
  const isDone = end !== undefined && end !== 'cancelled';
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
  if ('test' in end) return <Success server={server} test={end.test} again={button} />;
  return <Refused server={server} refusal={end.refusal} again={button} onRetry={start} />;
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
