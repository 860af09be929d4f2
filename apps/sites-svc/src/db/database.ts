import { auditTables } from '@vigie/service-kit/audit';
import type { Database } from '@vigie/service-kit/database';
import { Activity } from '../activity/activity.entity';
import { LocalBackup } from '../backups/local-backup.entity';
import { RollbackCopy } from '../items/rollback-copy.entity';
import { Console } from '../consoles/console.entity';
import { Group } from '../groups/group.entity';
import { Job } from '../queue/job.entity';
import { Server } from '../servers/server.entity';
import { SiteView } from '../site-views/site-view.entity';
import { Site } from '../sites/site.entity';
import { Upload } from '../uploads/upload.entity';
import { CreateActivity1795262400000 } from './migrations/1795262400000-create-activity';
import { CreateServers1795349000000 } from './migrations/1795349000000-create-servers';
import { CreateJobs1795350000000 } from './migrations/1795350000000-create-jobs';
import { CreateServerHealth1795352000000 } from './migrations/1795352000000-create-server-health';
import { FindFinishedJobs1795353000000 } from './migrations/1795353000000-find-finished-jobs';
import { FindRetries1795354000000 } from './migrations/1795354000000-find-retries';
import { NoteJobsPassedBy1795355000000 } from './migrations/1795355000000-note-jobs-passed-by';
import { CreateConsoles1795356000000 } from './migrations/1795356000000-create-consoles';
import { NoteWhoKillsChildren1795357000000 } from './migrations/1795357000000-note-who-kills-children';
import { FindPausedJobs1795358000000 } from './migrations/1795358000000-find-paused-jobs';
import { NoteWhatWasHeard1795359000000 } from './migrations/1795359000000-note-what-was-heard';
import { CreateSitesAndGroups1795360000000 } from './migrations/1795360000000-create-sites-and-groups';
import { CreateUploads1795362000000 } from './migrations/1795362000000-create-uploads';
import { RememberBetweenAttempts1795370000000 } from './migrations/1795370000000-remember-between-attempts';
import { CreateChanges1795371000000 } from './migrations/1795371000000-create-changes';
import { CreateBackups1795380000000 } from './migrations/1795380000000-create-backups';
import { TellOfDeletedSites1795390000000 } from './migrations/1795390000000-tell-of-deleted-sites';
import { CountPlugins1795400000000 } from './migrations/1795400000000-count-plugins';
import { FindLicences1795400500000 } from './migrations/1795400500000-find-licences';
import { CreateSiteViews1795401000000 } from './migrations/1795401000000-create-site-views';
import { ServeTheDashboard1795402000000 } from './migrations/1795402000000-serve-the-dashboard';
import { FindByWords1795404000000 } from './migrations/1795404000000-find-by-words';
import { KnowOfTablesPutAside1795500000000 } from './migrations/1795500000000-know-of-tables-put-aside';
import { FollowJobs1795600000000 } from './migrations/1795600000000-follow-jobs';
import { NoteRestorations1795610000000 } from './migrations/1795610000000-note-restorations';
import { ForgetOpenJobs1795650000000 } from './migrations/1795650000000-forget-open-jobs';
import { FindPagesByIndex1795700000000 } from './migrations/1795700000000-find-pages-by-index';
import { CountGroups1795700100000 } from './migrations/1795700100000-count-groups';
import { WarnOfKnownUpdates1795800000000 } from './migrations/1795800000000-warn-of-known-updates';
import { KeepEndsOfLogs1795810000000 } from './migrations/1795810000000-keep-ends-of-logs';
import { CountTries1795810100000 } from './migrations/1795810100000-count-tries';
import { FindFailures1795820000000 } from './migrations/1795820000000-find-failures';
import { FindServersThatAreDown1795830000000 } from './migrations/1795830000000-find-servers-that-are-down';
import { KnowSharedBatches1795830100000 } from './migrations/1795830100000-know-shared-batches';
import { CountBackups1795840000000 } from './migrations/1795840000000-count-backups';
import { CountHurries1795850000000 } from './migrations/1795850000000-count-hurries';
import { KeepShownKeys1795860000000 } from './migrations/1795860000000-keep-shown-keys';
import { NameWork1795870000000 } from './migrations/1795870000000-name-work';
import { AcknowledgeJobs1795880000000 } from './migrations/1795880000000-acknowledge-jobs';
import { OpenConsolesInFolders1795883000000 } from './migrations/1795883000000-open-consoles-in-folders';
import { CountProcesses1795895000000 } from './migrations/1795895000000-count-processes';
import { ListSitesByNeed1795920000000 } from './migrations/1795920000000-list-sites-by-need';
import { UpdateItemsTogether1795930000000 } from './migrations/1795930000000-update-items-together';
import { CountLogins1795940000000 } from './migrations/1795940000000-count-logins';
import { ShareSitesAndGroups1795950000000 } from './migrations/1795950000000-share-sites-and-groups';
import { OpenConsolesOfSites1795960000000 } from './migrations/1795960000000-open-consoles-of-sites';
import { KeepProposals1795970000000 } from './migrations/1795970000000-keep-proposals';
import { OrderSharedSitesByUpdates1795975000000 } from './migrations/1795975000000-order-shared-sites-by-updates';
import { KeepUptime1795980000000 } from './migrations/1795980000000-keep-uptime';
import { KeepIncidents1795980100000 } from './migrations/1795980100000-keep-incidents';
import { KeepChannels1795990000000 } from './migrations/1795990000000-keep-channels';
import { LinkMergedIncidents1796120000000 } from './migrations/1796120000000-link-merged-incidents';
import { NoteVisits1796130000000 } from './migrations/1796130000000-note-visits';
import { GiveSignsOfLife1796140000000 } from './migrations/1796140000000-give-signs-of-life';
import { KeepStatusPages1796150000000 } from './migrations/1796150000000-keep-status-pages';
import { KeepRulesOfChecks1796160000000 } from './migrations/1796160000000-keep-rules-of-checks';
import { KeepDomains1796170000000 } from './migrations/1796170000000-keep-domains';

