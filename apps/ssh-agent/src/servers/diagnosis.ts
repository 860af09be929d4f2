import { type DiagnosisStep, diagnosisSteps } from '@vigie/contracts/servers';
import type { Connection, Step } from '@vigie/ssh/connection';
import { readable, SshFailure } from '@vigie/ssh/failure';
import { runScript } from '@vigie/ssh/script';
import type { SshTarget } from '@vigie/ssh/target';
import { withEachPhp } from '@vigie/wordpress/php';
import { hideSecret, withoutSecret } from '../credentials/echoes';
import { connectWatched } from '../watched-connect';
import looking from './diagnosis.sh';
import {
  childFinding,
  clockFinding,
  diskFinding,
  type Facts,
  filesFinding,
  phpFinding,
  readFacts,
  shellFinding,
  systemOf,
} from './findings';
import survival from './survival.sh';

type StepName = DiagnosisStep['step'];
type Finding = Pick<DiagnosisStep, 'state' | 'message' | 'remedy'>;
export type Diagnosis = {
  steps: DiagnosisStep[];
  hostKey: string | null;
  /** What it starts ends with its connection; null where that could not be seen. */
  killsChildren: boolean | null;
  stdout: string;
  stderr: string;
  failure: SshFailure | undefined;
};

const probe = withEachPhp(looking);
const longestMs = 40_000;
/** Slow name servers and PAM modules make tens of seconds of a login; a person waits and sees which phase it is. */
const patience = { connectMs: 10_000, bannerMs: 15_000, handshakeMs: 10_000, authenticateMs: 20_000 };
const scriptLimits = { openMs: 10_000, totalMs: 20_000 };
/** Of what a host prints; an honest one says a few lines. */
const bounds = { keep: { stdout: 65_536, stderr: 4_096 }, mostBytes: 1_048_576 };
const skipped: Finding = {
  state: 'skipped',
  message: 'Non essayé\u00a0: une étape précédente a échoué.',
  remedy: null,
};

const survivals = new Map([
  ['alive', true],
  ['gone', false],
]);

type Options = { signal: AbortSignal; onStep: (step: DiagnosisStep) => void; ms?: number };

/** Goes the whole way to a host on a connection of its own, and tells of each step. */
export async function diagnose(target: SshTarget, { signal, onStep, ms = longestMs }: Options): Promise<Diagnosis> {
  const visit = new Visit(target, AbortSignal.any([signal, AbortSignal.timeout(ms)]), onStep);
  const failure = await visit.make().then(
    () => undefined,
    (error: unknown) => {
      signal.throwIfAborted();
      return visit.explain(error, ms);
    },
  );
  return visit.report(failure);
}

class Visit {
  private readonly found = new Map<StepName, DiagnosisStep>();
  private hostKey: string | null = null;
  private killsChildren: boolean | null = null;
  private stdout = '';
  private stderr = '';
  private since = performance.now();

  constructor(
    private readonly target: SshTarget,
    private readonly signal: AbortSignal,
    private readonly onStep: (step: DiagnosisStep) => void,
  ) {}

  async make(): Promise<void> {
    const connection = await this.connect();
    const facts = await this.ask(connection);
    const wasSurvivor = await this.wasSurvivor(facts);
    this.killsChildren = wasSurvivor === undefined ? null : !wasSurvivor;
    this.note('detached', childFinding(wasSurvivor));
    this.note('php', phpFinding(facts));
    this.note('disk', diskFinding(facts));
  }

  explain(error: unknown, ms: number): SshFailure {
    if (!(error instanceof SshFailure)) throw error;
    const isLate = error.kind === 'cancelled' && this.signal.aborted;
    const failure = isLate
      ? new SshFailure({ kind: 'timed-out', phase: this.phase, seconds: ms / 1000 })
      : withoutSecret(error, this.target);
    this.note(this.next, { state: 'failed', message: failure.message, remedy: failure.remedy });
    return failure;
  }

