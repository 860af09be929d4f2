import { escapeMarkdown, fit, headlineOf, linesOf, linkLabelOf, linkOf } from './message-text';
import { jsonRequest, type Template } from './template';

/** A message of more than 28 KB is refused. */
const maxTitle = 300;
const maxLines = 6_000;
const type = 'application/vnd.microsoft.card.adaptive';

/** Only an empty line begins a new one. */
const escapeLines = (text: string) => text.split('\n').map(escapeMarkdown).join('\n\n');

const textBlock = (text: string, look: object = {}) => ({ type: 'TextBlock', text, wrap: true, ...look });

export const teamsRequest: Template = (message, { url }) => {
  const title = fit(headlineOf(message), { max: maxTitle, escape: escapeMarkdown });
  const lines = fit(linesOf(message).join('\n'), { max: maxLines, escape: escapeLines });
  const content = {
    type: 'AdaptiveCard',
    version: '1.4',
    body: [textBlock(title, { weight: 'Bolder', size: 'Medium' }), ...(lines === '' ? [] : [textBlock(lines)])],
    actions: [{ type: 'Action.OpenUrl', title: linkLabelOf(message), url: linkOf(message) }],
  };
  return jsonRequest(url, { type: 'message', attachments: [{ contentType: type, content }] });
};
