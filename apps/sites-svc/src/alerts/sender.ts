import { setTimeout as wait } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type AlertAnswer, type AlertMessage, mailAlert, sendAlert } from '@vigie/contracts/alerts';
import type { ChannelKind } from '@vigie/contracts/channels';
import { AppError } from '@vigie/contracts/errors';
import type { SealedText } from '@vigie/contracts/text';
import { Bus } from '@vigie/service-kit/bus';
import { makeLog } from '@vigie/service-kit/log';
import { RepeatingTask } from '@vigie/service-kit/repeating-task';
import { DataSource } from 'typeorm';
import { env } from '../env';
import { findIncident } from '../incidents/find-incident';
import { isAdministrator } from '../owners/owners';
import { outcomeOf } from './attempts';
import { asChannelOwner } from './as-channel-owner';
import { ignoreUnreached } from './plan-alerts';
import { isQuiet } from './times-of-day';
import { mailAnswer, toMail } from './mail-answer';

const everyMs = 1_000;
const maxAtOnce = 16;
/** People's own channels, which may be slow, leave room for those of the installation. */
const maxOfPeople = 12;
/** SQL condition: somebody asked for this message. */
const isAsked = "(d.kind = 'test' or d.resent_from is not null)";
/** Longer than an attempt may take: after that the process that made it has died. */
const leaseSeconds = 30;
/** How soon a message is tried whose attempt could not begin, and how often its mails are asked for. */
const [absentSeconds, mailSeconds, maxMailSeconds] = [5, 2, 60];
const withdrawn = 'Le propriétaire du canal n’a plus accès à ce que l’incident touche.';
const testPollMs = 200;

type Claimed = {
  id: string;
  claims: number;
  attempts: number;
  message_id: string;
  message: AlertMessage;
  incident_id: string | null;
  channel_id: string;
  kind: ChannelKind;
  name: string;
  owner_id: string | null;
  emails: string[];
  target: SealedText | null;
};

/** What is stored after an attempt. */
type End = {
  state: 'sent' | 'failed' | 'queued' | 'cancelled';
  attempts: number;
  status?: number | null;
  answer?: string | null;
  error: string | null;
  /** When it is tried or asked for again, if it stays queued. */
  seconds?: number;
  /** For how long the channel wants nothing more. */
  heldSeconds?: number;
};

/**
 * Sends the deliveries of the table: an agent reaches addresses, auth-svc sends mails. Replicas share the work, one message
 * of a channel at a time. One that dies between an attempt and its end makes it twice, under the same message id.
 */
