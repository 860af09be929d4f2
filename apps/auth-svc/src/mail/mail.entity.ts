import type { Mail as MailView } from '@vigie/contracts/notifications';
import type { Sealed } from '@vigie/vault/seal';
import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Binds a sealed body to its row, so that it can be unsealed there only. */
export const bodySealContext = (id: string) => `mails|${id}|body`;

@Entity('mails')
export class Mail {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  recipient!: string;

  @Column('text')
  subject!: string;

  /** Sealed text and HTML, since a reset link is worth a password. Erased once the mail is sent or given up. */
  @Column('jsonb', { nullable: true })
  body!: Sealed | null;

  /** The mail is dropped when its address has no account: silently, or as failed if it belongs to a delivery. */
  @Column('boolean', { name: 'needs_account' })
  needsAccount!: boolean;

  /** The delivery of a channel that the mail belongs to, which sites-svc asks about. */
  @Column('uuid', { name: 'delivery_id', nullable: true })
  deliveryId!: string | null;

  @Column('text')
  state!: MailView['state'];

  @Column('int')
  attempts!: number;

  @Column('text', { nullable: true })
  error!: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'next_at' })
  nextAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'sent_at', nullable: true })
  sentAt!: Date | null;
}

export const toMailView = (mail: Mail): MailView => ({
  id: mail.id,
  to: mail.recipient,
  subject: mail.subject,
  state: mail.state,
  attempts: mail.attempts,
  error: mail.error,
  created_at: mail.createdAt.toISOString(),
  sent_at: mail.sentAt?.toISOString() ?? null,
});
