import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Stop = () => Promise<unknown> | void;

/** A folder to measure in, and the end of all that was started for it, however the run ends. */
export class Workbench {
  readonly folder = mkdtempSync(join(tmpdir(), 'vigie-bench-'));
  private readonly stops: Stop[] = [];
  private readonly aborter = new AbortController();
  private closing: Promise<void> | undefined;

  /** Fires when nothing more must be started. */
  readonly signal = this.aborter.signal;

  constructor() {
    // Readable by the unprivileged user that PostgreSQL runs as.
    chmodSync(this.folder, 0o755);
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
    this.aborter.abort();
    for (const stop of this.stops.toReversed()) await Promise.resolve(stop()).catch(() => undefined);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
