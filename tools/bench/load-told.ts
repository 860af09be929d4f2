/** What the consoles of a load are asked to be. */
export type ConsolesAsked = {
  gateways: string[];
  server: string;
  token: string;
  /** How many somebody types in, and how many something is printed in. */
  typing: number;
  printing: number;
};

export type ConsolesTold = {
  /** Of each key since the last time, from when it was due to its echo, in milliseconds. */
  times: number[];
  /** Consoles that nobody had ended. */
  dropped: number;
  /** Keys that never came back, known at the end. */
  lost: number;
  /** Places where printed lines are missing or doubled. */
  gaps: number;
  lines: number;
};
