import { type ErrorCode, httpStatus } from '@vigie/contracts/errors';
import type { Response, Schema } from './document-types';

/** The one shape of all errors. */
export const errorSchema: Schema = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: {
      description:
        'Une phrase en français, à montrer telle quelle, ou un objet dont `message` est cette phrase et dont les autres champs précisent la cause.',
      anyOf: [
        { type: 'string' },
        {
          type: 'object',
          required: ['message'],
          properties: {
            message: { type: 'string', description: 'La phrase à montrer.', examples: ['Ce site n’existe plus.'] },
            code: {
              type: 'string',
              description: 'La cause en un mot, pour un programme\u202f; d’autres valeurs peuvent s’ajouter.',
              examples: ['host_key_changed'],
            },
            remedy: {
              type: 'string',
              description: 'Ce qu’il y a à faire.',
              examples: ['Vérifiez l’adresse du serveur.'],
            },
            stdout: { type: 'string', description: 'Ce que la commande distante a écrit.', examples: [''] },
            stderr: { type: 'string', description: 'Les erreurs que la commande distante a écrites.', examples: [''] },
          },
          additionalProperties: true,
        },
      ],
      examples: ['Cet identifiant ne désigne rien.'],
    },
  },
};

type ErrorAnswer = { name: string; description: string; example: string; retries?: boolean };

const answers: Readonly<Record<Exclude<ErrorCode, 'wrong_method'>, ErrorAnswer>> = {
  invalid: {
    name: 'Invalid',
    description: 'Une valeur est refusée, ou la requête est illisible\u00a0: la phrase dit pourquoi.',
    example: 'Cette valeur ne fait pas partie des choix possibles.',
  },
  unauthorized: {
    name: 'Unauthorized',
    description: 'Il n’y a ni session ni jeton valide\u00a0: le porteur manque, a expiré ou a été révoqué.',
    example: 'Votre session a expiré. Veuillez vous reconnecter.',
  },
  forbidden: {
    name: 'Forbidden',
    description:
      'L’appelant est connu, mais n’a pas ce droit\u00a0: le jeton n’a pas le droit nécessaire, la double authentification reste à activer, ou le rôle ne suffit pas.',
    example: 'Ce jeton n’a pas le droit «\u00a0update\u00a0»\u00a0: créez-en un qui l’a.',
  },
  not_found: {
    name: 'NotFound',
    description: 'L’objet n’existe pas, ou l’appelant ne le voit pas.',
    example: 'Cet identifiant ne désigne rien.',
  },
  conflict: {
    name: 'Conflict',
    description: 'L’état actuel ne permet pas cette action\u00a0: la phrase dit ce qui s’y oppose.',
    example: 'Cette tâche est déjà terminée.',
  },
  too_large: {
    name: 'TooLarge',
    description: 'La requête est trop volumineuse.',
    example: 'La requête est trop volumineuse.',
  },
  unsupported_type: {
    name: 'UnsupportedType',
    description: 'Ce type de contenu n’est pas accepté, ou la requête est compressée.',
    example: 'Ce type de contenu n’est pas accepté\u00a0: envoyez du JSON.',
  },
  schema: {
    name: 'WrongShape',
    description: 'Un champ manque ou n’a pas le type attendu\u00a0: la phrase le nomme.',
    example: 'Le champ «\u00a0name\u00a0» est absent ou n’a pas le type attendu.',
  },
  too_many: {
    name: 'TooMany',
    description: 'Trop de requêtes ou de tentatives\u00a0: attendez les secondes que dit `Retry-After`.',
    example: 'Trop de requêtes. Patientez avant de réessayer.',
    retries: true,
  },
  internal: {
    name: 'Internal',
    description: 'Un défaut de Vigie, consigné sous la référence que la phrase donne.',
    example: 'Une erreur inattendue est survenue. Elle est consignée sous la référence 01932c07.',
  },
  remote_failed: {
    name: 'RemoteFailed',
    description: 'Le serveur du site, ou un service tiers, a répondu par un échec.',
    example: 'La connexion SSH a été refusée.',
  },
  unavailable: {
    name: 'Unavailable',
    description: 'Vigie est saturée ou l’un de ses services est absent\u00a0: recommencez après `Retry-After`.',
    example: 'Ce service est momentanément indisponible. Réessayez dans quelques secondes.',
    retries: true,
  },
  remote_too_slow: {
    name: 'RemoteTooSlow',
    description: 'Le serveur du site, ou un service tiers, n’a pas répondu à temps.',
    example: 'Le serveur n’a pas répondu à temps.',
  },
};

export type DescribedError = keyof typeof answers;

const retryAfter = {
  'retry-after': {
    description: 'Les secondes à attendre avant de recommencer.',
    schema: { type: 'integer', examples: [2] },
  },
};

export const errorResponses: Record<string, Response> = Object.fromEntries(
  Object.values(answers).map(({ name, description, example, retries }) => [
    name,
    {
      description,
      ...(retries && { headers: retryAfter }),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: { detail: example } } },
    },
  ]),
);

/** These errors by status; a sentence says when the error happens on this route. */
export function errorAnswers(
  errors: Iterable<readonly [DescribedError, string | undefined]>,
): Record<string, Response> {
  const entries = [...errors].map(([code, sentence]): [string, Response] => {
    const reference = { $ref: `#/components/responses/${answers[code].name}` };
    return [String(httpStatus[code]), sentence === undefined ? reference : { ...reference, description: sentence }];
  });
  return Object.fromEntries(entries);
}
