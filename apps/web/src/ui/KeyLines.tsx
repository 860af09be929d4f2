import { CopyLine } from './CopyLine';

/** One line, whatever the server has: the folder and the file are made, and nobody else may read them. */
const lineFor = (pubkey: string) =>
  `mkdir -p ~/.ssh && chmod 700 ~/.ssh && echo '${pubkey.trim()}' >> ~/.ssh/authorized_keys && chmod 600 ~/.ssh/authorized_keys`;

/** A key, and the way to let it in. */
export const KeyLines = ({ pubkey, user }: { pubkey: string; user: string }) => (
  <>
    <CopyLine label="Clé publique" text={pubkey.trim()} />
    <CopyLine label={`À exécuter sur le serveur, en tant que ${user}`} text={lineFor(pubkey)} />
  </>
);