  report(failure: SshFailure | undefined): Diagnosis {
    const steps = diagnosisSteps.map((step) => this.found.get(step) ?? { step, ...skipped, ms: null });
    const { hostKey, killsChildren, stdout, stderr } = this;
    return { steps, hostKey, killsChildren, stdout, stderr, failure };
  }

  /** The first step that has not been reached. */
  private get next(): StepName {
    return diagnosisSteps.find((step) => !this.found.has(step)) ?? 'clock';
  }

  private get phase() {
    const phases = {
      resolve: 'resolve',
      connect: 'connect',
      host_key: 'handshake',
      authenticate: 'authenticate',
    } as const;
    const { next } = this;
    return next in phases ? phases[next as keyof typeof phases] : ('total' as const);
  }

  private async connect(): Promise<Connection> {
    const options = { limits: patience, signal: this.signal };
    return connectWatched(this.target, { ...options, onStep: (step) => this.hear(step) });
  }

  private hear(step: Step): void {
    const ok = (name: StepName, message: string) => this.note(name, { state: 'ok', message, remedy: null }, step.ms);
    if (step.phase === 'resolve')
      ok('resolve', `${this.target.host} a pour adresse ${step.addresses.slice(0, 4).join(', ')}.`);
    if (step.phase === 'connect') ok('connect', `${step.address} répond au port ${this.target.port}.`);
    if (step.phase === 'authenticate') {
      ok(
        'authenticate',
        `Le serveur accepte ${step.method === 'password' ? 'le mot de passe' : 'la clé'} de ${this.target.user}.`,
      );
    }
    if (step.phase !== 'handshake') return;
    this.hostKey = step.hostKey;
    const isKnown = this.target.hostKey !== null;
    ok(
      'host_key',
      isKnown ? `La clé est celle de toujours\u00a0: ${step.hostKey}.` : `Première rencontre\u00a0: ${step.hostKey}.`,
    );
  }

  private async ask(connection: Connection): Promise<Facts> {
    const asked = Date.now();
    const options = { ...bounds, limits: scriptLimits, signal: this.signal, name: 'diagnosis.sh' };
    const script = runScript(connection, probe, options);
    const { stdout, stderr } = await closing(connection, script);
    const facts = readFacts(hideSecret(stdout.bytes.toString(), this.target));
    this.stdout = systemOf(facts);
    this.stderr = readable(hideSecret(stderr.bytes.toString(), this.target));
    this.note('shell', shellFinding(facts));
    this.note('files', filesFinding(facts));
    this.note('clock', clockFinding(facts, (asked + Date.now()) / 2));
    return facts;
  }

  /** Only after the connection has ended is it known what its end does to what it started. */
  private async wasSurvivor(facts: Facts): Promise<boolean | undefined> {
    const [pid = '', start = ''] = (facts.get('child')?.[0] ?? '').split(' ');
    if (!/^\d{1,9}$/.test(pid) || !/^\d{0,20}$/.test(start)) return undefined;
    const way = { ...bounds, limits: scriptLimits, signal: this.signal, name: 'survival.sh' };
    // Whoever answers now must be who answered before, at a first meeting too: it is sent the same credential.
    const target = { ...this.target, hostKey: this.hostKey };
    const connection = await connectWatched(target, { limits: patience, signal: this.signal }).catch(
      (error: unknown) => {
        if (error instanceof SshFailure && error.kind === 'host-key-changed') throw error;
        return undefined;
      },
    );
    if (!connection) return undefined;
    const script = closing(connection, runScript(connection, survival, { ...way, args: [pid, start] }));
    return script.then(
      ({ stdout }) => survivals.get(stdout.bytes.toString().trim()),
      () => undefined,
    );
  }

  private note(step: StepName, finding: Finding, ms = performance.now() - this.since): void {
    this.since = performance.now();
    const found = { step, ...finding, ms: Math.round(ms) };
    this.found.set(step, found);
    this.onStep(found);
  }
}

async function closing<T>(connection: Connection, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    await connection.close();
  }
}
