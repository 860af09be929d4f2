import { tokenScopes, type TokenScope } from '@vigie/contracts/token-scopes';

const scopes: Readonly<Record<TokenScope, string>> = {
  read: 'Lire\u00a0: sites, serveurs, tâches, sauvegardes, zones.',
  backup: 'Sauvegarder, vérifier, copier et télécharger des sauvegardes.',
  restore: 'Restaurer un site, revenir à une version précédente, supprimer une sauvegarde.',
  update: 'Ajouter, modifier et retirer\u202f; mettre à jour, installer, tester.',
  run: 'Exécuter des commandes sur les sites.',
  console: 'Ouvrir une console.',
  dns: 'Changer les zones et les enregistrements.',
  admin: 'Voir ce qui appartient aux autres, et les comptes, si la personne est administratrice.',
};

const scopeTable = ['| Droit | Ce qu’il permet |', '| --- | --- |']
  .concat(tokenScopes.map((scope) => `| \`${scope}\` | ${scopes[scope]} |`))
  .join('\n');

/** The page before the routes. */
export const overview = `L’API de Vigie est celle que sa propre interface appelle. Ses réponses, ses erreurs et ce document sont en français.

## Adresse

Toutes les routes commencent par \`/api\`, à l’adresse où Vigie est ouverte. Les corps sont en JSON (UTF-8), 256\u00a0Ko au plus sauf mention contraire, et jamais compressés.

## Authentification

Envoyez \`Authorization: Bearer …\` avec un jeton (\`vgt_…\`), créé dans le profil, ou avec le porteur d’une session. Un jeton agit pour sa personne, jusqu’à son échéance, et au besoin dans quelques groupes seulement. Il n’atteint que les routes qui nomment un droit qu’il a\u202f; les autres demandent une session. Un jeton ne donne jamais de mot de passe ni de clé, et ne change pas l’adresse d’un accès qui existe.

${scopeTable}

## Assistants

Un assistant parle à \`POST /api/mcp\` par le protocole MCP (HTTP, sans session), avec un jeton. Il lit ce que son jeton lit\u202f; ce qui change quelque chose, il le propose, et une personne le confirme dans l’heure.

## Mode administrateur

L’en-tête \`X-Admin-Mode: 1\` étend les requêtes d’un administrateur à ce qui appartient aux autres. Un jeton a besoin du droit \`admin\`.

## Erreurs

Toute erreur est un objet \`{"detail": …}\`\u00a0: une phrase à montrer, ou un objet dont \`message\` est la phrase et \`code\` la cause. 400 refuse une valeur, 422 une forme. Ce que l’on ne voit pas n’existe pas (404)\u202f; ce que l’on voit sans pouvoir le changer est refusé (403). Une adresse connue à laquelle on parle par une autre méthode répond 405, une ligne ou des en-têtes illisibles 408 ou 431.

## Listes

\`limit\` et \`offset\` découpent une liste\u202f; sans \`limit\`, là où il est facultatif, elle est entière. L’en-tête \`X-Total-Count\` compte toute la liste.

## Tâches

Le travail sur un hôte est une tâche. Une route qui en lance une attend jusqu’à 25 secondes et répond par le résultat\u202f; sinon elle répond 202, un ticket et l’adresse de la tâche (\`Location\`). Avec \`Prefer: respond-async\`, elle répond 202 aussitôt. Relisez \`GET /api/jobs/{id}\` toutes les secondes ou plus, jusqu’à \`succeeded\`, \`failed\`, \`cancelled\` ou \`unknown\`. \`unknown\`\u00a0: personne ne sait comment le travail a fini.

## Recommencer

\`Idempotency-Key\` rend une création répétable sans risque\u00a0: la même requête avec la même clé ne crée rien deux fois. La même clé avec un autre corps est refusée (422).

## Limites

Une adresse et une session ont chacune un nombre de requêtes par minute\u202f; au-delà, 429 et \`Retry-After\`. Une installation saturée répond 503 et \`Retry-After\`\u00a0: recommencez après. Huit requêtes au plus attendent une réponse sur une même connexion.

## Ce qui est promis

L’API change en s’ajoutant\u00a0: de nouvelles routes, de nouveaux champs dans les réponses, de nouveaux champs facultatifs dans les requêtes, de nouvelles valeurs dans les listes de mots des réponses. Un programme ignore donc les champs qu’il ne connaît pas et accepte des mots nouveaux. Ce qui casserait un programme est annoncé dans \`docs/api-changes.md\`.`;
