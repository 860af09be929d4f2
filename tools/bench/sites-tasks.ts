export type SitesTask =
  | { kind: 'inspect'; sites: readonly BenchSite[]; atOnce: number }
  | { kind: 'scan'; sites: readonly BenchSite[] };

export type BenchSite = { path: string; url: string };

export type SitesResult = { ms: number; cpuMs: number; readCount: number };
