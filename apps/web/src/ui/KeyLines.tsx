import { CopyLine } from './CopyLine';

/** Creates the folder and the file if they are missing, readable only by their user. */
const authorizeCommand = (pubkey: string) =>
  `mkdir -p ~/.ssh && chmod 700 ~/.ssh && echo '${pubkey.trim()}' >> ~/.ssh/authorized_keys && chmod 600 ~/.ssh/authorized_keys`;

/** A public key, and the command that authorises it on the server. */
export const KeyLines = ({ pubkey, user }: { pubkey: string; user: string }) => (
  <>
    <CopyLine label="Clé publique" text={pubkey.trim()} />
    <CopyLine label={`À exécuter sur le serveur, en tant que ${user}`} text={authorizeCommand(pubkey)} />
  </>
);
