import type { DnsPermission } from '@vigie/contracts/dns-config';
import type { RecordContent } from '@vigie/contracts/dns-records';

/** What a provider keeps of a record besides, and Vigie only hands back: nothing of it is compared or shown. */
type Extras = { tags?: string[]; settings?: Record<string, boolean> };

/** A record to be made; one that was there before gets back what it had. */
export type NewRecord = RecordContent & { extras?: Extras };

/** A record as a provider has it, in the words of Vigie. */
export type HeldRecord = NewRecord & {
  id: string;
  /** Of a type that Vigie writes, and not kept by the provider itself. */
  editable: boolean;
  proxiable: boolean;
  modified_at: string | null;
};

export type HeldZone = {
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

/** What became of one: the record as it is there now, null for one that was deleted. */
export type Written = HeldRecord | null;

/** One company that keeps zones. What fails is a `ProviderFailure`. */
export type DnsProvider = {
  /** Whom the credentials belong to, and what they may do. */
  logIn: () => Promise<Login>;
  zones: () => Promise<HeldZone[]>;
  zone: (id: string) => Promise<HeldZone>;
  /** By its name, in punycode. */
  findZone: (name: string) => Promise<HeldZone | undefined>;
  createZone: (name: string) => Promise<HeldZone>;
  records: (zoneId: string) => Promise<HeldRecord[]>;
  /** All of them, or none; in their order. */
  write: (zoneId: string, writes: readonly Write[]) => Promise<Written[]>;
};
