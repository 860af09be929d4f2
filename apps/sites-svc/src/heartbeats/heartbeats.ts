import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { beat } from '@vigie/contracts/alerts';
import type { Delivery, VigiePart } from '@vigie/contracts/channels';
import { AppError } from '@vigie/contracts/errors';
import type { SealedText } from '@vigie/contracts/text';
import { Bus } from '@vigie/service-kit/bus';
import { makeLog } from '@vigie/service-kit/log';
import { RepeatingTask } from '@vigie/service-kit/repeating-task';
import { DataSource } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { env } from '../env';
import { JobQueues } from '../queue/job-queues';
import { type CallAnswer, claimCalls, type DueCall, isStillWanted, saveAnswer, saveMissing } from './heartbeat-rows';
import { findMissingParts } from './part-checks';

const everyMs = 1_000;

type TestedChannel = { id: string; name: string; version: number; target: SealedText | null };

/** Calls the addresses of signs of life each minute while all parts of Vigie live. Their silence is the alarm. */
@Injectable()
export class Heartbeats implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);
  private readonly task = new RepeatingTask(this.log, 'signs of life could not be given', () => this.claim());
  private isStopped = false;

  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
    private readonly queues: JobQueues,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start(everyMs);
  }

  /** Waits for no call: how it ends is of no use, and the next replica makes the next one. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.task.drain();
  }

  /** Calls at once, whatever lives, and says what was answered. */
  async test({ id, name, version, target }: TestedChannel): Promise<Delivery> {
    if (target === null) throw new Error('a sign of life without an address');
    const [call, startedAt] = [{ channel_id: id, version, target }, new Date()];
    const answer = await this.call(call);
    await saveAnswer(this.database, call, answer, true);
    return toDelivery({ id, name }, answer, startedAt);
  }

  /** Calls are made beside the task, so that a slow one delays no other channel and no later minute. */
  private async claim(): Promise<void> {
    const calls = await claimCalls(this.database);
    if (calls.length > 0) void this.makeCalls(calls);
  }

  private async makeCalls(calls: readonly DueCall[]): Promise<void> {
    await this.unlessStopped(async () => {
      const parts = await findMissingParts({ database: this.database, bus: this.bus, queues: this.queues });
      await Promise.all(calls.map((call) => this.unlessStopped(() => this.makeCall(call, parts))));
    });
  }

  private async makeCall(call: DueCall, parts: readonly VigiePart[]): Promise<void> {
    if (this.isStopped) return;
    if (parts.length > 0) return saveMissing(this.database, call, parts);
    if (!(await isStillWanted(this.database, call))) return;
    const answer = await this.call(call);
    if (!this.isStopped) await saveAnswer(this.database, call, answer);
  }

  private call({ channel_id: channelId, target }: Omit<DueCall, 'missing'>): Promise<CallAnswer> {
    // Only administrators have such channels, and theirs may call private addresses.
    const input = { channel_id: channelId, target, allows_private: true };
    return this.bus.call(beat, input).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      return { status: null, answer: null, error: error.message };
    });
  }

  private async unlessStopped(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.isStopped) this.log.warn({ err: error }, 'a sign of life could not be given');
    }
  }
}

/** As a test of another channel is answered; no list has it. */
function toDelivery(channel: { id: string; name: string }, answer: CallAnswer, startedAt: Date): Delivery {
  const isTaken = answer.error === null;
  return {
    id: uuid(),
    channel: { ...channel, kind: 'heartbeat' },
    kind: 'test',
    title: 'Signe de vie',
    incident_id: null,
    state: isTaken ? 'sent' : 'failed',
    attempts: 1,
    ...answer,
    created_at: startedAt.toISOString(),
    next_at: null,
    sent_at: isTaken ? new Date().toISOString() : null,
    resent_from: null,
  };
}
