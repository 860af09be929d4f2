import type { dnsModes, DnsConfig as DnsConfigView } from '@vigie/contracts/dns-config';
import type { Sealed } from '@vigie/vault/seal';
import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Where the key of a configuration may be opened. */
export const placeOfApiKey = (id: string) => `configs|${id}|api_key`;

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

  /** Why the credentials were refused the last time. */
  @Column('text', { nullable: true })
  problem!: string | null;

  /** When all zones were last read. */
  @Column('timestamptz', { name: 'zones_read_at', nullable: true })
  zonesReadAt!: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}

export const noConfig: DnsConfigView = {
  has_config: false,
  mode: null,
  email: null,
  notes: null,
  created_at: null,
  updated_at: null,
  problem: null,
};

export const toConfigView = (config: DnsConfig): DnsConfigView => ({
  has_config: true,
  mode: config.mode,
  email: config.email,
  notes: config.notes,
  created_at: config.createdAt.toISOString(),
  updated_at: config.updatedAt.toISOString(),
  problem: config.problem,
});
