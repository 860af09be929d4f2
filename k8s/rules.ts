import { readAppVariables, readMigrationVariables, toolVariables, nodeVariables } from '../docker/env-variables';
import { type Container, containersOf, type Pod, podsOf, type Resource, secretsOf } from './pods';
import { closedPorts, podsWithoutPolicy, selects } from './network-policies';

const graceSeconds = 90;
/** A process needs this long to exit after its deadline. */
const spareSeconds = 5;
const ownImage = /^vigie\/([a-z-]+):/;

export type RuleContext = {
  /** The third-party images that compose runs. */
  images: readonly string[];
  /** The variables that the Dockerfile sets in each image. */
  imageEnv: (app: string) => Readonly<Record<string, string>>;
};

/** Lists the faults for which the manifests must not be applied to a cluster. */
export function findFaults(resources: readonly Resource[], context: RuleContext): string[] {
  const pods = podsOf(resources);
  return [
    ...pods.flatMap((pod) => [...podFaults(pod), ...secretFaults(pod)].map((fault) => `${pod.owner}: ${fault}`)),
    ...pods.flatMap((pod) =>
      containersOf(pod).flatMap((container) =>
        [
          ...securityFaults(container),
          ...lifecycleFaults(container, pod),
          ...envFaults(container, pod, resources, context),
          ...imageFaults(container, context),
        ].map((fault) => `${pod.owner}: ${fault}`),
      ),
    ),
    ...referenceFaults(resources, pods),
    ...pods.flatMap((pod) => claimFaults(resources, pod)),
    ...podsWithoutPolicy(resources),
    ...closedPorts(resources),
  ];
}

const isService = ({ kind, owner }: Pod) => kind !== 'Job' && owner !== 'tools';

const faultIf = (isFault: boolean, fault: string) => (isFault ? [fault] : []);

const podFaults = (pod: Pod) => [
  ...faultIf(pod.automountServiceAccountToken !== false, 'mounts a service account token'),
  ...faultIf(pod.enableServiceLinks !== false, 'has service links in its environment'),
  ...faultIf(pod.securityContext?.runAsNonRoot !== true || !pod.securityContext.runAsUser, 'may be root'),
  ...faultIf(pod.securityContext?.seccompProfile?.type !== 'RuntimeDefault', 'may make any system call'),
  ...faultIf('hostNetwork' in pod || 'hostPID' in pod || 'hostIPC' in pod, 'shares a namespace with its host'),
  ...(pod.volumes ?? []).flatMap(({ name, emptyDir, hostPath }) => [
    ...faultIf(emptyDir !== undefined && emptyDir.sizeLimit === undefined, `${name} has no size limit`),
    ...faultIf(hostPath !== undefined, `${name} mounts a folder of its host`),
  ]),
];

const claimFaults = (resources: readonly Resource[], { owner, replicas, volumes = [] }: Pod) => [
  ...faultIf(owner === 'tools' && replicas !== 0, 'tools: runs all the time'),
  ...volumes.flatMap(({ persistentVolumeClaim: claim }) => {
    const exists = resources.some(({ kind, metadata }) => {
      return kind === 'PersistentVolumeClaim' && metadata.name === claim?.claimName;
    });
    return faultIf(claim !== undefined && !exists, `${owner}: missing volume claim ${claim?.claimName}`);
  }),
];

const securityFaults = ({ securityContext: security = {}, resources: { requests, limits } = {} }: Container) => [
  ...faultIf(security.allowPrivilegeEscalation !== false, 'may gain privileges'),
  ...faultIf(security.readOnlyRootFilesystem !== true, 'may write its own files'),
  ...faultIf(
    !security.capabilities?.drop?.includes('ALL') || security.capabilities.add !== undefined,
    'has capabilities',
  ),
  ...faultIf(!requests?.['cpu'] || !requests['memory'], 'has no resource requests'),
  ...faultIf(!limits?.['memory'], 'has no memory limit'),
];

function lifecycleFaults({ image, env, livenessProbe, readinessProbe, lifecycle }: Container, pod: Pod): string[] {
  const pause = Number(lifecycle?.preStop?.exec.command[1] ?? 0);
  const grace = pod.terminationGracePeriodSeconds ?? 30;
  const stopSeconds = Number(env?.find(({ name }) => name === 'VIGIE_STOP_SECONDS')?.value ?? 0);
  return [
    ...faultIf(isService(pod) && (!livenessProbe || !readinessProbe), 'has no probes'),
    ...faultIf(
      isService(pod) && ownImage.test(image) && grace !== graceSeconds,
      `does not have ${graceSeconds} s to stop`,
    ),
    ...faultIf(pause * 2 > grace, 'has too little time left after preStop'),
    ...faultIf(pause + stopSeconds + spareSeconds > grace, `is killed before its ${stopSeconds} s to stop are over`),
  ];
}

