// SPDX-License-Identifier: Apache-2.0
// The API messages A to M, in the format of protobuf_messages.h. Source: the .proto files and Go
// types of k8s.io/api v0.36.3.
#include "kinf/sandbox/api/protobuf_messages.h"

namespace kinf::sandbox {

const char* const kProtobufMessagesAToM = R"(
Affinity 1nodeAffinity:NodeAffinity 2podAffinity:PodAffinity 3podAntiAffinity:PodAntiAffinity
AggregationRule 1clusterRoleSelectors:*LabelSelector
AppArmorProfile 1type:s? 2localhostProfile:s?
AttachedVolume 1name:s? 2devicePath:s?
Binding 1metadata:ObjectMeta 2target:ObjectReference
CSIPersistentVolumeSource 1driver:s? 2volumeHandle:s? 3readOnly:b 4fsType:s 5volumeAttributes:%s
 6controllerPublishSecretRef:SecretReference 7nodeStageSecretRef:SecretReference
 8nodePublishSecretRef:SecretReference 9controllerExpandSecretRef:SecretReference
 10nodeExpandSecretRef:SecretReference
CSIVolumeSource 1driver:s? 2readOnly:b? 3fsType:s? 4volumeAttributes:%s
 5nodePublishSecretRef:LocalObjectReference
Capabilities 1add:*s 2drop:*s
ClientIPConfig 1timeoutSeconds:i?
ClusterRole 1metadata:ObjectMeta 2rules:*PolicyRule 3aggregationRule:AggregationRule
ClusterRoleBinding 1metadata:ObjectMeta 2subjects:*Subject 3roleRef:RoleRef
ClusterTrustBundleProjection 1name:s? 2signerName:s? 3labelSelector:LabelSelector 5optional:b?
 4path:s?
Condition 1type:s? 2status:s? 3observedGeneration:i 4lastTransitionTime:T 5reason:s? 6message:s?
ConfigMap 1metadata:ObjectMeta 4immutable:b? 2data:%s 3binaryData:%x
ConfigMapEnvSource 1localObjectReference:LocalObjectReference^ 2optional:b?
ConfigMapKeySelector 1localObjectReference:LocalObjectReference^ 2key:s? 3optional:b?
ConfigMapNodeConfigSource 1namespace:s? 2name:s? 3uid:s 4resourceVersion:s 5kubeletConfigKey:s?
ConfigMapProjection 1localObjectReference:LocalObjectReference^ 2items:*KeyToPath 4optional:b?
ConfigMapVolumeSource 1localObjectReference:LocalObjectReference^ 2items:*KeyToPath
 3defaultMode:i? 4optional:b?
Container 1name:s? 2image:s 3command:*s 4args:*s 5workingDir:s 6ports:*ContainerPort
 19envFrom:*EnvFromSource 7env:*EnvVar 8resources:ResourceRequirements
 23resizePolicy:*ContainerResizePolicy 24restartPolicy:s?
 25restartPolicyRules:*ContainerRestartRule 9volumeMounts:*VolumeMount
 21volumeDevices:*VolumeDevice 10livenessProbe:Probe 11readinessProbe:Probe 22startupProbe:Probe
 12lifecycle:Lifecycle 13terminationMessagePath:s 20terminationMessagePolicy:s 14imagePullPolicy:s
 15securityContext:SecurityContext 16stdin:b 17stdinOnce:b 18tty:b
ContainerExtendedResourceRequest 1containerName:s? 2resourceName:s? 3requestName:s?
ContainerImage 1names:*s 2sizeBytes:i
ContainerPort 1name:s 2hostPort:i 3containerPort:i? 4protocol:s 5hostIP:s
ContainerResizePolicy 1resourceName:s? 2restartPolicy:s?
ContainerRestartRule 1action:s 2exitCodes:ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes 1operator:s 2values:*i
ContainerState 1waiting:ContainerStateWaiting 2running:ContainerStateRunning
 3terminated:ContainerStateTerminated
ContainerStateRunning 1startedAt:T
ContainerStateTerminated 1exitCode:i? 2signal:i 3reason:s 4message:s 5startedAt:T 6finishedAt:T
 7containerID:s
ContainerStateWaiting 1reason:s 2message:s
ContainerStatus 1name:s? 2state:ContainerState 3lastState:ContainerState 4ready:b?
 5restartCount:i? 6image:s? 7imageID:s? 8containerID:s 9started:b? 10allocatedResources:%Q
 11resources:ResourceRequirements 12volumeMounts:*VolumeMountStatus 13user:ContainerUser
 14allocatedResourcesStatus:*ResourceStatus 15stopSignal:s?
ContainerUser 1linux:LinuxContainerUser
CronJob 1metadata:ObjectMeta 2spec:CronJobSpec 3status:CronJobStatus
CronJobSpec 1schedule:s? 8timeZone:s? 2startingDeadlineSeconds:i? 3concurrencyPolicy:s 4suspend:b?
 5jobTemplate:JobTemplateSpec 6successfulJobsHistoryLimit:i? 7failedJobsHistoryLimit:i?
CronJobStatus 1active:*ObjectReference 4lastScheduleTime:T 5lastSuccessfulTime:T
DaemonEndpoint 1Port:i?
DaemonSet 1metadata:ObjectMeta 2spec:DaemonSetSpec 3status:DaemonSetStatus
DaemonSetCondition 1type:s? 2status:s? 3lastTransitionTime:T 4reason:s 5message:s
DaemonSetSpec 1selector:LabelSelector 2template:PodTemplateSpec
 3updateStrategy:DaemonSetUpdateStrategy 4minReadySeconds:i 6revisionHistoryLimit:i?
DaemonSetStatus 1currentNumberScheduled:i? 2numberMisscheduled:i? 3desiredNumberScheduled:i?
 4numberReady:i? 5observedGeneration:i 6updatedNumberScheduled:i 7numberAvailable:i
 8numberUnavailable:i 9collisionCount:i? 10conditions:*DaemonSetCondition
DaemonSetUpdateStrategy 1type:s 2rollingUpdate:RollingUpdateDaemonSet
DeleteOptions 1gracePeriodSeconds:i? 2preconditions:Preconditions 3orphanDependents:b?
 4propagationPolicy:s? 5dryRun:*s 6ignoreStoreReadErrorWithClusterBreakingPotential:b?
Deployment 1metadata:ObjectMeta 2spec:DeploymentSpec 3status:DeploymentStatus
DeploymentCondition 1type:s? 2status:s? 6lastUpdateTime:T 7lastTransitionTime:T 4reason:s
 5message:s
DeploymentSpec 1replicas:i? 2selector:LabelSelector 3template:PodTemplateSpec
 4strategy:DeploymentStrategy 5minReadySeconds:i 6revisionHistoryLimit:i? 7paused:b
 9progressDeadlineSeconds:i?
DeploymentStatus 1observedGeneration:i 2replicas:i 3updatedReplicas:i 7readyReplicas:i
 4availableReplicas:i 5unavailableReplicas:i 9terminatingReplicas:i?
 6conditions:*DeploymentCondition 8collisionCount:i?
DeploymentStrategy 1type:s 2rollingUpdate:RollingUpdateDeployment
DownwardAPIProjection 1items:*DownwardAPIVolumeFile
DownwardAPIVolumeFile 1path:s? 2fieldRef:ObjectFieldSelector
 3resourceFieldRef:ResourceFieldSelector 4mode:i?
DownwardAPIVolumeSource 1items:*DownwardAPIVolumeFile 2defaultMode:i?
EmptyDirVolumeSource 1medium:s 2sizeLimit:Q
Endpoint 1addresses:*s 2conditions:EndpointConditions 3hostname:s? 4targetRef:ObjectReference
 5deprecatedTopology:%s 6nodeName:s? 7zone:s? 8hints:EndpointHints
EndpointAddress 1ip:s? 3hostname:s 4nodeName:s? 2targetRef:ObjectReference
EndpointConditions 1ready:b? 2serving:b? 3terminating:b?
EndpointHints 1forZones:*ForZone 2forNodes:*ForNode
EndpointPort.c 1name:s 2port:i? 3protocol:s 4appProtocol:s?
EndpointPort.d 1name:s? 2protocol:s? 3port:i? 4appProtocol:s?
EndpointSlice 1metadata:ObjectMeta 4addressType:s? 2endpoints:*Endpoint 3ports:*EndpointPort.d
EndpointSubset 1addresses:*EndpointAddress 2notReadyAddresses:*EndpointAddress
 3ports:*EndpointPort.c
Endpoints 1metadata:ObjectMeta 2subsets:*EndpointSubset
EnvFromSource 1prefix:s 2configMapRef:ConfigMapEnvSource 3secretRef:SecretEnvSource
EnvVar 1name:s? 2value:s 3valueFrom:EnvVarSource
EnvVarSource 1fieldRef:ObjectFieldSelector 2resourceFieldRef:ResourceFieldSelector
 3configMapKeyRef:ConfigMapKeySelector 4secretKeyRef:SecretKeySelector 5fileKeyRef:FileKeySelector
EphemeralContainer 1ephemeralContainerCommon:EphemeralContainerCommon^ 2targetContainerName:s
EphemeralContainerCommon 1name:s? 2image:s 3command:*s 4args:*s 5workingDir:s
 6ports:*ContainerPort 19envFrom:*EnvFromSource 7env:*EnvVar 8resources:ResourceRequirements
 23resizePolicy:*ContainerResizePolicy 24restartPolicy:s?
 25restartPolicyRules:*ContainerRestartRule 9volumeMounts:*VolumeMount
 21volumeDevices:*VolumeDevice 10livenessProbe:Probe 11readinessProbe:Probe 22startupProbe:Probe
 12lifecycle:Lifecycle 13terminationMessagePath:s 20terminationMessagePolicy:s 14imagePullPolicy:s
 15securityContext:SecurityContext 16stdin:b 17stdinOnce:b 18tty:b
EphemeralVolumeSource 1volumeClaimTemplate:PersistentVolumeClaimTemplate
Event 1metadata:ObjectMeta 2involvedObject:ObjectReference 3reason:s 4message:s
 5source:EventSource 6firstTimestamp:T 7lastTimestamp:T 8count:i 9type:s 10eventTime:U
 11series:EventSeries 12action:s 13related:ObjectReference 14reportingComponent:s?
 15reportingInstance:s?
EventSeries 1count:i 2lastObservedTime:U
EventSource 1component:s 2host:s
ExecAction 1command:*s
FCVolumeSource 1targetWWNs:*s 2lun:i? 3fsType:s 4readOnly:b 5wwids:*s
FileKeySelector 1volumeName:s? 2path:s? 3key:s? 4optional:b?
ForNode 1name:s?
ForZone 1name:s?
GRPCAction 1port:i? 2service:s?
HTTPGetAction 1path:s 2port:I 3host:s 4scheme:s 5httpHeaders:*HTTPHeader
HTTPHeader 1name:s? 2value:s?
HTTPIngressPath 1path:s 3pathType:s? 2backend:IngressBackend
HTTPIngressRuleValue 1paths:*HTTPIngressPath
HostAlias 1ip:s? 2hostnames:*s
HostIP 1ip:s?
HostPathVolumeSource 1path:s? 2type:s?
IPBlock 1cidr:s? 2except:*s
ISCSIPersistentVolumeSource 1targetPortal:s? 2iqn:s? 3lun:i? 4iscsiInterface:s 5fsType:s
 6readOnly:b 7portals:*s 8chapAuthDiscovery:b 11chapAuthSession:b 10secretRef:SecretReference
 12initiatorName:s?
ISCSIVolumeSource 1targetPortal:s? 2iqn:s? 3lun:i? 4iscsiInterface:s 5fsType:s 6readOnly:b
 7portals:*s 8chapAuthDiscovery:b 11chapAuthSession:b 10secretRef:LocalObjectReference
 12initiatorName:s?
ImageVolumeSource 1reference:s 2pullPolicy:s
ImageVolumeStatus 1imageRef:s
Ingress 1metadata:ObjectMeta 2spec:IngressSpec 3status:IngressStatus
IngressBackend 4service:IngressServiceBackend 3resource:TypedLocalObjectReference
IngressLoadBalancerIngress 1ip:s 2hostname:s 4ports:*IngressPortStatus
IngressLoadBalancerStatus 1ingress:*IngressLoadBalancerIngress
IngressPortStatus 1port:i? 2protocol:s? 3error:s?
IngressRule 1host:s 2ingressRuleValue:IngressRuleValue^
IngressRuleValue 1http:HTTPIngressRuleValue
IngressServiceBackend 1name:s? 2port:ServiceBackendPort
IngressSpec 4ingressClassName:s? 1defaultBackend:IngressBackend 2tls:*IngressTLS
 3rules:*IngressRule
IngressStatus 1loadBalancer:IngressLoadBalancerStatus
IngressTLS 1hosts:*s 2secretName:s
Job 1metadata:ObjectMeta 2spec:JobSpec 3status:JobStatus
JobCondition 1type:s? 2status:s? 3lastProbeTime:T 4lastTransitionTime:T 5reason:s 6message:s
JobSpec 1parallelism:i? 2completions:i? 3activeDeadlineSeconds:i?
 11podFailurePolicy:PodFailurePolicy 16successPolicy:SuccessPolicy 7backoffLimit:i?
 12backoffLimitPerIndex:i? 13maxFailedIndexes:i? 4selector:LabelSelector 5manualSelector:b?
 6template:PodTemplateSpec 8ttlSecondsAfterFinished:i? 9completionMode:s? 10suspend:b?
 14podReplacementPolicy:s? 15managedBy:s?
JobStatus 1conditions:*JobCondition 2startTime:T 3completionTime:T 4active:i 5succeeded:i
 6failed:i 11terminating:i? 7completedIndexes:s 10failedIndexes:s?
 8uncountedTerminatedPods:UncountedTerminatedPods 9ready:i?
JobTemplateSpec 1metadata:ObjectMeta 2spec:JobSpec
KeyToPath 1key:s? 2path:s? 3mode:i?
LabelSelector 1matchLabels:%s 2matchExpressions:*LabelSelectorRequirement
LabelSelectorRequirement 1key:s? 2operator:s? 3values:*s
Lease 1metadata:ObjectMeta 2spec:LeaseSpec
LeaseSpec 1holderIdentity:s? 2leaseDurationSeconds:i? 3acquireTime:U 4renewTime:U
 5leaseTransitions:i? 6strategy:s? 7preferredHolder:s?
Lifecycle 1postStart:LifecycleHandler 2preStop:LifecycleHandler 3stopSignal:s?
LifecycleHandler 1exec:ExecAction 2httpGet:HTTPGetAction 3tcpSocket:TCPSocketAction
 4sleep:SleepAction
LimitRange 1metadata:ObjectMeta 2spec:LimitRangeSpec
LimitRangeItem 1type:s? 2max:%Q 3min:%Q 4default:%Q 5defaultRequest:%Q 6maxLimitRequestRatio:%Q
LimitRangeSpec 1limits:*LimitRangeItem
LinuxContainerUser 1uid:i? 2gid:i? 3supplementalGroups:*i
LoadBalancerIngress 1ip:s 2hostname:s 3ipMode:s? 4ports:*PortStatus
LoadBalancerStatus 1ingress:*LoadBalancerIngress
LocalObjectReference 1name:s
LocalVolumeSource 1path:s? 2fsType:s?
ManagedFieldsEntry 1manager:s 2operation:s 3apiVersion:s 4time:T 6fieldsType:s 7fieldsV1:F
 8subresource:s
ModifyVolumeStatus 1targetVolumeAttributesClassName:s 2status:s?
)";

}  // namespace kinf::sandbox
