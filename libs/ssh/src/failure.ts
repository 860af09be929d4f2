export type Phase =
  | 'resolve'
  | 'connect'
  | 'banner'
  | 'handshake'
  | 'authenticate'
  | 'open'
  | 'first-byte'
  | 'idle'
  | 'total';

/** Why a connection or command failed, with details. `detail` is mostly text that the host sent. */
export type Reason =
  | { kind: 'unresolved'; host: string }
  | { kind: 'unasked'; host: string }
  | { kind: 'forbidden'; address: string }
  | { kind: 'unreachable'; address: string }
  | { kind: 'refused'; address: string; port: number }
  | { kind: 'timed-out'; phase: Phase; seconds: number }
  | { kind: 'banner'; detail: string }
  | { kind: 'key-exchange'; detail: string }
  | { kind: 'host-key-changed'; expected: string; actual: string }
  | { kind: 'invalid-key' }
  | {
      kind: 'authentication';
      method: 'password' | 'key';
      offered: readonly string[];
      isPartial: boolean;
      detail: string;
    }
  | { kind: 'expired-password' }
  | { kind: 'banned'; detail: string }
  | { kind: 'too-many'; limit: 'MaxStartups' | 'MaxSessions'; detail: string }
  | { kind: 'no-shell'; detail: string }
  | { kind: 'sftp-only' }
  | { kind: 'killed'; signal: string }
  | { kind: 'closed'; detail: string }
  | { kind: 'frozen' }
  | { kind: 'protocol'; detail: string }
  | { kind: 'output-too-large'; bytes: number }
  | { kind: 'changed-file'; detail: string }
  | { kind: 'locked'; path: string }
  | { kind: 'disk-full'; detail: string }
  | { kind: 'no-journal' }
  | { kind: 'newer-journal'; version: number }
  | { kind: 'journal'; detail: string }
  | { kind: 'endless' }
  | { kind: 'cancelled' };

export type FailureKind = Reason['kind'];

/** Whether anything started on the host: `no` may be retried, `unknown` must not be repeated blindly. */
export type Started = 'no' | 'unknown';

/** A failure of a host, in words for its operator. It never holds a secret. */
export class SshFailure extends Error {
  readonly kind: FailureKind;
  /** What the operator should do next. */
  readonly remedy: string;

  constructor(
    readonly reason: Reason,
    readonly wasStarted: Started = 'no',
  ) {
    // The compiler does not relate an indexed function to the kind that indexed it.
    const { message, remedy } = (explanations[reason.kind] as (reason: Reason) => Explanation)(reason);
    super(message);
    this.name = 'SshFailure';
    this.kind = reason.kind;
    this.remedy = remedy;
  }
}

/** Vigie itself gave up before it reached the host, so the failure says nothing about the host's state. */
export const isUnrelatedToHost = ({ kind }: SshFailure) => kind === 'cancelled' || kind === 'unasked';

/** Shortens a host's text to one line without control characters, fit to be shown. */
export function readable(text: string): string {
  const oneLine = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu, ' ').trim();
  return oneLine.length > 300 ? `${oneLine.slice(0, 300)}…` : oneLine;
}

/** The end of a sentence about a timeout: the phase of connecting, or the progress of the command. */
const phases: Record<Phase, string> = {
  resolve: 'pour la recherche de son adresse',
  connect: 'à la connexion TCP',
  banner: 'pour la présentation du serveur SSH',
  handshake: 'pour l’échange de clés',
  authenticate: 'pour l’authentification',
  open: 'pour l’ouverture d’une commande',
  'first-byte': 'elle n’avait rien envoyé',
  idle: 'elle n’a plus rien envoyé',
  total: 'elle n’était pas finie',
};

type Explanation = { message: string; remedy: string };

const explain = (message: string, remedy: string): Explanation => ({ message, remedy });
const quote = (detail: string) => (readable(detail) === '' ? fr`.` : fr` : « ${readable(detail)} ».`);

type ReasonOf<K extends FailureKind> = Extract<Reason, { kind: K }>;

