import { type SiteStep, siteSteps } from '@vigie/contracts/sites';

type Name = SiteStep['step'];
export type Finding = Pick<SiteStep, 'state' | 'message' | 'remedy'>;

const skipped: Finding = {
  state: 'skipped',
  message: 'Non essayé\u00a0: une étape précédente a échoué.',
  remedy: null,
};

/** The steps of a connection test, in order. */
export class SiteSteps {
  private readonly findings = new Map<Name, SiteStep>();
  private since = performance.now();

  constructor(private readonly onStep: (step: SiteStep) => void = () => undefined) {}

  note(step: Name, finding: Finding): void {
    const ms = Math.round(performance.now() - this.since);
    this.since = performance.now();
    const result = { step, ...finding, ms };
    this.findings.set(step, result);
    this.onStep(result);
  }

  /** Marks a step as failed; by default the first without a finding. */
  fail({ message, remedy }: { message: string; remedy: string }, step = this.next): void {
    this.note(step, { state: 'failed', message, remedy });
  }

  /** The first step without a finding. */
  get next(): Name {
    return siteSteps.find((step) => !this.findings.has(step)) ?? 'write';
  }

  get all(): SiteStep[] {
    return siteSteps.map((step) => this.findings.get(step) ?? { step, ...skipped, ms: null });
  }
}
