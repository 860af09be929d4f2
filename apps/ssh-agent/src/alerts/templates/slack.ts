import { fit, headlineOf, linesOf, linkLabelOf, linkOf, withoutFormatting } from './message-text';
import { jsonRequest, type Template } from './template';

/** Slack cuts a text of more than 4,000 characters in two; Mattermost and Rocket.Chat read the same form. */
const max = 4_000;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escape = (text: string) => text.replaceAll(/[&<>]/g, (character) => entities[character] ?? '');

export const slackRequest: Template = (message, { url }) => {
  const label = escape(withoutFormatting(linkLabelOf(message)).replaceAll('|', ' '));
  const link = `<${escape(linkOf(message))}|${label}>`;
  const lines = [headlineOf(message), ...linesOf(message)].map(withoutFormatting);
  return jsonRequest(url, { text: `${fit(lines.join('\n'), { max: max - link.length - 1, escape })}\n${link}` });
};
