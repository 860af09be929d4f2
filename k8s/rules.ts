import { askedBy, askedByMigration, askedByTools, ofNode } from '../docker/asked-env';
import { type Container, containersOf, type Pod, podsOf, type Resource, secretsOf } from './pods';
import { deafPorts, openPods, selects } from './roads';

const graceSeconds = 90;
/** What a process does behind its deadline, and whoever kills it before. */
const spareSeconds = 5;
/** What the processes of the product are. */
const ours = /^vigie\/([a-z-]+):/;

export type Surroundings = {
  /** The images that compose runs beside our own. */
  images: readonly string[];
  /** What the Dockerfile says of each image: its variables. */
  imageEnv: (app: string) => Readonly<Record<string, string>>;
};

/** What must not be applied to a cluster, and why. */
export function faultsOf(resources: readonly Resource[], surroundings: Surroundings): string[] {
  const pods = podsOf(resources);
  return [
    ...pods.flatMap((pod) => [...podFaults(pod), ...secretFaults(pod)].map((fault) => `${pod.owner}: ${fault}`)),
    ...pods.flatMap((pod) =>
      containersOf(pod).flatMap((container) =>
        [
          ...rightsFaults(container),
          ...lifeFaults(container, pod),
          ...envFaults(container, pod, resources, surroundings),
          ...imageFaults(container, surroundings),
        ].map((fault) => `${pod.owner}: ${fault}`),
      ),
    ),
    ...referenceFaults(resources, pods),
    ...pods.flatMap((pod) => claimFaults(resources, pod)),
    ...openPods(resources),
    ...deafPorts(resources),
  ];
}

/** Of those that are there for somebody, all the time. */
const isService = ({ kind, owner }: Pod) => kind !== 'Job' && owner !== 'tools';

const when = (isFault: boolean, fault: string) => (isFault ? [fault] : []);

const podFaults = (pod: Pod) => [
  ...when(pod.automountServiceAccountToken !== false, 'has a token of the cluster'),
  ...when(pod.enableServiceLinks !== false, 'has variables that nobody wrote'),
  ...when(pod.securityContext?.runAsNonRoot !== true || !pod.securityContext.runAsUser, 'may be root'),
  ...when(pod.securityContext?.seccompProfile?.type !== 'RuntimeDefault', 'may make any system call'),
  ...when('hostNetwork' in pod || 'hostPID' in pod || 'hostIPC' in pod, 'is on its host'),
  ...(pod.volumes ?? []).flatMap(({ name, emptyDir, hostPath }) => [
    ...when(emptyDir !== undefined && emptyDir.sizeLimit === undefined, `${name} may fill the disk`),
    ...when(hostPath !== undefined, `${name} is a folder of its host`),
  ]),
];

const claimFaults = (resources: readonly Resource[], { owner, replicas, volumes = [] }: Pod) => [
  ...when(owner === 'tools' && replicas !== 0, 'tools: is there although nobody wants it'),
  ...volumes.flatMap(({ persistentVolumeClaim: claim }) => {
    const isMade = resources.some(({ kind, metadata }) => {
      return kind === 'PersistentVolumeClaim' && metadata.name === claim?.claimName;
    });
    return when(claim !== undefined && !isMade, `${owner}: there is no claim ${claim?.claimName}`);
  }),
];

const rightsFaults = ({ securityContext: rights = {}, resources: { requests, limits } = {} }: Container) => [
  ...when(rights.allowPrivilegeEscalation !== false, 'may gain privileges'),
  ...when(rights.readOnlyRootFilesystem !== true, 'may write its own files'),
  ...when(!rights.capabilities?.drop?.includes('ALL') || rights.capabilities.add !== undefined, 'has capabilities'),
  ...when(!requests?.['cpu'] || !requests['memory'], 'says not what it needs'),
  ...when(!limits?.['memory'], 'may take all memory'),
];

function lifeFaults({ image, env, livenessProbe, readinessProbe, lifecycle }: Container, pod: Pod): string[] {
  const pause = Number(lifecycle?.preStop?.exec.command[1] ?? 0);
  const grace = pod.terminationGracePeriodSeconds ?? 30;
  const toStop = Number(env?.find(({ name }) => name === 'VIGIE_STOP_SECONDS')?.value ?? 0);
  return [
    ...when(isService(pod) && (!livenessProbe || !readinessProbe), 'is not probed'),
    ...when(isService(pod) && ours.test(image) && grace !== graceSeconds, `has not ${graceSeconds} s to stop`),
    ...when(pause * 2 > grace, 'has no time left after its pause'),
    ...when(pause + toStop + spareSeconds > grace, `is killed before its ${toStop} s to stop are over`),
  ];
}

