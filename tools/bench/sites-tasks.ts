/** What the program beside the bench does with libs/wordpress. */
export type SitesTask =
  | { kind: 'inspect'; sites: readonly BenchSite[]; atOnce: number }
  | { kind: 'scan'; sites: readonly BenchSite[] };

export type BenchSite = { path: string; url: string };

/** `seen`: of how many it can say something. */
export type Looked = { ms: number; cpuMs: number; seen: number };
