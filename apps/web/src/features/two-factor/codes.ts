/** Groups a secret for copying by hand: "ABCD EFGH IJ". */
export const groupSecret = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? '';

/** Names the application, account and date, so that the file still makes sense years later. */
export const codesFile = (appName: string, email: string, codes: readonly string[], day: Date): string =>
  [
    `${appName}\u00a0: codes de récupération`,
    `Compte\u00a0: ${email}`,
    `Créés le ${new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long' }).format(day)}`,
    'Chaque code ne sert qu’une fois.',
    '',
    ...codes,
    '',
  ].join('\n');
