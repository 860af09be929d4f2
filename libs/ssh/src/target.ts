/** How to reach a server and which account to use. A private key is OpenSSH or PEM text without a passphrase. */
export type SshTarget = {
  /** The server's label in metrics. */
  id?: string;
  host: string;
  port: number;
  user: string;
  auth: { password: string } | { privateKey: string };
  /** The pinned fingerprint, `SHA256:…`; null before the first contact. */
  hostKey: string | null;
  /** The outbound rule of the server's owner, applied to each address before a connection. */
  mayConnect(address: string): boolean;
};