const explanations: { readonly [K in FailureKind]: (reason: ReasonOf<K>) => Explanation } = {
  unresolved: (reason) =>
    explain(
      fr`Le nom ${reason.host} n’a pas d’adresse connue.`,
      fr`Vérifiez l’orthographe du nom, ou donnez l’adresse IP du serveur.`,
    ),
  unasked: (reason) =>
    explain(
      fr`Le nom ${reason.host} n’a pas pu être cherché : trop d’autres noms attendent encore une réponse.`,
      fr`Réessayez dans un instant ; si cela dure, vérifiez les serveurs de noms de la machine de Vigie.`,
    ),
  forbidden: (reason) =>
    explain(
      fr`Adresse non autorisée : ${reason.address} n’est pas une adresse publique.`,
      fr`Donnez une adresse publique, ou demandez à un administrateur d’autoriser ce réseau (VIGIE_SSH_ALLOW).`,
    ),
  unreachable: (reason) =>
    explain(
      fr`Aucun chemin ne mène à ${reason.address}.`,
      fr`Vérifiez que le serveur est allumé et que le réseau y conduit.`,
    ),
  refused: (reason) =>
    explain(
      fr`${reason.address} refuse les connexions au port ${reason.port}.`,
      fr`Vérifiez que sshd fonctionne et écoute ce port, et qu’un pare-feu ne le ferme pas.`,
    ),
  'timed-out': (reason) => explainTimeout(reason),
  banner: (reason) =>
    explain(
      fr`Ce qui répond à cette adresse n’est pas un serveur SSH${quote(reason.detail)}`,
      fr`Vérifiez le port : celui de SSH est 22 par défaut.`,
    ),
  'key-exchange': (reason) =>
    explain(
      fr`Le serveur et Vigie n’ont aucune méthode de chiffrement en commun, ou l’échange de clés a échoué${quote(reason.detail)}`,
      fr`Autorisez curve25519-sha256 ou ecdh-sha2-nistp256 (KexAlgorithms) et une clé ed25519, ECDSA ou RSA dans sshd_config.`,
    ),
  'host-key-changed': (reason) =>
    explain(
      fr`La clé du serveur a changé : ${reason.expected} était attendue, ${reason.actual} est présentée. Aucun identifiant n’a été envoyé.`,
      fr`Si le serveur a été réinstallé, comparez cette empreinte à la sienne et acceptez-la ; sinon, quelqu’un se fait peut-être passer pour lui.`,
    ),
  'invalid-key': () =>
    explain(
      fr`La clé privée enregistrée n’est pas lisible.`,
      fr`Importez-la de nouveau au format OpenSSH, ou créez une paire de clés pour ce serveur.`,
    ),
  authentication: (reason) => explainAuthentication(reason),
  'expired-password': () =>
    explain(
      fr`Le mot de passe de ce compte a expiré : le serveur exige d’en changer.`,
      fr`Changez-le sur le serveur, puis enregistrez ici le nouveau.`,
    ),
  banned: (reason) =>
    explain(
      fr`Le serveur refuse pour un temps de nouvelles connexions${quote(reason.detail)}`,
      fr`Trop de connexions s’ouvrent à la fois (MaxStartups), ou des échecs répétés l’ont provoqué (PerSourcePenalties) : attendez quelques minutes, et vérifiez les identifiants avant de réessayer.`,
    ),
  'too-many': (reason) =>
    reason.limit === 'MaxStartups'
      ? explain(
          fr`Le serveur a fermé la connexion avant de se présenter${quote(reason.detail)}`,
          fr`Trop de connexions s’ouvrent sans doute à la fois : réessayez dans un instant, ou augmentez MaxStartups dans sshd_config.`,
        )
      : explain(
          fr`Le serveur refuse d’exécuter une commande de plus dans cette connexion${quote(reason.detail)}`,
          fr`Réessayez dans un instant, ou augmentez MaxSessions dans sshd_config.`,
        ),
  'no-shell': (reason) =>
    explain(
      fr`Le serveur n’exécute pas de commande pour ce compte${quote(reason.detail)}`,
      fr`Donnez à ce compte un interpréteur de commandes (/bin/sh) sans restriction.`,
    ),
  'sftp-only': () =>
    explain(
      fr`Ce compte ne permet que le transfert de fichiers (SFTP).`,
      fr`Retirez ForceCommand internal-sftp pour ce compte, ou utilisez un compte qui peut exécuter des commandes.`,
    ),
  killed: (reason) =>
    explain(
      fr`Le serveur a mis fin à la commande avant qu’elle commence (signal ${readable(reason.signal)}).`,
      fr`Réessayez dans un instant ; si cela se répète, vérifiez la mémoire du serveur et les limites de ce compte.`,
    ),
  closed: (reason) =>
    explain(
      fr`Le serveur a coupé la connexion${quote(reason.detail)}`,
      fr`Vérifiez l’état du serveur avant de recommencer ce qui était en cours.`,
    ),
  frozen: () =>
    explain(
      fr`Le serveur ne répond plus : la connexion est abandonnée.`,
      fr`Vérifiez le serveur et le réseau avant de recommencer ce qui était en cours.`,
    ),
  protocol: (reason) =>
    explain(
      fr`Le serveur ne respecte pas le protocole SSH${quote(reason.detail)}`,
      fr`Vérifiez que rien ne transforme les données en chemin, et que sshd est à jour.`,
    ),
  'output-too-large': (reason) =>
    explain(
      fr`La commande a été arrêtée : elle a envoyé plus de ${Math.floor(reason.bytes / 1_048_576)} Mio.`,
      fr`Vérifiez ce que ce compte affiche à la connexion, et l’état du serveur.`,
    ),
  'changed-file': (reason) =>
    explain(
      fr`Le fichier n’a pas été transmis entier${quote(reason.detail)}`,
      fr`Vérifiez qu’aucun autre programme ne le modifie, puis recommencez le transfert.`,
    ),
  locked: (reason) =>
    explain(
      fr`Une autre opération est en cours dans ${readable(reason.path)} : celle-ci n’a pas commencé.`,
      fr`Attendez la fin de l’autre opération, puis relancez celle-ci.`,
    ),
  'disk-full': (reason) =>
    explain(
      fr`Il n’y a plus de place sur le disque du serveur : l’opération n’a pas commencé${quote(reason.detail)}`,
      fr`Libérez de la place ou augmentez le quota de ce compte, puis relancez-la.`,
    ),
  'no-journal': () =>
    explain(
      fr`Le serveur n’a aucune trace de cette opération.`,
      fr`Elle n’a pas commencé, ou son journal a été effacé : vérifiez l’état du site avant de la relancer.`,
    ),
  'newer-journal': (reason) =>
    explain(
      fr`Une version plus récente de Vigie a commencé cette opération (format ${reason.version}).`,
      fr`Mettez à jour cette installation de Vigie pour en suivre la fin.`,
    ),
  journal: (reason) =>
    explain(
      fr`Le serveur n’a pas pu préparer cette opération, ou en dire l’état${quote(reason.detail)}`,
      fr`Vérifiez que ce compte peut écrire dans son dossier personnel (.vigie), que le dossier du site existe, et que les outils de base du serveur fonctionnent.`,
    ),
  endless: () =>
    explain(
      fr`L’opération dure bien plus longtemps que prévu : Vigie ne la suit plus.`,
      fr`Vérifiez sur le serveur si elle tourne encore, et l’état du site, avant de la relancer.`,
    ),
  cancelled: () => explain(fr`L’opération a été annulée.`, fr`Relancez-la si elle est encore utile.`),
};

