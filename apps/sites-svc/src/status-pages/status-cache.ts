import { Injectable } from '@nestjs/common';
import type { Status } from './find-status';

const keptMs = 30_000;

type Entry = { status: Promise<Status>; endsAt: number };

/**
 * What pages show, computed at most once in half a minute for each page however many people look. Whether the page exists
 * is asked for each of them, so that nothing here outlives a revocation.
 */
@Injectable()
export class StatusCache {
  private readonly entries = new Map<string, Entry>();

  /** `compute` runs once for all who ask meanwhile. A failure is not kept. */
  read(pageId: string, compute: () => Promise<Status>, now = Date.now()): Promise<Status> {
    const known = this.entries.get(pageId);
    if (known && known.endsAt > now) return known.status;
    this.forgetOld(now);
    const status = compute();
    const entry = { status, endsAt: now + keptMs };
    this.entries.set(pageId, entry);
    status.catch(() => {
      if (this.entries.get(pageId) === entry) this.entries.delete(pageId);
    });
    return status;
  }

  private forgetOld(now: number): void {
    for (const [id, { endsAt }] of this.entries) if (endsAt <= now) this.entries.delete(id);
  }
}
