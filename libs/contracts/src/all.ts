import { z } from 'zod';
import type { Contract } from './contract';
import * as activity from './activity';
import * as alerts from './alerts';
import * as backups from './backups';
import * as changes from './changes';
import * as channels from './channels';
import * as consoles from './consoles';
import * as credentials from './credentials';
import * as dashboard from './dashboard';
import * as dnsChanges from './dns-changes';
import * as dnsConfig from './dns-config';
import * as dnsHistory from './dns-history';
import * as dnsLint from './dns-lint';
import * as dnsMapping from './dns-mapping';
import * as dnsRecords from './dns-records';
import * as dnsZones from './dns-zones';
import * as domains from './domains';
import * as grants from './grants';
import * as groups from './groups';
import * as health from './health';
import * as incidents from './incidents';
import * as inventory from './inventory';
import * as jobs from './jobs';
import * as maintenanceWindows from './maintenance-windows';
import * as notifications from './notifications';
import * as outbox from './outbox';
import * as ownerChanges from './owner-changes';
import * as passkeyLogins from './passkey-logins';
import * as passkeys from './passkeys';
import * as passwords from './passwords';
import * as plugins from './plugins';
import * as proposals from './proposals';
import * as proposedOrder from './proposed-order';
import * as restores from './restores';
import * as search from './search';
import * as serverHealth from './server-health';
import * as serverState from './server-state';
import * as servers from './servers';
import * as sessionChecks from './session-checks';
import * as sessions from './sessions';
import * as settings from './settings';
import * as shells from './shells';
import * as siteBatches from './site-batches';
import * as siteCommands from './site-commands';
import * as siteDiscovery from './site-discovery';
import * as siteCsv from './site-csv';
import * as siteCheckRules from './site-check-rules';
import * as siteChecks from './site-checks';
import * as siteInventory from './site-inventory';
import * as siteReferences from './site-references';
import * as siteRepairs from './site-repairs';
import * as siteViews from './site-views';
import * as sites from './sites';
import * as statusPages from './status-pages';
import * as teams from './teams';
import * as text from './text';
import * as tokens from './tokens';
import * as twoFactor from './two-factor';
import * as uploads from './uploads';
import * as uptime from './uptime';
import * as users from './users';

const isContract = (value: unknown): value is Contract =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'call';

const features = [
  activity,
  alerts,
  backups,
  changes,
  channels,
  consoles,
  credentials,
  dashboard,
  dnsChanges,
  dnsConfig,
  dnsHistory,
  dnsLint,
  dnsMapping,
  dnsRecords,
  dnsZones,
  domains,
  grants,
  groups,
  health,
  incidents,
  inventory,
  jobs,
  maintenanceWindows,
  notifications,
  outbox,
  ownerChanges,
  passkeyLogins,
  passkeys,
  passwords,
  plugins,
  proposals,
  proposedOrder,
  restores,
  search,
  serverHealth,
  serverState,
  servers,
  sessionChecks,
  sessions,
  settings,
  shells,
  siteBatches,
  siteCsv,
  siteCommands,
  siteDiscovery,
  siteCheckRules,
  siteChecks,
  siteInventory,
  siteReferences,
  siteRepairs,
  siteViews,
  sites,
  statusPages,
  teams,
  text,
  tokens,
  twoFactor,
  uploads,
  uptime,
  users,
];

/** Every contract of the product, for the check of handlers at start and for the OpenAPI document. */
export const allContracts: readonly Contract[] = features.flatMap((feature) =>
  Object.values<unknown>(feature).filter(isContract),
);

/** The schemas that have a name of their own, such as `Site`, for the OpenAPI document. */
export const namedSchemas: ReadonlyMap<string, z.ZodType> = new Map(
  features.flatMap((feature) =>
    Object.entries<unknown>(feature).filter(
      (entry): entry is [string, z.ZodType] => /^[A-Z]/.test(entry[0]) && entry[1] instanceof z.ZodType,
    ),
  ),
);
