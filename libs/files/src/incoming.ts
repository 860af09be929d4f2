/** An object that comes in pieces: what is there of it outlives whoever writes it where the store can keep it. */
export interface Incoming {
  /** With what is not written yet. */
  readonly size: number;
  /** It was made whole before, and only whoever did so could not tell. */
  readonly isWhole: boolean;
  /** Keeps these bytes. What it returns is waited for before more is added. */
  add(bytes: Uint8Array): Promise<void> | undefined;
  /** What was added is stored, or about to be. */
  flush(): Promise<void>;
  hash(): Promise<string>;
  /** From its beginning. */
  restart(): Promise<void>;
  /** An object of the store, from now on. */
  finish(): Promise<void>;
  /** Leaves what is there to whoever goes on. */
  leave(): Promise<void>;
  /** What is whole may be somebody else's by now: it goes where nothing names it. */
  drop(): Promise<void>;
}
