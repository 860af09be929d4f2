import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fr } from '../terminal';
import { step } from '../trials';

type Stop = () => Promise<unknown> | void;

/** A folder to measure in, and the end of all that was started for it; that of an interrupted run is the reaper's. */
export class Workbench {
  readonly folder = mkdtempSync(join(tmpdir(), 'vigie-bench-'));
  private readonly stops: Stop[] = [];
  private closing: Promise<void> | undefined;
  /** Of the bench that is under way. */
  part = '';

  /** The signal fires when nothing more must be started. */
  constructor(readonly signal: AbortSignal) {
    // Readable by the unprivileged user that PostgreSQL runs as.
    chmodSync(this.folder, 0o755);
  }

  /** Says what it is at. */
  step(line: string): void {
    step(fr`${this.part} : ${line}`);
  }

  /** The last thing started is the first stopped. Each stop may be asked for twice. */
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
