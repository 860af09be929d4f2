import { type ChannelHeartbeat, VigiePart } from '@vigie/contracts/channels';

/** A gateway reports twice a minute: two reports may be lost. */
const maxGatewaySeconds = 90;
/** As the alert `VigieNobodyWatches` counts it. */
const maxLagSeconds = 180;

/** What was found out of each part. */
export type Signs = {
  answers: Readonly<Record<'auth-svc' | 'dns-svc' | 'ssh-agent', boolean>>;
  /** The age of the last report of a gateway; undefined if there is none. */
  gatewaySeconds: number | undefined;
  /** By how much visits are late; undefined if Redis does not answer. */
  lagSeconds: number | undefined;
};

/** The parts that do not live. */
export function missingParts({ answers, gatewaySeconds, lagSeconds }: Signs): VigiePart[] {
  const lives: Readonly<Record<VigiePart, boolean>> = {
    ...answers,
    gateway: gatewaySeconds !== undefined && gatewaySeconds <= maxGatewaySeconds,
    redis: lagSeconds !== undefined,
    visits: lagSeconds === undefined || lagSeconds <= maxLagSeconds,
  };
  return VigiePart.options.filter((part) => !lives[part]);
}

type Missing = ChannelHeartbeat['missing'];

/** A part that was missing before has been since then. */
export const missingSince = (parts: readonly VigiePart[], before: Missing, now: string): Missing =>
  parts.map((part) => ({ part, since: before.find((one) => one.part === part)?.since ?? now }));
