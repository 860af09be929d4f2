import { z } from 'zod';
import { ConsoleSize } from './consoles';
import { id } from './text';

const offset = z.int().min(0);

export const consoleProtocol = 'vigie.console.v1';

/** Maximum size of a websocket frame in either direction. */
export const maxConsoleFrameBytes = 65_536;

/** Unread output after which the shell is paused, and the amount of output kept for a returning page. */
export const consoleWindowBytes = 262_144;

/** Text frames of a browser; keystrokes are binary frames. */
export const ClientMessage = z.discriminatedUnion('type', [
  ConsoleSize.extend({ type: z.literal('resize') }),
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('ack'), offset }),
  z.object({ type: z.literal('close') }),
]);
export type ClientMessage = z.infer<typeof ClientMessage>;

export const ConsoleTrouble = z.enum([
  'taken_over',
  'gone',
  'session_ended',
  'server_gone',
  'site_gone',
  'flood',
  'too_many',
  'unavailable',
  'ssh',
  'host_key_changed',
]);
export type ConsoleTrouble = z.infer<typeof ConsoleTrouble>;

/** Sentences for troubles that both the agent and the gateway report. */
export const troubleSentences = {
  taken_over: 'Cette console est maintenant ouverte ailleurs.',
  unavailable: 'La console est momentanément injoignable. Nouvel essai dans un instant.',
  session_ended: 'Votre session est terminée\u00a0: la console est fermée.',
  server_gone: 'Ce serveur n’existe plus, ou n’est plus à vous\u00a0: la console est fermée.',
  site_gone: 'La console de ce site ne vous est plus ouverte, ou sa connexion a changé\u00a0: la console est fermée.',
} satisfies Partial<Record<ConsoleTrouble, string>>;

/** Frames from a gateway to the agent of a shell. `detach` means that the page left and may return. */
export const GatewayFrame = z.discriminatedUnion('type', [
  ConsoleSize.extend({ type: z.literal('resize') }),
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('ack'), offset }),
  z.object({ type: z.literal('close') }),
  z.object({ type: z.literal('detach') }),
]);
export type GatewayFrame = z.infer<typeof GatewayFrame>;

/** Frames from the agent. `is_others` means that another page typed last; `taken` counts input sent to the host. */
export const AgentFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('attached'),
    from: offset,
    lost: offset,
    input: offset,
    is_new: z.boolean(),
    is_others: z.boolean().default(false),
  }),
  z.object({ type: z.literal('taken'), input: offset }),
  z.object({ type: z.literal('exit'), code: z.int().nullable(), signal: z.string().nullable() }),
  z.object({ type: z.literal('error'), code: ConsoleTrouble, message: z.string() }),
  z.object({ type: z.literal('pong') }),
]);
export type AgentFrame = z.infer<typeof AgentFrame>;

/** The parameters of a gateway that attaches to a console, sealed for the agents. */
export const ConsoleAttach = z.object({
  /** Key of all frames of this attachment. */
  key: z.base64(),
  /** Offset of the first byte of output to send. */
  from: offset,
  size: ConsoleSize.nullable(),
  /** Identifies one page across its reconnections, because input offsets count what other pages typed too. */
  client: id.nullish(),
  /** Whether the shell outlives this attachment and waits for a return. */
  keeps: z.boolean(),
});
export type ConsoleAttach = z.infer<typeof ConsoleAttach>;
