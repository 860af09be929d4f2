import { type DynamicModule, Module } from '@nestjs/common';
import { dnsOutboxWritten } from '@vigie/contracts/outbox';
import { AuditChainer } from '@vigie/service-kit/audit';
import type { Kit } from '@vigie/service-kit/bootstrap';
import { Counters, openCounters } from '@vigie/service-kit/counters';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { provideFromDatabase } from '@vigie/service-kit/database';
import { AuditedTransactions } from '@vigie/service-kit/audited-transactions';
import { Resealer } from '@vigie/service-kit/resealer';
import { Retention } from '@vigie/service-kit/retention';
import { ConfigController } from './config/config.controller';
import { makeRetention } from './db/retention';
import { sealedColumns } from './db/sealed-columns';
import { env } from './env';
import { OutboxConsumer } from './outbox-consumer';
import { HealthController } from './health.controller';
import { DailyChecks } from './history/daily-checks';
import { HistoryController } from './history/history.controller';
import { ZoneStates } from './history/zone-states';
import { PendingWriteRecovery } from './pending-writes/pending-write-recovery';
import { PendingWrites } from './pending-writes/pending-writes';
import { LintController } from './lint/lint.controller';
import { FreeSitesController } from './mapping/free-sites.controller';
import { SitesClient } from './mapping/sites-client';
import { MappingController } from './mapping/mapping.controller';
import { OutboxController } from './outbox.controller';
import { Budget } from './providers/budget';
import { Providers } from './providers/providers';
import { ChangesController } from './records/changes.controller';
import { UnconfirmedChanges } from './records/unconfirmed-changes';
import { OutcomeRecorder } from './records/outcome-recorder';
import { RecordLists } from './records/record-lists';
import { RecordsController } from './records/records.controller';
import { SubdomainTargets } from './records/subdomain-targets';
import { ZoneChanges } from './records/zone-changes';
import { SearchController } from './search/search.controller';
import { ZoneFilesController } from './zone-files/zone-files.controller';
import { NewZones } from './zones/new-zones';
import { ZoneAccess } from './zones/zone-access';
import { ZoneLists } from './zones/zone-lists';
import { ZoneLock } from './zones/zone-lock';
import { ZonesController } from './zones/zones.controller';

@Module({})
export class DnsModule {
  static with(kit: Kit, database: DynamicModule): DynamicModule {
    return {
      module: DnsModule,
      imports: [database],
      controllers: [
        ChangesController,
        ConfigController,
        HealthController,
        HistoryController,
        LintController,
        FreeSitesController,
        MappingController,
        OutboxController,
        RecordsController,
        SearchController,
        ZoneFilesController,
        ZonesController,
      ],
      providers: [
        { provide: Counters, useFactory: () => openCounters(env.REDIS_URL, kit) },
        provideFromDatabase(
          AuditedTransactions,
          (source) => new AuditedTransactions(source, kit.bus, dnsOutboxWritten),
        ),
        provideFromDatabase(AuditChainer, (source) => new AuditChainer(source, kit.log)),
        provideFromDatabase(Retention, (source) => makeRetention(source, kit.log)),
        provideFromDatabase(Resealer, (source) => new Resealer(source, kit, sealedColumns)),
        Budget,
        IdempotencyKeys,
        DailyChecks,
        OutboxConsumer,
        PendingWriteRecovery,
        PendingWrites,
        SitesClient,
        UnconfirmedChanges,
        NewZones,
        OutcomeRecorder,
        Providers,
        RecordLists,
        SubdomainTargets,
        ZoneAccess,
        ZoneChanges,
        ZoneLists,
        ZoneStates,
        ZoneLock,
      ],
    };
  }
}
