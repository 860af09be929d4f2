import type { Deployment, StatefulSet } from 'kubernetes-types/apps/v1';
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2';
import type { Job } from 'kubernetes-types/batch/v1';
import type { ConfigMap, Namespace, PersistentVolumeClaim, Service } from 'kubernetes-types/core/v1';
import type { ObjectMeta } from 'kubernetes-types/meta/v1';
import type { Ingress, NetworkPolicy } from 'kubernetes-types/networking/v1';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1';

/** The fields of KEDA's ScaledObject that the manifests use. */
type ScaledObject = {
  apiVersion: 'keda.sh/v1alpha1';
  kind: 'ScaledObject';
  metadata: ObjectMeta;
  spec: {
    scaleTargetRef: { name: string };
    pollingInterval: number;
    minReplicaCount: number;
    maxReplicaCount: number;
    advanced: {
      horizontalPodAutoscalerConfig: {
        behavior: { scaleDown: { stabilizationWindowSeconds: number } };
      };
    };
    triggers: (
      | {
          type: 'postgresql';
          authenticationRef: { name: string };
          metadata: { query: string; targetQueryValue: string };
        }
      | { type: 'cpu'; metricType: 'Utilization'; metadata: { value: string } }
    )[];
  };
};

type TriggerAuthentication = {
  apiVersion: 'keda.sh/v1alpha1';
  kind: 'TriggerAuthentication';
  metadata: ObjectMeta;
  spec: { secretTargetRef: { parameter: 'connection'; name: string; key: string }[] };
};

type PodMonitor = {
  apiVersion: 'monitoring.coreos.com/v1';
  kind: 'PodMonitor';
  metadata: ObjectMeta;
  spec: {
    selector: { matchLabels: Record<string, string> };
    podMetricsEndpoints: { port: string; interval: string }[];
  };
};

type KnownManifest =
  | Deployment
  | StatefulSet
  | HorizontalPodAutoscaler
  | Job
  | ConfigMap
  | Namespace
  | PersistentVolumeClaim
  | Service
  | Ingress
  | NetworkPolicy
  | PodDisruptionBudget
  | ScaledObject
  | TriggerAuthentication
  | PodMonitor;

/** The type of a manifest of this version and kind, with the fields that every manifest must have. */
export type Manifest<Version extends string, Kind extends string> = Required<
  Pick<Extract<KnownManifest, { apiVersion?: Version; kind?: Kind }>, 'apiVersion' | 'kind' | 'metadata'>
> &
  Extract<KnownManifest, { apiVersion?: Version; kind?: Kind }>;
