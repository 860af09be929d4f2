import { type DiagnosisStep, diagnosisSteps } from '@vigie/contracts/servers';
import type { Connection, Step } from '@vigie/ssh/connection';
import { readable, SshFailure } from '@vigie/ssh/failure';
import { runScript } from '@vigie/ssh/script';
import type { SshTarget } from '@vigie/ssh/target';
import { withEachPhp } from '@vigie/wordpress/php';
import { hideSecret, hideSecretInFailure } from '../credentials/hide-secret';
import { connectMeasured } from '../measured-connect';
import diagnosisScript from './diagnosis.sh';
import {
  childFinding,
  clockFinding,
  diskFinding,
  type HostValues,
  filesFinding,
  phpFinding,
  parseHostValues,
  shellFinding,
  systemOf,
} from './findings';
import survival from './survival.sh';

type StepName = DiagnosisStep['step'];
type Finding = Pick<DiagnosisStep, 'state' | 'message' | 'remedy'>;
export type Diagnosis = {
  steps: DiagnosisStep[];
  hostKey: string | null;
  /** Whether the host kills processes when their connection ends; null if unknown. */
  killsChildren: boolean | null;
  stdout: string;
  stderr: string;
  failure: SshFailure | undefined;
};

const hostScript = withEachPhp(diagnosisScript);
const maxMs = 40_000;
/** Generous, since slow name servers and PAM modules take tens of seconds, while a person watches the phases. */
const connectLimits = { connectMs: 10_000, bannerMs: 15_000, handshakeMs: 10_000, authenticateMs: 20_000 };
const scriptLimits = { openMs: 10_000, totalMs: 20_000 };
/** Limits of the output of a host; an honest one prints a few lines. */
const bounds = { keep: { stdout: 65_536, stderr: 4_096 }, maxBytes: 1_048_576 };
const skipped: Finding = {
  state: 'skipped',
  message: 'Non essayé\u00a0: une étape précédente a échoué.',
  remedy: null,
};

const survivalResults = new Map([
  ['alive', true],
  ['gone', false],
]);

type Options = { signal: AbortSignal; onStep: (step: DiagnosisStep) => void; ms?: number };

/** Tests every step of a login to a host, on a new connection, and reports each one. */
export async function diagnose(target: SshTarget, { signal, onStep, ms = maxMs }: Options): Promise<Diagnosis> {
  const test = new ServerTest(target, AbortSignal.any([signal, AbortSignal.timeout(ms)]), onStep);
  const failure = await test.run().then(
    () => undefined,
    (error: unknown) => {
      signal.throwIfAborted();
      return test.noteFailure(error, ms);
    },
  );
  return test.toDiagnosis(failure);
}

class ServerTest {
  private readonly steps = new Map<StepName, DiagnosisStep>();
  private hostKey: string | null = null;
  private killsChildren: boolean | null = null;
  private stdout = '';
  private stderr = '';
  private lastNoteAt = performance.now();

  constructor(
    private readonly target: SshTarget,
    private readonly signal: AbortSignal,
    private readonly onStep: (step: DiagnosisStep) => void,
  ) {}

  async run(): Promise<void> {
    const connection = await this.connect();
    const values = await this.runDiagnosis(connection);
    const didSurvive = await this.didChildSurvive(values);
    this.killsChildren = didSurvive === undefined ? null : !didSurvive;
    this.note('detached', childFinding(didSurvive));
    this.note('php', phpFinding(values));
    this.note('disk', diskFinding(values));
  }

  noteFailure(error: unknown, ms: number): SshFailure {
    if (!(error instanceof SshFailure)) throw error;
    const isLate = error.kind === 'cancelled' && this.signal.aborted;
    const failure = isLate
      ? new SshFailure({ kind: 'timed-out', phase: this.phase, seconds: ms / 1000 })
      : hideSecretInFailure(error, this.target);
    this.note(this.nextStep, { state: 'failed', message: failure.message, remedy: failure.remedy });
    return failure;
  }

  toDiagnosis(failure: SshFailure | undefined): Diagnosis {
    const steps = diagnosisSteps.map((step) => this.steps.get(step) ?? { step, ...skipped, ms: null });
    const { hostKey, killsChildren, stdout, stderr } = this;
    return { steps, hostKey, killsChildren, stdout, stderr, failure };
  }

  /** The first step that has not been reached. */
  private get nextStep(): StepName {
    return diagnosisSteps.find((step) => !this.steps.has(step)) ?? 'clock';
  }

  private get phase() {
    const phases = {
      resolve: 'resolve',
      connect: 'connect',
      host_key: 'handshake',
      authenticate: 'authenticate',
    } as const;
    const { nextStep: step } = this;
    return step in phases ? phases[step as keyof typeof phases] : ('total' as const);
  }

  private async connect(): Promise<Connection> {
    const options = { limits: connectLimits, signal: this.signal };
    return connectMeasured(this.target, { ...options, onStep: (step) => this.noteConnectStep(step) });
  }

  private noteConnectStep(step: Step): void {
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
      isKnown
        ? `La clé du serveur n’a pas changé\u00a0: ${step.hostKey}.`
        : `Première connexion, clé du serveur\u00a0: ${step.hostKey}.`,
    );
  }

  private async runDiagnosis(connection: Connection): Promise<HostValues> {
    const startedAt = Date.now();
    const options = { ...bounds, limits: scriptLimits, signal: this.signal, name: 'diagnosis.sh' };
    const script = runScript(connection, hostScript, options);
    const { stdout, stderr } = await closeAfter(connection, script);
    const values = parseHostValues(hideSecret(stdout.bytes.toString(), this.target));
    this.stdout = systemOf(values);
    this.stderr = readable(hideSecret(stderr.bytes.toString(), this.target));
    this.note('shell', shellFinding(values));
    this.note('files', filesFinding(values));
    this.note('clock', clockFinding(values, (startedAt + Date.now()) / 2));
    return values;
  }

  /** Connects again to see whether a child has survived the end of the first connection. */
  private async didChildSurvive(values: HostValues): Promise<boolean | undefined> {
    const [pid = '', start = ''] = (values.get('child')?.[0] ?? '').split(' ');
    if (!/^\d{1,9}$/.test(pid) || !/^\d{0,20}$/.test(start)) return undefined;
    const options = { ...bounds, limits: scriptLimits, signal: this.signal, name: 'survival.sh' };
    // The host key must be that of the first connection, even if none is pinned: the credential is sent again.
    const target = { ...this.target, hostKey: this.hostKey };
    const connection = await connectMeasured(target, { limits: connectLimits, signal: this.signal }).catch(
      (error: unknown) => {
        if (error instanceof SshFailure && error.kind === 'host-key-changed') throw error;
        return undefined;
      },
    );
    if (!connection) return undefined;
    const script = closeAfter(connection, runScript(connection, survival, { ...options, args: [pid, start] }));
    return script.then(
      ({ stdout }) => survivalResults.get(stdout.bytes.toString().trim()),
      () => undefined,
    );
  }

  private note(step: StepName, finding: Finding, ms = performance.now() - this.lastNoteAt): void {
    this.lastNoteAt = performance.now();
    const result = { step, ...finding, ms: Math.round(ms) };
    this.steps.set(step, result);
    this.onStep(result);
  }
}

async function closeAfter<T>(connection: Connection, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    await connection.close();
  }
}
