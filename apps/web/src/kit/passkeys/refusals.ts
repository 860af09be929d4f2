/** What a passkey was asked for, which decides what else its user may do. */
export type PasskeyUse = 'creation' | 'login' | 'second-factor';

/** Browsers tell neither from the other: a page must not find out which passkeys somebody has. */
const cancelledOrUnknown: Record<PasskeyUse, string> = {
  creation: 'Aucune clé d’accès n’a été ajoutée. Recommencez quand vous voulez.',
  login: 'Aucune clé d’accès n’a été présentée. Si vous n’en avez pas ici, connectez-vous avec votre mot de passe.',
  'second-factor': 'Aucune clé d’accès n’a été présentée. Si vous n’en avez pas ici, saisissez un code.',
};

type Asked = {
  use: PasskeyUse;
  /** The domain to which the passkeys of this installation belong. */
  domain: string;
  waitedMs: number;
  timeoutMs: number;
};

/** Why the browser gave no passkey, as a sentence; undefined when this page gave the question up. */
export function refusalSentence(error: unknown, { use, domain, waitedMs, timeoutMs }: Asked): string | undefined {
  switch (error instanceof Error ? error.name : '') {
    case 'AbortError':
      return undefined;
    case 'NotAllowedError':
      return waitedMs < timeoutMs ? cancelledOrUnknown[use] : 'Le temps est écoulé. Recommencez quand vous voulez.';
    case 'InvalidStateError':
      return 'Cet appareil a déjà une clé d’accès pour votre compte.';
    case 'ConstraintError':
    case 'NotSupportedError':
      return 'Cet appareil ne fait pas de clé d’accès pour Vigie\u00a0: il doit vous reconnaître par un code, une empreinte ou votre visage.';
    case 'SecurityError':
      return `Les clés d’accès de Vigie ne marchent qu’à l’adresse ${domain}\u00a0: ouvrez Vigie à cette adresse.`;
    default:
      return use === 'creation'
        ? 'Le navigateur n’a pas pu créer de clé d’accès. Réessayez.'
        : 'Le navigateur n’a pas pu lire votre clé d’accès. Réessayez.';
  }
}
