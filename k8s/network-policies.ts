import { containersOf, type Pod, podsOf, type Resource } from './pods';

type Selector = {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
};
type Peer = { podSelector?: Selector; namespaceSelector?: Selector; ipBlock?: { cidr: string } };
type Rule = { from?: Peer[]; to?: Peer[]; ports?: { port: number }[] };
type Policy = { podSelector: Selector; policyTypes: string[]; ingress?: Rule[]; egress?: Rule[] };

const policiesOf = (resources: readonly Resource[]) =>
  resources.flatMap(({ kind, metadata, spec }) =>
    kind === 'NetworkPolicy' ? [{ name: metadata.name, ...(spec as unknown as Policy) }] : [],
  );

/** As in Kubernetes, an empty selector selects everything. */
export const selects = ({ matchLabels = {}, matchExpressions = [] }: Selector, { labels }: Pick<Pod, 'labels'>) =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, operator, values }) => operator === 'In' && values.includes(labels[key] ?? ''));

/** Lists the pods that no policy restricts, per direction. */
export function podsWithoutPolicy(resources: readonly Resource[]): string[] {
  const policies = policiesOf(resources);
  return podsOf(resources).flatMap((pod) =>
    ['Ingress', 'Egress'].flatMap((direction) => {
      const isCovered = policies.some(
        (policy) => policy.policyTypes.includes(direction) && selects(policy.podSelector, pod),
      );
      return isCovered ? [] : [`${pod.owner}: no policy of its ${direction}`];
    }),
  );
}

/** Lists which pod may reach which peer at which port. Between two pods both sides must allow the connection. */
export function allowedConnections(resources: readonly Resource[]): string[] {
  const pods = podsOf(resources);
  const internal = pods.flatMap((from) =>
    pods.flatMap((to) =>
      portsOf(to)
        .filter((port) => allows(resources, from, to, port))
        .map((port) => `${from.owner} → ${to.owner}:${port}`),
    ),
  );
  return [...new Set([...internal, ...externalConnections(resources, pods)])].toSorted();
}

const portsOf = (pod: Pod) => containersOf(pod).flatMap(({ ports = [] }) => ports.map((port) => port.containerPort));

const matchesPod = ({ podSelector, namespaceSelector }: Peer, pod: Pod) =>
  podSelector !== undefined && namespaceSelector === undefined && selects(podSelector, pod);
const allowsPort = ({ ports }: Rule, port: number) => ports?.some((allowed) => allowed.port === port) ?? true;

function allows(resources: readonly Resource[], from: Pod, to: Pod, port: number): boolean {
  const policies = policiesOf(resources);
  const isEgressAllowed = policies.some(
    ({ podSelector, egress = [] }) =>
      selects(podSelector, from) &&
      egress.some((rule) => allowsPort(rule, port) && rule.to?.some((peer) => matchesPod(peer, to))),
  );
  const isIngressAllowed = policies.some(
    ({ podSelector, ingress = [] }) =>
      selects(podSelector, to) &&
      ingress.some((rule) => allowsPort(rule, port) && rule.from?.some((peer) => matchesPod(peer, from))),
  );
  return isEgressAllowed && isIngressAllowed;
}

function externalConnections(resources: readonly Resource[], pods: readonly Pod[]): string[] {
  return policiesOf(resources).flatMap(({ podSelector, ingress = [], egress = [] }) =>
    pods
      .filter((pod) => selects(podSelector, pod))
      .flatMap(({ owner }) => [
        ...peerPorts(ingress, ({ from }) => from).map(({ peer, port }) => `${peer} → ${owner}:${port}`),
        ...peerPorts(egress, ({ to }) => to).map(({ peer, port }) => `${owner} → ${peer}:${port}`),
      ]),
  );
}

/** A rule without peers allows every peer. */
function peerPorts(rules: readonly Rule[], peersOf: (rule: Rule) => Peer[] | undefined) {
  return rules.flatMap((rule) =>
    (peersOf(rule) ?? [{ ipBlock: { cidr: 'anybody' } }]).flatMap((peer) => {
      const name = peer.ipBlock?.cidr ?? Object.values(peer.namespaceSelector?.matchLabels ?? {})[0];
      if (name === undefined) return [];
      return (rule.ports ?? [{ port: '*' }]).map(({ port }) => ({ peer: name, port }));
    }),
  );
}

/** Lists the ports that a policy opens although the pod does not listen there. */
export function closedPorts(resources: readonly Resource[]): string[] {
  const pods = podsOf(resources);
  return policiesOf(resources).flatMap(({ name, podSelector, ingress = [], egress = [] }) => {
    const incoming = pods
      .filter((pod) => selects(podSelector, pod))
      .flatMap((pod) => ingress.map((rule) => ({ pod, rule })));
    const outgoing = egress.flatMap((rule) =>
      pods.filter((pod) => rule.to?.some((peer) => matchesPod(peer, pod))).map((pod) => ({ pod, rule })),
    );
    return [...incoming, ...outgoing].flatMap(({ pod, rule }) =>
      (rule.ports ?? []).flatMap(({ port }) =>
        portsOf(pod).includes(port) ? [] : [`${name}: ${pod.owner} does not listen at ${port}`],
      ),
    );
  });
}
