import { type DynamicModule, Module } from '@nestjs/common';
import { dnsOutboxWritten } from '@vigie/contracts/outbox';
import { AuditChainer } from '@vigie/service-kit/audit';
import type { Kit } from '@vigie/service-kit/bootstrap';
import { Counters, openCounters } from '@vigie/service-kit/counters';
import { Creations } from '@vigie/service-kit/creations';
import { History } from '@vigie/service-kit/history';
import { Resealer } from '@vigie/service-kit/resealer';
import { DataSource } from 'typeorm';
import { ConfigController } from './config/config.controller';
import { Retention } from './db/retention';
import { env } from './env';
import { Facts } from './facts';
import { HealthController } from './health.controller';
import { HistoryController } from './history/history.controller';
import { IntentRounds } from './intents/intent-rounds';
import { Intents } from './intents/intents';
import { LintController } from './lint/lint.controller';
import { KnownSites } from './mapping/known-sites';
import { MappingController } from './mapping/mapping.controller';
import { OutboxController } from './outbox.controller';
import { Budget } from './providers/budget';
import { Providers } from './providers/providers';
import { ChangesController } from './records/changes.controller';
import { DailyLooks } from './records/daily-looks';
import { LostChanges } from './records/lost-changes';
import { Notes } from './records/notes';
import { Readings } from './records/readings';
import { RecordsController } from './records/records.controller';
import { SubdomainTargets } from './records/subdomain-targets';
import { ZoneChanges } from './records/zone-changes';
import { ZoneStates } from './records/zone-states';
import { SearchController } from './search/search.controller';
import { sealedColumns } from './sealed-columns';
import { ZoneFilesController } from './zone-files/zone-files.controller';
import { NewZones } from './zones/new-zones';
import { ZoneAccess } from './zones/zone-access';
import { ZoneLists } from './zones/zone-lists';
import { ZoneTurns } from './zones/zone-turns';
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
        MappingController,
        OutboxController,
        RecordsController,
        SearchController,
        ZoneFilesController,
        ZonesController,
      ],
      providers: [
        { provide: Counters, useFactory: () => openCounters(env.REDIS_URL, kit) },
        {
          provide: History,
          useFactory: (source: DataSource) => new History(source, kit.bus, dnsOutboxWritten),
          inject: [DataSource],
        },
        {
          provide: Resealer,
          useFactory: (source: DataSource) => new Resealer(source, kit, sealedColumns),
          inject: [DataSource],
        },
        AuditChainer,
        Budget,
        Creations,
        DailyLooks,
        Facts,
        IntentRounds,
        Intents,
        KnownSites,
        LostChanges,
        NewZones,
        Notes,
        Providers,
        Readings,
        Retention,
        SubdomainTargets,
        ZoneAccess,
        ZoneChanges,
        ZoneLists,
        ZoneStates,
        ZoneTurns,
      ],
    };
  }
}