function envFaults(
  container: Container,
  pod: Pod,
  resources: readonly Resource[],
  { imageEnv }: RuleContext,
): string[] {
  const { env = [], image } = container;
  const [, app] = ownImage.exec(image) ?? [];
  const files = secretsOf(pod).map(({ path }) => path);
  const isFile = (name: string) => name.endsWith('_FILE');
  const faults = env.flatMap(({ name, value, valueFrom }) => {
    const map = valueFrom?.configMapKeyRef;
    return [
      ...faultIf(isFile(name) && !files.includes(value ?? ''), `${name}: no secret is mounted at ${value}`),
      ...faultIf(valueFrom !== undefined && map === undefined, `${name}: secrets must be files`),
      ...faultIf(map !== undefined && !isInConfigMap(resources, map), `${name}: no ConfigMap has ${map?.key}`),
    ];
  });
  if (app === undefined) return faults;
  const variables =
    pod.kind === 'Job' ? readMigrationVariables() : app === 'tools' ? toolVariables : readAppVariables(app);
  const provided = [...env.map(({ name }) => variableName(name, variables.all)), ...Object.keys(imageEnv(app))];
  return [
    ...faults,
    ...variables.required.filter((name) => !provided.includes(name)).map((name) => `${name} is required`),
    ...env
      .map(({ name }) => variableName(name, variables.all))
      .filter((name) => !variables.all.includes(name) && !nodeVariables.includes(name))
      .map((name) => `${name} is not read by ${app}`),
  ];
}

/** A variable may come from a file named in NAME_FILE; some variables end in _FILE themselves. */
const variableName = (name: string, variables: readonly string[]) =>
  variables.includes(name) ? name : name.replace(/_FILE$/, '');

const isInConfigMap = (resources: readonly Resource[], { name, key }: { name: string; key: string }) =>
  resources.some(({ kind, metadata, data }) => {
    return kind === 'ConfigMap' && metadata.name === name && Object.hasOwn(Object(data), key);
  });

function imageFaults({ image }: Container, { images }: RuleContext): string[] {
  const [, tag] = /:([^/:]+)$/.exec(image) ?? [];
  const isOurs = /^(?:.*\/)?vigie\//.test(image);
  return [
    ...faultIf(tag === undefined || tag === 'latest', `${image} has no fixed tag`),
    ...faultIf(!isOurs && !images.includes(image), `${image} is not what compose runs`),
  ];
}

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
    return faultIf(!isReader, `reads ${secret}/${key}`);
  });

type ReferenceSpec = {
  selector?: { matchLabels?: Record<string, string> } & Record<string, unknown>;
  scaleTargetRef?: { name: string };
};

/** Every reference must match a pod or workload, and a workload with an autoscaler must not set its replicas. */
function referenceFaults(resources: readonly Resource[], pods: readonly Pod[]): string[] {
  const deployments = pods.filter(({ kind }) => kind === 'Deployment');
  const budgets = resources
    .filter(({ kind }) => kind === 'PodDisruptionBudget')
    .map(({ spec }) => spec as ReferenceSpec);
  return [
    ...resources.flatMap(({ kind, metadata, spec }) => {
      const { selector, scaleTargetRef } = Object(spec) as ReferenceSpec;
      const labels = kind === 'Service' ? (selector as Record<string, string>) : selector?.matchLabels;
      const isUnmatched = labels !== undefined && !pods.some((pod) => selects({ matchLabels: labels }, pod));
      const scaled = deployments.find(({ owner }) => owner === scaleTargetRef?.name);
      return [
        ...faultIf(isUnmatched, `${kind} ${metadata.name} selects no pod`),
        ...faultIf(
          scaleTargetRef !== undefined && scaled === undefined,
          `${kind} ${metadata.name} scales no deployment`,
        ),
        ...faultIf(scaled?.replicas !== undefined, `${scaled?.owner} has replicas and an autoscaler`),
        ...faultIf(
          kind !== 'Namespace' && metadata['namespace'] !== 'vigie',
          `${kind} ${metadata.name} is in another namespace`,
        ),
      ];
    }),
    ...deployments.filter(isService).flatMap((pod) => {
      const hasBudget = budgets.some(({ selector }) => selects({ matchLabels: selector?.matchLabels ?? {} }, pod));
      return faultIf(!hasBudget, `${pod.owner}: no disruption budget`);
    }),
  ];
}
