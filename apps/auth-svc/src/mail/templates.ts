import { cleanLine } from '@vigie/contracts/text';

export type MailContent = { subject: string; text: string; html: string };

export const resetMail = (appName: string, link: string): MailContent =>
  renderMail(appName, {
    subject: `${appName}\u00a0: réinitialisation de votre mot de passe`,
    paragraphs: [
      'Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour votre compte.',
      'Ce lien est valable 30 minutes et ne sert qu’une fois\u00a0:',
    ],
    action: { label: 'Choisir un nouveau mot de passe', link },
    after: 'Si vous n’avez rien demandé, ignorez ce message\u00a0: votre mot de passe reste le même.',
  });

export function tokenExpiryMail(appName: string, link: string, name: string, expiresAt: Date): MailContent {
  const day = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'Europe/Paris' }).format(expiresAt);
  return renderMail(appName, {
    subject: `${appName}\u00a0: votre jeton «\u00a0${name}\u00a0» expire bientôt`,
    paragraphs: [
      `Votre jeton d’accès API «\u00a0${name}\u00a0» expire le ${day}.`,
      'Ce qui s’en sert sera alors refusé\u00a0: créez un autre jeton avant cette date.',
    ],
    action: { label: `Ouvrir ${appName}`, link },
    after: 'Vos jetons sont dans votre profil, sous Accès API. Si celui-ci ne sert plus, ne faites rien.',
  });
}

/** What an account is told of a change in what opens it. */
export type AccessChange = Omit<Content, 'action'>;

export const accessMail = (appName: string, link: string, change: AccessChange): MailContent =>
  renderMail(appName, {
    ...change,
    subject: `${appName}\u00a0: ${change.subject}`,
    action: { label: `Ouvrir ${appName}`, link },
  });

const otherwise =
  'Sinon, changez votre mot de passe, fermez vos autres sessions et vérifiez vos clés d’accès dans votre profil.';

const ownChange = (subject: string, paragraph: string): AccessChange => ({
  subject,
  paragraphs: [paragraph, 'Si c’est vous, ne faites rien.'],
  after: otherwise,
});

export const passkeyAdded = (name: string) =>
  ownChange(
    'une clé d’accès a été ajoutée',
    `La clé d’accès «\u00a0${name}\u00a0» ouvre maintenant votre compte, sans mot de passe.`,
  );

/** How a change ends that took the last second factor. */
const nowOff = (isOff: boolean) =>
  isOff ? ' C’était votre dernier second facteur\u00a0: votre mot de passe suffit maintenant.' : '';

export const passkeyDeleted = (name: string, isOff: boolean) =>
  ownChange(
    'une clé d’accès a été supprimée',
    `La clé d’accès «\u00a0${name}\u00a0» n’ouvre plus votre compte.${nowOff(isOff)}`,
  );

export const appRemoved = (isOff: boolean) =>
  ownChange(
    'votre application d’authentification a été retirée',
    `Ses codes n’ouvrent plus votre compte.${nowOff(isOff)}`,
  );

export const codesRenewed = ownChange(
  'vos codes de récupération ont été remplacés',
  'De nouveaux codes ouvrent votre compte après le mot de passe, et les anciens ne servent plus.',
);

export const passkeyRefused = (name: string): AccessChange => ({
  subject: 'une clé d’accès a été refusée',
  paragraphs: [
    `La clé d’accès «\u00a0${name}\u00a0» a été refusée\u00a0: son compteur n’a pas avancé, comme si une copie servait ailleurs.`,
  ],
  after: 'Supprimez-la dans votre profil, puis ajoutez-en une autre.',
});

export const appAdded = ownChange(
  'une application d’authentification a été ajoutée',
  'Les codes d’une application ouvrent maintenant votre compte, après le mot de passe.',
);

export const secondFactorReset: AccessChange = {
  subject: 'votre double authentification a été réinitialisée',
  paragraphs: [
    'Un administrateur a retiré de votre compte l’application, les clés d’accès et les codes de récupération, et fermé vos sessions.',
    'Connectez-vous avec votre mot de passe, puis activez-la de nouveau dans votre profil.',
  ],
  after: 'Si vous ne l’avez pas demandé, prévenez un administrateur que vous connaissez.',
};

export const testMail = (appName: string, link: string): MailContent =>
  renderMail(appName, {
    subject: `${appName}\u00a0: email de test`,
    paragraphs: ['Cet email de test est bien arrivé\u00a0: les notifications fonctionnent.'],
    action: { label: `Ouvrir ${appName}`, link },
    after: 'Il a été envoyé depuis l’écran Notifications.',
  });

/**
 * Writes an alert, whose subject and paragraphs hold names of sites and people. Each of them becomes one visible line, so
 * that no name can pass for a header or for a paragraph of its own.
 */
export const alertMail = (appName: string, alert: Content): MailContent =>
  renderMail(appName, {
    ...alert,
    subject: `${appName}\u00a0: ${cleanLine(alert.subject)}`,
    paragraphs: alert.paragraphs.map(cleanLine),
  });

type Content = { subject: string; paragraphs: string[]; action: { label: string; link: string }; after: string };

function renderMail(appName: string, { subject, paragraphs, action, after }: Content): MailContent {
  const text = [...paragraphs, action.link, after, `— ${appName}`].join('\n\n');
  const html = `<!doctype html>
<html lang="fr">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escape(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#14181f;background:#f7f8fa">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #e2e5ea;border-radius:8px">
<p style="margin:0 0 24px;font-weight:600">${escape(appName)}</p>
${paragraphs.map((paragraph) => `<p>${escape(paragraph)}</p>`).join('\n')}
<p style="margin:24px 0"><a href="${escape(action.link)}" style="display:inline-block;padding:10px 16px;color:#ffffff;background:#1f4fd8;border-radius:6px;text-decoration:none">${escape(action.label)}</a></p>
<p style="color:#4e5866;font-size:14px">${escape(after)}</p>
</div>
</body>
</html>`;
  return { subject, text, html };
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string) => text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');
