import type { TwoFactorPolicy } from '@vigie/contracts/settings';
import type { Sealed } from '@vigie/vault/seal';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** There is one row, made by the migration. */
export const settingsRow = { id: 1 };

/** Where the key may be opened. */
export const placeOfSendgridKey = 'settings|1|sendgrid_key';

@Entity('settings')
export class Settings {
  @PrimaryColumn('int')
  id!: number;

  @Column('text', { name: 'app_name' })
  appName!: string;

  /** A data URI, sanitised when it was saved. */
  @Column('text', { name: 'logo_light', nullable: true, select: false })
  logoLight!: string | null;

  @Column('text', { name: 'logo_dark', nullable: true, select: false })
  logoDark!: string | null;

  @Column('text', { name: 'default_sender_email', nullable: true })
  defaultSenderEmail!: string | null;

  @Column('text', { name: 'require_2fa' })
  require2fa!: TwoFactorPolicy;

  @Column('jsonb', { name: 'sendgrid_key', nullable: true })
  sendgridKey!: Sealed | null;

  @Column('timestamptz', { name: 'sendgrid_key_at', nullable: true })
  sendgridKeyAt!: Date | null;
}