export const database: Database = {
  schema: 'sites',
  entities: [Activity, RollbackCopy, Console, Group, Job, LocalBackup, Server, Site, SiteView, Upload],
  migrations: [
    CreateActivity1795262400000,
    CreateServers1795349000000,
    CreateJobs1795350000000,
    CreateServerHealth1795352000000,
    FindFinishedJobs1795353000000,
    FindRetries1795354000000,
    NoteJobsPassedBy1795355000000,
    CreateConsoles1795356000000,
    NoteWhoKillsChildren1795357000000,
    FindPausedJobs1795358000000,
    NoteWhatWasHeard1795359000000,
    CreateSitesAndGroups1795360000000,
    CreateUploads1795362000000,
    RememberBetweenAttempts1795370000000,
    CreateChanges1795371000000,
    CreateBackups1795380000000,
    TellOfDeletedSites1795390000000,
    CountPlugins1795400000000,
    FindLicences1795400500000,
    CreateSiteViews1795401000000,
    ServeTheDashboard1795402000000,
    FindByWords1795404000000,
    KnowOfTablesPutAside1795500000000,
    FollowJobs1795600000000,
    NoteRestorations1795610000000,
    ForgetOpenJobs1795650000000,
    FindPagesByIndex1795700000000,
    CountGroups1795700100000,
    WarnOfKnownUpdates1795800000000,
    KeepEndsOfLogs1795810000000,
    CountTries1795810100000,
    FindFailures1795820000000,
    FindServersThatAreDown1795830000000,
    KnowSharedBatches1795830100000,
    CountBackups1795840000000,
    CountHurries1795850000000,
    KeepShownKeys1795860000000,
    NameWork1795870000000,
    AcknowledgeJobs1795880000000,
    OpenConsolesInFolders1795883000000,
    CountProcesses1795895000000,
    ListSitesByNeed1795920000000,
    UpdateItemsTogether1795930000000,
    CountLogins1795940000000,
    ShareSitesAndGroups1795950000000,
    OpenConsolesOfSites1795960000000,
    KeepProposals1795970000000,
    OrderSharedSitesByUpdates1795975000000,
    KeepUptime1795980000000,
    KeepIncidents1795980100000,
    KeepChannels1795990000000,
    LinkMergedIncidents1796120000000,
    NoteVisits1796130000000,
    GiveSignsOfLife1796140000000,
    KeepStatusPages1796150000000,
    KeepRulesOfChecks1796160000000,
    KeepDomains1796170000000,
  ],
  appendOnly: auditTables,
};
