import type { dnsModes, DnsConfig as DnsConfigView } from '@vigie/contracts/dns-config';
import type { Sealed } from '@vigie/vault/seal';
import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Binds the sealed key to its configuration, so that it can be unsealed there only. */
export const apiKeySealContext = (id: string) => `configs|${id}|api_key`;

@Entity('configs')
export class DnsConfig {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'owner_id' })
  ownerId!: string;

  @Column('text')
  mode!: (typeof dnsModes)[number];

  @Column('text', { nullable: true })
  email!: string | null;

  @Column('jsonb', { name: 'api_key' })
  apiKey!: Sealed;

  @Column('text', { nullable: true })
  notes!: string | null;

  /** Why the provider last refused the credentials. */
  @Column('text', { nullable: true })
  problem!: string | null;

  @Column('timestamptz', { name: 'zones_read_at', nullable: true })
  zonesReadAt!: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}

/** The name that tells configurations apart: a token has nothing but its note or its date. */
export function configName({ mode, email, notes, createdAt }: DnsConfig): string {
  if (mode === 'global_key' && email !== null) return email;
  const day = createdAt.toISOString().slice(0, 10).split('-').toReversed().join('/');
  return `jeton d’API ${notes === null ? `du ${day}` : `(${notes.slice(0, 80)})`}`;
}

export const noConfig: DnsConfigView = {
  has_config: false,
  mode: null,
  email: null,
  notes: null,
  created_at: null,
  updated_at: null,
  problem: null,
  zones_count: 0,
  snapshots_count: 0,
};

type Counts = Pick<DnsConfigView, 'zones_count' | 'snapshots_count'>;

export const toConfigView = (config: DnsConfig, counts: Counts): DnsConfigView => ({
  has_config: true,
  mode: config.mode,
  email: config.email,
  notes: config.notes,
  created_at: config.createdAt.toISOString(),
  updated_at: config.updatedAt.toISOString(),
  problem: config.problem,
  ...counts,
});
