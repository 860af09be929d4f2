/** How a server is reached and as whom. A private key is OpenSSH or PEM text without a passphrase. */
export type SshTarget = {
  /** What it is called where it is measured. */
  id?: string;
  host: string;
  port: number;
  user: string;
  auth: { password: string } | { privateKey: string };
  /** The pinned fingerprint, `SHA256:…`; null before the first contact. */
  hostKey: string | null;
  /** The outbound rule for whoever owns the server, asked about each address before it is contacted. */
  mayConnect(address: string): boolean;
};
