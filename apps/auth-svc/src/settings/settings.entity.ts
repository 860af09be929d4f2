import type { TwoFactorPolicy } from '@vigie/contracts/settings';
import type { Sealed } from '@vigie/vault/seal';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The single row, created by the migration. */
export const settingsRow = { id: 1 };

/** Binds the sealed key to its row, so that it can be unsealed there only. */
export const sendgridKeySealContext = 'settings|1|sendgrid_key';

@Entity('settings')
export class Settings {
  @PrimaryColumn('int')
  id!: number;

  @Column('text', { name: 'app_name' })
  appName!: string;

  /** A data URI, sanitised before it was saved. It may be an SVG of earlier times, which only an `img` may show. */
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
