/** An upload in pieces. Its bytes outlive their writer if the store can keep them. */
export interface PendingUpload {
  /** Includes bytes that are not written yet. */
  readonly size: number;
  /** Whether an earlier writer finished the object but could not report it. */
  readonly isWhole: boolean;
  /** Adds bytes. The caller awaits the returned promise before it adds more. */
  add(bytes: Uint8Array): Promise<void> | undefined;
  /** Waits until the added bytes are stored, or about to be. */
  flush(): Promise<void>;
  hash(): Promise<string>;
  restart(): Promise<void>;
  finish(): Promise<void>;
  /** Keeps the bytes for the next writer. */
  suspend(): Promise<void>;
  /** Drops the upload. A finished object stays, because another row may reference it by now. */
  discard(): Promise<void>;
}