function explainTimeout({ phase, seconds }: ReasonOf<'timed-out'>): Explanation {
  const waited = `${seconds.toLocaleString('fr-FR', { maximumFractionDigits: 1 })}\u00a0s`;
  const isCommand = phase === 'first-byte' || phase === 'idle' || phase === 'total';
  return explain(
    isCommand
      ? fr`La commande a été arrêtée : ${phases[phase]} ${phase === 'idle' ? 'pendant' : 'après'} ${waited}.`
      : fr`Le serveur n’a pas répondu en ${waited} ${phases[phase]}.`,
    isCommand
      ? fr`Vérifiez sur le serveur ce que la commande a fait avant de la relancer.`
      : fr`Vérifiez le serveur, son pare-feu et son réseau, puis réessayez.`,
  );
}

function explainAuthentication({ method, offered, isPartial, detail }: ReasonOf<'authentication'>): Explanation {
  const credential = method === 'password' ? 'le mot de passe' : 'la clé';
  const usableMethods = method === 'password' ? ['password', 'keyboard-interactive'] : ['publickey'];
  const list = readable(offered.join(', '));
  if (isPartial) {
    return explain(
      fr`Le serveur accepte ${credential}, mais demande un second facteur (${list}).`,
      fr`Vigie ne gère qu’un facteur : dispensez ce compte du second (AuthenticationMethods).`,
    );
  }
  if (offered.length > 0 && !usableMethods.some((name) => offered.includes(name))) {
    return explain(
      fr`Le serveur n’accepte pas ${method === 'password' ? 'de mot de passe' : 'de clé'} pour ce compte, seulement ${list}.`,
      method === 'password'
        ? fr`Utilisez une clé pour ce serveur, ou autorisez PasswordAuthentication dans sshd_config.`
        : fr`Utilisez un mot de passe pour ce serveur, ou autorisez PubkeyAuthentication dans sshd_config.`,
    );
  }
  return explain(
    fr`Le serveur refuse ${credential} de cet utilisateur${quote(detail)}`,
    method === 'password'
      ? fr`Vérifiez l’utilisateur et le mot de passe, et que ce compte a le droit de se connecter.`
      : fr`Vérifiez l’utilisateur, et que la clé publique de ce serveur est dans son fichier authorized_keys.`,
  );
}

/** Applies French typography to the words of a template, never to the values inserted into it. */
function fr(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  const spaced = parts.map((part) => part.replace(/ (?=[;!?])/g, '\u202f').replace(/ (?=[:»])|(?<=«) /g, '\u00a0'));
  return spaced.reduce((text, part, index) => `${text}${values[index - 1] ?? ''}${part}`);
}
