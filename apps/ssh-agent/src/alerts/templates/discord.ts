import type { AlertMessage } from '@vigie/contracts/alerts';
import { escapeMarkdown, fit, headlineOf, linesOf, linkLabelOf, linkOf } from './message-text';
import { jsonRequest, type Template } from './template';

const maxTitle = 256;
const maxDescription = 4_096;
const colors = { critical: 0xd9_2d_20, warning: 0xf7_90_09, info: 0x15_70_ef } as const;
const green = 0x12_b7_6a;

function colorOf({ kind, severity }: AlertMessage): number {
  return kind === 'resolved' ? green : colors[severity ?? 'info'];
}

const escapeLines = (text: string) => text.split('\n').map(escapeMarkdown).join('\n');

export const discordRequest: Template = (message, { url }) => {
  const link = `[${escapeMarkdown(linkLabelOf(message))}](${linkOf(message)})`;
  const lines = fit(linesOf(message).join('\n'), { max: maxDescription - link.length - 1, escape: escapeLines });
  const embed = {
    title: fit(headlineOf(message), { max: maxTitle, escape: escapeMarkdown }),
    description: lines === '' ? link : `${lines}\n${link}`,
    color: colorOf(message),
    timestamp: message.at,
  };
  return jsonRequest(url, { embeds: [embed], allowed_mentions: { parse: [] } });
};
