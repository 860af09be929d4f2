export type ConsoleLoadOptions = {
  gateways: string[];
  serverId: string;
  token: string;
  /** Consoles with a typing user and consoles with a printing program. */
  typing: number;
  printing: number;
};

export type ConsoleLoadResult = {
  /** Milliseconds from the due time of each key to its echo, since the last report. */
  times: number[];
  /** Consoles that closed unexpectedly. */
  dropped: number;
  /** Keys without an echo, counted at the end. */
  lost: number;
  /** Number of missing or repeated lines. */
  gaps: number;
  lines: number;
};
