import { fit, headlineOf, linesOf, linkLabelOf, linkOf, withoutFormatting } from './message-text';
import { jsonRequest, type Template } from './template';

const max = 4_096;

/** Google Chat has no sign to escape `<users/all>` with. */
const plain = (text: string) => withoutFormatting(text).replaceAll('<', '‹').replaceAll('>', '›');

export const googleChatRequest: Template = (message, { url }) => {
  const link = `<${linkOf(message)}|${plain(linkLabelOf(message)).replaceAll('|', ' ')}>`;
  const lines = [headlineOf(message), ...linesOf(message)].map(plain);
  return jsonRequest(url, { text: `${fit(lines.join('\n'), { max: max - link.length - 1 })}\n${link}` });
};