@Injectable()
export class Sender implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);
  private readonly task = new RepeatingTask(this.log, 'messages could not be sent', () => this.pass());
  private readonly running = new Set<Promise<void>>();
  private isStopped = false;

  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start(everyMs);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.task.drain();
    await Promise.all(this.running);
  }

  wake(): Promise<void> {
    return this.task.runNow();
  }

  /** Sends what was just added, and waits until it has ended or the time is up. */
  async sendNow(id: string, ms: number): Promise<void> {
    const deadline = performance.now() + ms;
    while (performance.now() < deadline) {
      await this.wake();
      const [row]: { state: string }[] = await this.database.query('select state from deliveries where id = $1', [id]);
      if (row?.state !== 'queued') return;
      await wait(testPollMs);
    }
  }

  private async pass(): Promise<void> {
    while (!this.isStopped && this.running.size < maxAtOnce) {
      const claimed = await this.claim();
      if (!claimed) return;
      const sending = this.sendFrom(claimed);
      this.running.add(sending);
      void sending.finally(() => this.running.delete(sending));
    }
  }

  /** Sends a message and whatever is due next, so that a channel with many of them waits for no pass. */
  private async sendFrom(first: Claimed): Promise<void> {
    let claimed: Claimed | undefined = first;
    try {
      while (claimed) {
        await this.send(claimed);
        claimed = this.isStopped ? undefined : await this.claim();
      }
    } catch (error) {
      this.log.warn({ err: error, delivery: claimed?.id }, 'a message could not be sent');
    }
  }

  /**
   * Messages of one incident and of those merged into it leave in their order, those of a channel one by one, and those of the installation and of
   * critical incidents first. What nobody asked for by hand waits for the end of quiet hours, and leaves no paused channel.
   */
  private async claim(): Promise<Claimed | undefined> {
    const [[claimed]]: [Claimed[], number] = await this.database.query(
      `with due as materialized (
         select d.id, d.channel_id from deliveries d join channels c on c.id = d.channel_id
         where d.state = 'queued' and d.next_at <= now() and c.held_until <= now() and (c.owner_id is null or $1)
           and (${isAsked} or d.incident_id is null or d.claims > 0 and c.target is null
             or c.is_enabled and (d.message ->> 'severity' = 'critical' or not ${isQuiet('c')}))
           and not exists (
             select from deliveries e join incidents i on i.id = e.incident_id
             where e.channel_id = d.channel_id and d.incident_id in (i.id, i.merged_into)
               and e.state = 'queued' and (e.created_at, e.id) < (d.created_at, d.id))
         order by c.owner_id is not null, d.message ->> 'severity' is distinct from 'critical', d.claims, d.next_at
         limit 1 for update of d, c skip locked
       ), held as (
         update channels c set held_until = now() + interval '${leaseSeconds} seconds' from due where c.id = due.channel_id
       )
       update deliveries d set claims = claims + 1, error = null, next_at = now() + interval '${leaseSeconds} seconds'
       from due join channels c on c.id = due.channel_id where d.id = due.id
       returning d.id, d.claims, d.attempts, d.message_id, d.message, d.channel_id, c.kind, c.name, c.owner_id,
         c.emails, c.target, d.incident_id`,
      [this.running.size < maxOfPeople],
    );
    return claimed;
  }

  private async send(claimed: Claimed): Promise<void> {
    const end = await this.attempt(claimed).catch((error: unknown): End => {
      if (!(error instanceof AppError)) throw error;
      return absentEnd(claimed, error);
    });
    await this.save(claimed, end);
  }

  private async attempt({ message, ...claimed }: Claimed): Promise<End> {
    if (!(await this.mayHear({ message, ...claimed }))) return { state: 'cancelled', attempts: 0, error: withdrawn };
    const addressed = { ...claimed, message: { ...message, link: addressOf(message.link) } };
    return claimed.target === null ? this.mail(addressed) : this.post(addressed, claimed.target);
  }

  /** A right may have ended since the message was made. What auth-svc has already is on its way. */
  private async mayHear({ owner_id: ownerId, incident_id: incidentId, claims, target }: Claimed): Promise<boolean> {
    if (ownerId === null || incidentId === null || (target === null && claims > 1)) return true;
    const { manager } = this.database;
    return (
      (await asChannelOwner(ownerId, () => findIncident(manager, incidentId)).catch(ignoreUnreached)) !== undefined
    );
  }

  private async post(claimed: Claimed, target: SealedText): Promise<End> {
    const { id: _, message_id: messageId, channel_id: channelId, kind, message, owner_id: ownerId } = claimed;
    const answer = await this.bus.call(sendAlert, {
      message_id: messageId,
      channel_id: channelId,
      kind,
      target,
      allows_private: ownerId === null || (await isAdministrator(this.database.manager, ownerId)),
      message,
    });
    return postEnd(claimed, answer);
  }

  private async mail(claimed: Claimed): Promise<End> {
    const { id, name, message, claims } = claimed;
    const { items } = await this.bus.call(mailAlert, {
      delivery_id: id,
      to: recipientsOf(claimed),
      ...toMail(message, name),
    });
    const { outcome, attempts, error } = mailAnswer(items);
    if (outcome === 'waiting')
      return { state: 'queued', attempts, error, seconds: Math.min(claims * mailSeconds, maxMailSeconds) };
    return { state: outcome === 'sent' ? 'sent' : 'failed', attempts, error };
  }

  /** Only the newest claim stores its end: an older one was given up when its lease had passed. */
  private async save({ id, claims }: Claimed, end: End): Promise<void> {
    await this.database.query(
      `with ended as (
         update deliveries set state = $3, attempts = $4, status = $5, answer = $6, error = $7,
           next_at = now() + make_interval(secs => $8), ended_at = case when $3 <> 'queued' then now() end
         where id = $1 and claims = $2 and state = 'queued' returning channel_id)
       update channels c set held_until = now() + make_interval(secs => $9) from ended where c.id = ended.channel_id`,
      [
        id,
        claims,
        end.state,
        end.attempts,
        end.status ?? null,
        end.answer ?? null,
        end.error,
        end.seconds ?? 0,
        end.heldSeconds ?? 0,
      ],
    );
  }
}

/** The address that people use for Vigie may have changed since the message was made. */
const addressOf = (path: string): string => `${env.VIGIE_PUBLIC_URL.replace(/\/$/, '')}${path}`;

function postEnd({ attempts, message }: Claimed, answer: AlertAnswer): End {
  const outcome = outcomeOf(answer, message.kind, attempts + 1);
  const { status, answer: text, error, retry_after: heldSeconds } = answer;
  return {
    state: outcome.state,
    attempts: attempts + 1,
    status,
    answer: text,
    error,
    ...(outcome.state === 'queued' && { seconds: outcome.seconds }),
    ...(heldSeconds !== null && { heldSeconds }),
  };
}

/**
 * While nobody can send, nothing is counted and nothing given up, but a test, for which somebody waits. A process that
 * fails is tried again like a receiver that does. Any other refusal is for good.
 */
function absentEnd({ attempts, message }: Claimed, { code, message: error }: AppError): End {
  if (code === 'internal') return failedEnd(attempts + 1, message, error);
  const isAbsent = code === 'unavailable' || code === 'too_many';
  return { state: isAbsent && message.kind !== 'test' ? 'queued' : 'failed', attempts, error, seconds: absentSeconds };
}

function failedEnd(attempts: number, { kind }: AlertMessage, error: string): End {
  const outcome = outcomeOf({ outcome: 'retry', retry_after: null }, kind, attempts);
  return { ...outcome, attempts, error };
}

function recipientsOf({ owner_id: ownerId, emails }: Claimed) {
  if (ownerId !== null) return { kind: 'user' as const, user_id: ownerId };
  return emails.length > 0 ? { kind: 'addresses' as const, emails } : { kind: 'administrators' as const };
}
