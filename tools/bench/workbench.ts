import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fr } from '../terminal';
import { step } from '../trials';

type Stop = () => Promise<unknown> | void;

/** Holds the folder of one part and stops what it started. The reaper cleans up after an interrupted run. */
export class Workbench {
  readonly folder = mkdtempSync(join(tmpdir(), 'vigie-bench-'));
  private readonly stops: Stop[] = [];
  private closing: Promise<void> | undefined;

  constructor(
    private readonly part: string,
    readonly signal: AbortSignal,
  ) {
    // The unprivileged user of PostgreSQL must be able to read it.
    chmodSync(this.folder, 0o755);
  }

  step(line: string): void {
    step(fr`${this.part} : ${line}`);
  }

  /** Stops run in reverse order. A stop may run twice. */
  atEnd(stop: Stop): void {
    if (this.closing) void stop();
    else this.stops.push(stop);
  }

  close(): Promise<void> {
    return (this.closing ??= this.closeNow());
  }

  private async closeNow(): Promise<void> {
    for (const stop of this.stops.toReversed()) await Promise.resolve(stop()).catch(() => undefined);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