function envFaults(
  container: Container,
  pod: Pod,
  resources: readonly Resource[],
  { imageEnv }: Surroundings,
): string[] {
  const { env = [], image } = container;
  const [, app] = ours.exec(image) ?? [];
  const files = secretsOf(pod).map(({ path }) => path);
  const isFile = (name: string) => name.endsWith('_FILE');
  const faults = env.flatMap(({ name, value, valueFrom }) => {
    const map = valueFrom?.configMapKeyRef;
    return [
      ...when(isFile(name) && !files.includes(value ?? ''), `${name}: no secret is at ${value}`),
      ...when(valueFrom !== undefined && map === undefined, `${name}: a secret is a file`),
      ...when(map !== undefined && !isSaid(resources, map), `${name}: nobody says ${map?.key}`),
    ];
  });
  if (app === undefined) return faults;
  const asked = pod.kind === 'Job' ? askedByMigration() : app === 'tools' ? askedByTools : askedBy(app);
  const given = [...env.map(({ name }) => nameOf(name, asked.all)), ...Object.keys(imageEnv(app))];
  return [
    ...faults,
    ...asked.required.filter((name) => !given.includes(name)).map((name) => `${name} is required`),
    ...env
      .map(({ name }) => nameOf(name, asked.all))
      .filter((name) => !asked.all.includes(name) && !ofNode.includes(name))
      .map((name) => `${name} is nothing that ${app} asks for`),
  ];
}

/** Each variable may come by a file, but for those that are the name of one. */
const nameOf = (name: string, known: readonly string[]) => (known.includes(name) ? name : name.replace(/_FILE$/, ''));

const isSaid = (resources: readonly Resource[], { name, key }: { name: string; key: string }) =>
  resources.some(({ kind, metadata, data }) => {
    return kind === 'ConfigMap' && metadata.name === name && Object.hasOwn(Object(data), key);
  });

function imageFaults({ image }: Container, { images }: Surroundings): string[] {
  const [, tag] = /:([^/:]+)$/.exec(image) ?? [];
  const isOurs = /^(?:.*\/)?vigie\//.test(image);
  return [
    ...when(tag === undefined || tag === 'latest', `${image} is another one each day`),
    ...when(!isOurs && !images.includes(image), `${image} is not what compose runs`),
  ];
}

/** Whose each secret is. */
const readers: Record<string, RegExp> = {
  'database/owner-url': /^(?:migrate-|tools$)/,
  'database/password': /^postgres$/,
  'bus/nats.conf': /^nats$/,
  'bus/redis.conf': /^redis$/,
  'bus/nats-url': /^(?:gateway|(?:auth|sites|dns)-svc|ssh-agent)$/,
  'bus/redis-url': /^(?:gateway|(?:auth|sites|dns)-svc|ssh-agent)$/,
  'administrator/email': /^auth-svc$/,
  'administrator/password': /^auth-svc$/,
  'smtp/url': /^auth-svc$/,
  's3/credentials': /^(?:gateway|sites-svc|ssh-agent|tools)$/,
  'traces/headers': /^(?:gateway|(?:auth|sites|dns)-svc|ssh-agent)$/,
  'backup/passphrase': /^tools$/,
  'tls/ca.crt': /^/,
  'tls/tls.crt': /^(?:nats|redis|postgres)$/,
  'tls/tls.key': /^(?:nats|redis|postgres)$/,
};

const secretFaults = (pod: Pod) =>
  secretsOf(pod).flatMap(({ secret, key }) => {
    const [, process] = /^keys-(.*)$/.exec(secret) ?? [];
    const isReader = process
      ? [process, `migrate-${process}`, 'tools'].includes(pod.owner)
      : readers[`${secret}/${key}`]?.test(pod.owner);
    return when(!isReader, `reads ${secret}/${key}`);
  });

type Selecting = {
  selector?: { matchLabels?: Record<string, string> } & Record<string, unknown>;
  scaleTargetRef?: { name: string };
};

/** What names pods, or what makes them, names some; whoever is scaled has no number of its own. */
function referenceFaults(resources: readonly Resource[], pods: readonly Pod[]): string[] {
  const deployments = pods.filter(({ kind }) => kind === 'Deployment');
  const budgets = resources.filter(({ kind }) => kind === 'PodDisruptionBudget').map(({ spec }) => spec as Selecting);
  return [
    ...resources.flatMap(({ kind, metadata, spec }) => {
      const { selector, scaleTargetRef } = Object(spec) as Selecting;
      const labels = kind === 'Service' ? (selector as Record<string, string>) : selector?.matchLabels;
      const isNobody = labels !== undefined && !pods.some((pod) => selects({ matchLabels: labels }, pod));
      const scaled = deployments.find(({ owner }) => owner === scaleTargetRef?.name);
      return [
        ...when(isNobody, `${kind} ${metadata.name} selects nobody`),
        ...when(scaleTargetRef !== undefined && scaled === undefined, `${kind} ${metadata.name} scales nobody`),
        ...when(scaled?.replicas !== undefined, `${scaled?.owner} is counted twice`),
        ...when(kind !== 'Namespace' && metadata['namespace'] !== 'vigie', `${kind} ${metadata.name} is elsewhere`),
      ];
    }),
    ...deployments.filter(isService).flatMap((pod) => {
      const isKept = budgets.some(({ selector }) => selects({ matchLabels: selector?.matchLabels ?? {} }, pod));
      return when(!isKept, `${pod.owner}: no disruption budget`);
    }),
  ];
}
