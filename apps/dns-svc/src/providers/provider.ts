import type { DnsPermission } from '@vigie/contracts/dns-config';
import type { RecordContent } from '@vigie/contracts/dns-records';

/** Fields of the provider that Vigie hands back unchanged, and neither compares nor shows. */
type Extras = { tags?: string[]; settings?: Record<string, boolean> };

/** A record to create; a restored one gets its extras back. */
export type NewRecord = RecordContent & { extras?: Extras };

/** A record as the provider stores it, in Vigie’s words. */
export type ProviderRecord = NewRecord & {
  id: string;
  /** False for types that Vigie does not write, and for records that the provider manages. */
  editable: boolean;
  proxiable: boolean;
  modified_at: string | null;
};

export type ProviderZone = {
  id: string;
  name: string;
  status: string;
  paused: boolean;
  type: string;
  name_servers: string[];
  original_name_servers: string[];
  plan: string | null;
  account_name: string | null;
  created_at: string | null;
};

export type Account = { id: string; name: string };

export type Login = {
  /** Null for a token. */
  email: string | null;
  accounts: Account[];
  permissions: DnsPermission[];
  expires_at: string | null;
};

export type Write =
  | { action: 'create'; record: NewRecord }
  | { action: 'edit'; id: string; record: RecordContent }
  | { action: 'delete'; id: string };

/** The record after the write, or null when it was deleted. */
export type WrittenRecord = ProviderRecord | null;

/** A company that hosts zones. Every method fails with a `ProviderFailure`. */
export type DnsProvider = {
  /** Returns the owner of the credentials and their rights. */
  logIn: () => Promise<Login>;
  zones: () => Promise<ProviderZone[]>;
  zone: (id: string) => Promise<ProviderZone>;
  /** Finds a zone by its name in punycode. */
  findZone: (name: string) => Promise<ProviderZone | undefined>;
  createZone: (name: string) => Promise<ProviderZone>;
  records: (zoneId: string) => Promise<ProviderRecord[]>;
  /** Applies all writes or none, and returns their results in the same order. */
  write: (zoneId: string, writes: readonly Write[]) => Promise<WrittenRecord[]>;
};
