import type { ReceiverKind } from '../receiver';
import { discordRequest } from './discord';
import { googleChatRequest } from './google-chat';
import { ntfyRequest } from './ntfy';
import { slackRequest } from './slack';
import { teamsRequest } from './teams';
import { telegramRequest } from './telegram';
import type { Template } from './template';
import { webhookRequest } from './webhook';

const templates: Readonly<Record<ReceiverKind, Template>> = {
  webhook: webhookRequest,
  slack: slackRequest,
  discord: discordRequest,
  teams: teamsRequest,
  google_chat: googleChatRequest,
  telegram: telegramRequest,
  ntfy: ntfyRequest,
};

export const requestFor: Template = (message, receiver, attempt) =>
  templates[receiver.kind](message, receiver, attempt);
