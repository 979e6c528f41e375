// SPDX-License-Identifier: Apache-2.0
// Source: the .proto files and Go types of k8s.io/api v0.36.3.
#include "kinf/sandbox/api/protobuf_messages.h"

#include <charconv>
#include <sstream>
#include <utility>
#include <vector>

#include "kinf/base/ascii.h"

namespace kinf::sandbox {
namespace {

/// The messages: their names, separated by commas, and their fields, such as `1metadata:ObjectMeta
/// 2replicas:i?`. A line that begins with a space continues the previous line. Before a type, `*`
/// means list and `%` means map; in it, `&` stands for the name of the message. After a type, `?`
/// means has_presence and `^` means is_inline.
// There are two literals because compilers limit the length of one.
constexpr const char* kMessages[] = {R"(
Affinity 1nodeAffinity:NodeAffinity 2podAffinity:PodAffinity 3podAntiAffinity:PodAntiAffinity
AggregationRule 1clusterRoleSelectors:*LabelSelector
AppArmorProfile,SeccompProfile 1type:s? 2localhostProfile:s?
AttachedVolume,VolumeDevice 1name:s? 2devicePath:s?
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
ClusterRoleBinding,RoleBinding 1metadata:ObjectMeta 2subjects:*Subject 3roleRef:RoleRef
ClusterTrustBundleProjection 1name:s? 2signerName:s? 3labelSelector:LabelSelector 5optional:b?
 4path:s?
Condition 1type:s? 2status:s? 3observedGeneration:i 4lastTransitionTime:T 5reason:s? 6message:s?
ConfigMap 1metadata:ObjectMeta 4immutable:b? 2data:%s 3binaryData:%x
ConfigMapEnvSource,SecretEnvSource 1localObjectReference:LocalObjectReference^ 2optional:b?
ConfigMapKeySelector,SecretKeySelector 1localObjectReference:LocalObjectReference^ 2key:s?
 3optional:b?
ConfigMapNodeConfigSource 1namespace:s? 2name:s? 3uid:s 4resourceVersion:s 5kubeletConfigKey:s?
ConfigMapProjection,SecretProjection 1localObjectReference:LocalObjectReference^ 2items:*KeyToPath
 4optional:b?
ConfigMapVolumeSource 1localObjectReference:LocalObjectReference^ 2items:*KeyToPath 3defaultMode:i?
 4optional:b?
Container,EphemeralContainerCommon 1name:s? 2image:s 3command:*s 4args:*s 5workingDir:s
 6ports:*ContainerPort 19envFrom:*EnvFromSource 7env:*EnvVar 8resources:ResourceRequirements
 23resizePolicy:*ContainerResizePolicy 24restartPolicy:s? 25restartPolicyRules:*ContainerRestartRule
 9volumeMounts:*VolumeMount 21volumeDevices:*VolumeDevice 10livenessProbe:Probe
 11readinessProbe:Probe 22startupProbe:Probe 12lifecycle:Lifecycle 13terminationMessagePath:s
 20terminationMessagePolicy:s 14imagePullPolicy:s 15securityContext:SecurityContext 16stdin:b
 17stdinOnce:b 18tty:b
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
ContainerStatus 1name:s? 2state:ContainerState 3lastState:ContainerState 4ready:b? 5restartCount:i?
 6image:s? 7imageID:s? 8containerID:s 9started:b? 10allocatedResources:%Q
 11resources:ResourceRequirements 12volumeMounts:*VolumeMountStatus 13user:ContainerUser
 14allocatedResourcesStatus:*ResourceStatus 15stopSignal:s?
ContainerUser 1linux:LinuxContainerUser
CronJob,DaemonSet,Deployment,Ingress,Job,Namespace,Node,PersistentVolume,PersistentVolumeClaim,Pod,
 ReplicaSet,ReplicationController,ResourceQuota,Scale,Service,StatefulSet,SubjectAccessReview
 1metadata:ObjectMeta 2spec:&Spec 3status:&Status
CronJobSpec 1schedule:s? 8timeZone:s? 2startingDeadlineSeconds:i? 3concurrencyPolicy:s 4suspend:b?
 5jobTemplate:JobTemplateSpec 6successfulJobsHistoryLimit:i? 7failedJobsHistoryLimit:i?
CronJobStatus 1active:*ObjectReference 4lastScheduleTime:T 5lastSuccessfulTime:T
DaemonEndpoint 1Port:i?
DaemonSetCondition,ReplicaSetCondition,ReplicationControllerCondition,StatefulSetCondition 1type:s?
 2status:s? 3lastTransitionTime:T 4reason:s 5message:s
DaemonSetSpec 1selector:LabelSelector 2template:PodTemplateSpec
 3updateStrategy:DaemonSetUpdateStrategy 4minReadySeconds:i 6revisionHistoryLimit:i?
DaemonSetStatus 1currentNumberScheduled:i? 2numberMisscheduled:i? 3desiredNumberScheduled:i?
 4numberReady:i? 5observedGeneration:i 6updatedNumberScheduled:i 7numberAvailable:i
 8numberUnavailable:i 9collisionCount:i? 10conditions:*DaemonSetCondition
DaemonSetUpdateStrategy 1type:s 2rollingUpdate:RollingUpdateDaemonSet
DeleteOptions 1gracePeriodSeconds:i? 2preconditions:Preconditions 3orphanDependents:b?
 4propagationPolicy:s? 5dryRun:*s 6ignoreStoreReadErrorWithClusterBreakingPotential:b?
DeploymentCondition 1type:s? 2status:s? 6lastUpdateTime:T 7lastTransitionTime:T 4reason:s 5message:s
DeploymentSpec 1replicas:i? 2selector:LabelSelector 3template:PodTemplateSpec
 4strategy:DeploymentStrategy 5minReadySeconds:i 6revisionHistoryLimit:i? 7paused:b
 9progressDeadlineSeconds:i?
DeploymentStatus 1observedGeneration:i 2replicas:i 3updatedReplicas:i 7readyReplicas:i
 4availableReplicas:i 5unavailableReplicas:i 9terminatingReplicas:i?
 6conditions:*DeploymentCondition 8collisionCount:i?
DeploymentStrategy 1type:s 2rollingUpdate:RollingUpdateDeployment
DownwardAPIProjection 1items:*DownwardAPIVolumeFile
DownwardAPIVolumeFile 1path:s? 2fieldRef:ObjectFieldSelector 3resourceFieldRef:ResourceFieldSelector
 4mode:i?
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
EphemeralVolumeSource 1volumeClaimTemplate:PersistentVolumeClaimTemplate
Event 1metadata:ObjectMeta 2involvedObject:ObjectReference 3reason:s 4message:s 5source:EventSource
 6firstTimestamp:T 7lastTimestamp:T 8count:i 9type:s 10eventTime:U 11series:EventSeries 12action:s
 13related:ObjectReference 14reportingComponent:s? 15reportingInstance:s?
EventSeries 1count:i 2lastObservedTime:U
EventSource 1component:s 2host:s
ExecAction 1command:*s
FCVolumeSource 1targetWWNs:*s 2lun:i? 3fsType:s 4readOnly:b 5wwids:*s
FileKeySelector 1volumeName:s? 2path:s? 3key:s? 4optional:b?
ForNode,ForZone,PodOS,PodSchedulingGate 1name:s?
GRPCAction 1port:i? 2service:s?
HTTPGetAction 1path:s 2port:I 3host:s 4scheme:s 5httpHeaders:*HTTPHeader
HTTPHeader,Sysctl 1name:s? 2value:s?
HTTPIngressPath 1path:s 3pathType:s? 2backend:IngressBackend
HTTPIngressRuleValue 1paths:*HTTPIngressPath
HostAlias 1ip:s? 2hostnames:*s
HostIP,PodIP 1ip:s?
HostPathVolumeSource 1path:s? 2type:s?
IPBlock 1cidr:s? 2except:*s
ISCSIPersistentVolumeSource 1targetPortal:s? 2iqn:s? 3lun:i? 4iscsiInterface:s 5fsType:s 6readOnly:b
 7portals:*s 8chapAuthDiscovery:b 11chapAuthSession:b 10secretRef:SecretReference 12initiatorName:s?
ISCSIVolumeSource 1targetPortal:s? 2iqn:s? 3lun:i? 4iscsiInterface:s 5fsType:s 6readOnly:b
 7portals:*s 8chapAuthDiscovery:b 11chapAuthSession:b 10secretRef:LocalObjectReference
 12initiatorName:s?
ImageVolumeSource 1reference:s 2pullPolicy:s
ImageVolumeStatus 1imageRef:s
IngressBackend 4service:IngressServiceBackend 3resource:TypedLocalObjectReference
IngressLoadBalancerIngress 1ip:s 2hostname:s 4ports:*IngressPortStatus
IngressLoadBalancerStatus 1ingress:*IngressLoadBalancerIngress
IngressPortStatus,PortStatus 1port:i? 2protocol:s? 3error:s?
IngressRule 1host:s 2ingressRuleValue:IngressRuleValue^
IngressRuleValue 1http:HTTPIngressRuleValue
IngressServiceBackend 1name:s? 2port:ServiceBackendPort
IngressSpec 4ingressClassName:s? 1defaultBackend:IngressBackend 2tls:*IngressTLS 3rules:*IngressRule
IngressStatus 1loadBalancer:IngressLoadBalancerStatus
IngressTLS 1hosts:*s 2secretName:s
JobCondition,PersistentVolumeClaimCondition 1type:s? 2status:s? 3lastProbeTime:T
 4lastTransitionTime:T 5reason:s 6message:s
JobSpec 1parallelism:i? 2completions:i? 3activeDeadlineSeconds:i?
 11podFailurePolicy:PodFailurePolicy 16successPolicy:SuccessPolicy 7backoffLimit:i?
 12backoffLimitPerIndex:i? 13maxFailedIndexes:i? 4selector:LabelSelector 5manualSelector:b?
 6template:PodTemplateSpec 8ttlSecondsAfterFinished:i? 9completionMode:s? 10suspend:b?
 14podReplacementPolicy:s? 15managedBy:s?
JobStatus 1conditions:*JobCondition 2startTime:T 3completionTime:T 4active:i 5succeeded:i 6failed:i
 11terminating:i? 7completedIndexes:s 10failedIndexes:s?
 8uncountedTerminatedPods:UncountedTerminatedPods 9ready:i?
JobTemplateSpec 1metadata:ObjectMeta 2spec:JobSpec
KeyToPath 1key:s? 2path:s? 3mode:i?
LabelSelector 1matchLabels:%s 2matchExpressions:*LabelSelectorRequirement
LabelSelectorRequirement,NodeSelectorRequirement 1key:s? 2operator:s? 3values:*s
Lease,LimitRange,NetworkPolicy 1metadata:ObjectMeta 2spec:&Spec
LeaseSpec 1holderIdentity:s? 2leaseDurationSeconds:i? 3acquireTime:U 4renewTime:U
 5leaseTransitions:i? 6strategy:s? 7preferredHolder:s?
Lifecycle 1postStart:LifecycleHandler 2preStop:LifecycleHandler 3stopSignal:s?
LifecycleHandler 1exec:ExecAction 2httpGet:HTTPGetAction 3tcpSocket:TCPSocketAction
 4sleep:SleepAction
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
NFSVolumeSource 1server:s? 2path:s? 3readOnly:b
NamespaceCondition 1type:s? 2status:s? 4lastTransitionTime:T 5reason:s 6message:s
NamespaceSpec 1finalizers:*s
NamespaceStatus 1phase:s 2conditions:*NamespaceCondition
NetworkPolicyEgressRule 1ports:*NetworkPolicyPort 2to:*NetworkPolicyPeer
NetworkPolicyIngressRule 1ports:*NetworkPolicyPort 2from:*NetworkPolicyPeer
NetworkPolicyPeer 1podSelector:LabelSelector 2namespaceSelector:LabelSelector 3ipBlock:IPBlock
NetworkPolicyPort 1protocol:s? 2port:I 3endPort:i?
NetworkPolicySpec 1podSelector:LabelSelector 2ingress:*NetworkPolicyIngressRule
 3egress:*NetworkPolicyEgressRule 4policyTypes:*s
NodeAddress 1type:s? 2address:s?
NodeAffinity 1requiredDuringSchedulingIgnoredDuringExecution:NodeSelector
 2preferredDuringSchedulingIgnoredDuringExecution:*PreferredSchedulingTerm
NodeAllocatableResourceClaimStatus 1resourceClaimName:s? 2containers:*s 3resources:%Q
NodeCondition 1type:s? 2status:s? 3lastHeartbeatTime:T 4lastTransitionTime:T 5reason:s 6message:s
NodeConfigSource 2configMap:ConfigMapNodeConfigSource
NodeConfigStatus 1assigned:NodeConfigSource 2active:NodeConfigSource 3lastKnownGood:NodeConfigSource
 4error:s
NodeDaemonEndpoints 1kubeletEndpoint:DaemonEndpoint
)",
                                     R"(
NodeFeatures 1supplementalGroupsPolicy:b?
NodeRuntimeHandler 1name:s? 2features:NodeRuntimeHandlerFeatures
NodeRuntimeHandlerFeatures 1recursiveReadOnlyMounts:b? 2userNamespaces:b?
NodeSelector 1nodeSelectorTerms:*NodeSelectorTerm
NodeSelectorTerm 1matchExpressions:*NodeSelectorRequirement 2matchFields:*NodeSelectorRequirement
NodeSpec 1podCIDR:s 7podCIDRs:*s 3providerID:s 4unschedulable:b 5taints:*Taint
 6configSource:NodeConfigSource 2externalID:s
NodeStatus 1capacity:%Q 2allocatable:%Q 3phase:s 4conditions:*NodeCondition 5addresses:*NodeAddress
 6daemonEndpoints:NodeDaemonEndpoints 7nodeInfo:NodeSystemInfo 8images:*ContainerImage
 9volumesInUse:*s 10volumesAttached:*AttachedVolume 11config:NodeConfigStatus
 12runtimeHandlers:*NodeRuntimeHandler 13features:NodeFeatures 14declaredFeatures:*s
NodeSwapStatus 1capacity:i?
NodeSystemInfo 1machineID:s? 2systemUUID:s? 3bootID:s? 4kernelVersion:s? 5osImage:s?
 6containerRuntimeVersion:s? 7kubeletVersion:s? 8kubeProxyVersion:s? 9operatingSystem:s?
 10architecture:s? 11swap:NodeSwapStatus
NonResourceAttributes 1path:s 2verb:s
ObjectFieldSelector 1apiVersion:s 2fieldPath:s?
ObjectMeta 1name:s 2generateName:s 3namespace:s 4selfLink:s 5uid:s 6resourceVersion:s 7generation:i
 8creationTimestamp:T 9deletionTimestamp:T 10deletionGracePeriodSeconds:i? 11labels:%s
 12annotations:%s 13ownerReferences:*OwnerReference 14finalizers:*s
 17managedFields:*ManagedFieldsEntry
ObjectReference 1kind:s 2namespace:s 3name:s 4uid:s 5apiVersion:s 6resourceVersion:s 7fieldPath:s
OwnerReference 5apiVersion:s? 1kind:s? 3name:s? 4uid:s? 6controller:b? 7blockOwnerDeletion:b?
PersistentVolumeClaimSpec 1accessModes:*s 4selector:LabelSelector
 2resources:VolumeResourceRequirements 3volumeName:s 5storageClassName:s? 6volumeMode:s?
 7dataSource:TypedLocalObjectReference 8dataSourceRef:TypedObjectReference
 9volumeAttributesClassName:s?
PersistentVolumeClaimStatus 1phase:s 2accessModes:*s 3capacity:%Q
 4conditions:*PersistentVolumeClaimCondition 5allocatedResources:%Q 7allocatedResourceStatuses:%s
 8currentVolumeAttributesClassName:s? 9modifyVolumeStatus:ModifyVolumeStatus
PersistentVolumeClaimTemplate 1metadata:ObjectMeta 2spec:PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource 1claimName:s? 2readOnly:b
PersistentVolumeSource 3hostPath:HostPathVolumeSource 5nfs:NFSVolumeSource
 7iscsi:ISCSIPersistentVolumeSource 10fc:FCVolumeSource 20local:LocalVolumeSource
 22csi:CSIPersistentVolumeSource
PersistentVolumeSpec 1capacity:%Q 2persistentVolumeSource:PersistentVolumeSource^ 3accessModes:*s
 4claimRef:ObjectReference 5persistentVolumeReclaimPolicy:s 6storageClassName:s 7mountOptions:*s
 8volumeMode:s? 9nodeAffinity:VolumeNodeAffinity 10volumeAttributesClassName:s?
PersistentVolumeStatus 1phase:s 2message:s 3reason:s 4lastPhaseTransitionTime:T
PodAffinity,PodAntiAffinity 1requiredDuringSchedulingIgnoredDuringExecution:*PodAffinityTerm
 2preferredDuringSchedulingIgnoredDuringExecution:*WeightedPodAffinityTerm
PodAffinityTerm 1labelSelector:LabelSelector 2namespaces:*s 3topologyKey:s?
 4namespaceSelector:LabelSelector 5matchLabelKeys:*s 6mismatchLabelKeys:*s
PodCertificateProjection 1signerName:s 2keyType:s 3maxExpirationSeconds:i? 4credentialBundlePath:s
 5keyPath:s 6certificateChainPath:s 7userAnnotations:%s
PodCondition 1type:s? 7observedGeneration:i 2status:s? 3lastProbeTime:T 4lastTransitionTime:T
 5reason:s 6message:s
PodDNSConfig 1nameservers:*s 2searches:*s 3options:*PodDNSConfigOption
PodDNSConfigOption 1name:s 2value:s?
PodExtendedResourceClaimStatus 1requestMappings:*ContainerExtendedResourceRequest
 2resourceClaimName:s?
PodFailurePolicy,SuccessPolicy 1rules:*&Rule
PodFailurePolicyOnExitCodesRequirement 1containerName:s? 2operator:s? 3values:*i
PodFailurePolicyOnPodConditionsPattern 1type:s? 2status:s?
PodFailurePolicyRule 1action:s? 2onExitCodes:PodFailurePolicyOnExitCodesRequirement
 3onPodConditions:*PodFailurePolicyOnPodConditionsPattern
PodReadinessGate 1conditionType:s?
PodResourceClaim 1name:s? 3resourceClaimName:s? 4resourceClaimTemplateName:s?
PodResourceClaimStatus 1name:s? 2resourceClaimName:s?
PodSchedulingGroup 1podGroupName:s?
PodSecurityContext 1seLinuxOptions:SELinuxOptions 8windowsOptions:WindowsSecurityContextOptions
 2runAsUser:i? 6runAsGroup:i? 3runAsNonRoot:b? 4supplementalGroups:*i 12supplementalGroupsPolicy:s?
 5fsGroup:i? 7sysctls:*Sysctl 9fsGroupChangePolicy:s? 10seccompProfile:SeccompProfile
 11appArmorProfile:AppArmorProfile 13seLinuxChangePolicy:s?
PodSpec 1volumes:*Volume 20initContainers:*Container 2containers:*Container
 34ephemeralContainers:*EphemeralContainer 3restartPolicy:s 4terminationGracePeriodSeconds:i?
 5activeDeadlineSeconds:i? 6dnsPolicy:s 7nodeSelector:%s 8serviceAccountName:s 9serviceAccount:s
 21automountServiceAccountToken:b? 10nodeName:s 11hostNetwork:b 12hostPID:b 13hostIPC:b
 27shareProcessNamespace:b? 14securityContext:PodSecurityContext
 15imagePullSecrets:*LocalObjectReference 16hostname:s 17subdomain:s 18affinity:Affinity
 19schedulerName:s 22tolerations:*Toleration 23hostAliases:*HostAlias 24priorityClassName:s
 25priority:i? 26dnsConfig:PodDNSConfig 28readinessGates:*PodReadinessGate 29runtimeClassName:s?
 30enableServiceLinks:b? 31preemptionPolicy:s? 32overhead:%Q
 33topologySpreadConstraints:*TopologySpreadConstraint 35setHostnameAsFQDN:b? 36os:PodOS
 37hostUsers:b? 38schedulingGates:*PodSchedulingGate 39resourceClaims:*PodResourceClaim
 40resources:ResourceRequirements 41hostnameOverride:s? 43schedulingGroup:PodSchedulingGroup
PodStatus 17observedGeneration:i 1phase:s 2conditions:*PodCondition 3message:s 4reason:s
 11nominatedNodeName:s 5hostIP:s 16hostIPs:*HostIP 6podIP:s 12podIPs:*PodIP 7startTime:T
 10initContainerStatuses:*ContainerStatus 8containerStatuses:*ContainerStatus 9qosClass:s
 13ephemeralContainerStatuses:*ContainerStatus 14resize:s
 15resourceClaimStatuses:*PodResourceClaimStatus
 18extendedResourceClaimStatus:PodExtendedResourceClaimStatus 19allocatedResources:%Q
 20resources:ResourceRequirements
 21nodeAllocatableResourceClaimStatuses:*NodeAllocatableResourceClaimStatus
PodTemplateSpec 1metadata:ObjectMeta 2spec:PodSpec
PolicyRule 1verbs:*s 2apiGroups:*s 3resources:*s 4resourceNames:*s 5nonResourceURLs:*s
Preconditions 1uid:s? 2resourceVersion:s?
PreferredSchedulingTerm 1weight:i? 2preference:NodeSelectorTerm
Probe 1handler:ProbeHandler^ 2initialDelaySeconds:i 3timeoutSeconds:i 4periodSeconds:i
 5successThreshold:i 6failureThreshold:i 7terminationGracePeriodSeconds:i?
ProbeHandler 1exec:ExecAction 2httpGet:HTTPGetAction 3tcpSocket:TCPSocketAction 4grpc:GRPCAction
ProjectedVolumeSource 1sources:*VolumeProjection 2defaultMode:i?
ReplicaSetSpec 1replicas:i? 4minReadySeconds:i 2selector:LabelSelector 3template:PodTemplateSpec
ReplicaSetStatus 1replicas:i? 2fullyLabeledReplicas:i 4readyReplicas:i 5availableReplicas:i
 7terminatingReplicas:i? 3observedGeneration:i 6conditions:*ReplicaSetCondition
ReplicationControllerSpec 1replicas:i? 4minReadySeconds:i 2selector:%s 3template:PodTemplateSpec
ReplicationControllerStatus 1replicas:i? 2fullyLabeledReplicas:i 4readyReplicas:i
 5availableReplicas:i 3observedGeneration:i 6conditions:*ReplicationControllerCondition
ResourceAttributes 1namespace:s 2verb:s 3group:s 4version:s 5resource:s 6subresource:s 7name:s
ResourceClaim 1name:s? 2request:s
ResourceFieldSelector 1containerName:s 2resource:s? 3divisor:Q
ResourceHealth 1resourceID:s? 2health:s 6message:s?
ResourceQuotaSpec 1hard:%Q 2scopes:*s 3scopeSelector:ScopeSelector
ResourceQuotaStatus 1hard:%Q 2used:%Q
ResourceRequirements 1limits:%Q 2requests:%Q 3claims:*ResourceClaim
ResourceStatus 1name:s? 2resources:*ResourceHealth
Role 1metadata:ObjectMeta 2rules:*PolicyRule
RoleRef,TypedLocalObjectReference 1apiGroup:s? 2kind:s? 3name:s?
RollingUpdateDaemonSet,RollingUpdateDeployment 1maxUnavailable:I 2maxSurge:I
RollingUpdateStatefulSetStrategy 1partition:i? 2maxUnavailable:I
SELinuxOptions 1user:s 2role:s 3type:s 4level:s
ScaleSpec 1replicas:i
ScaleStatus 1replicas:i? 2selector:s
ScopeSelector 1matchExpressions:*ScopedResourceSelectorRequirement
ScopedResourceSelectorRequirement 1scopeName:s? 2operator:s? 3values:*s
Secret 1metadata:ObjectMeta 5immutable:b? 2data:%x 4stringData:%s 3type:s
SecretReference 1name:s 2namespace:s
SecretVolumeSource 1secretName:s 2items:*KeyToPath 3defaultMode:i? 4optional:b?
SecurityContext 1capabilities:Capabilities 2privileged:b? 3seLinuxOptions:SELinuxOptions
 10windowsOptions:WindowsSecurityContextOptions 4runAsUser:i? 8runAsGroup:i? 5runAsNonRoot:b?
 6readOnlyRootFilesystem:b? 7allowPrivilegeEscalation:b? 9procMount:s?
 11seccompProfile:SeccompProfile 12appArmorProfile:AppArmorProfile
SelfSubjectAccessReview 1metadata:ObjectMeta 2spec:SelfSubjectAccessReviewSpec
 3status:SubjectAccessReviewStatus
SelfSubjectAccessReviewSpec 1resourceAttributes:ResourceAttributes
 2nonResourceAttributes:NonResourceAttributes
ServiceAccount 1metadata:ObjectMeta 2secrets:*ObjectReference
 3imagePullSecrets:*LocalObjectReference 4automountServiceAccountToken:b?
ServiceAccountTokenProjection 1audience:s 2expirationSeconds:i? 3path:s?
ServiceBackendPort 1name:s 2number:i
ServicePort 1name:s 2protocol:s 6appProtocol:s? 3port:i? 4targetPort:I 5nodePort:i
ServiceSpec 1ports:*ServicePort 2selector:%s 3clusterIP:s 18clusterIPs:*s 4type:s 5externalIPs:*s
 7sessionAffinity:s 8loadBalancerIP:s 9loadBalancerSourceRanges:*s 10externalName:s
 11externalTrafficPolicy:s 12healthCheckNodePort:i 13publishNotReadyAddresses:b
 14sessionAffinityConfig:SessionAffinityConfig 19ipFamilies:*s 17ipFamilyPolicy:s?
 20allocateLoadBalancerNodePorts:b? 21loadBalancerClass:s? 22internalTrafficPolicy:s?
 23trafficDistribution:s?
ServiceStatus 1loadBalancer:LoadBalancerStatus 2conditions:*Condition
SessionAffinityConfig 1clientIP:ClientIPConfig
SleepAction 1seconds:i?
StatefulSetOrdinals 1start:i?
StatefulSetPersistentVolumeClaimRetentionPolicy 1whenDeleted:s 2whenScaled:s
StatefulSetSpec 1replicas:i? 2selector:LabelSelector 3template:PodTemplateSpec
 4volumeClaimTemplates:*PersistentVolumeClaim 5serviceName:s? 6podManagementPolicy:s
 7updateStrategy:StatefulSetUpdateStrategy 8revisionHistoryLimit:i? 9minReadySeconds:i
 10persistentVolumeClaimRetentionPolicy:StatefulSetPersistentVolumeClaimRetentionPolicy
 11ordinals:StatefulSetOrdinals
StatefulSetStatus 1observedGeneration:i 2replicas:i? 3readyReplicas:i 4currentReplicas:i
 5updatedReplicas:i 6currentRevision:s 7updateRevision:s 9collisionCount:i?
 10conditions:*StatefulSetCondition 11availableReplicas:i?
StatefulSetUpdateStrategy 1type:s 2rollingUpdate:RollingUpdateStatefulSetStrategy
Subject 1kind:s? 2apiGroup:s 3name:s? 4namespace:s
SubjectAccessReviewSpec 1resourceAttributes:ResourceAttributes
 2nonResourceAttributes:NonResourceAttributes 3user:s 4groups:*s 6uid:s
SubjectAccessReviewStatus 1allowed:b 2reason:s 3evaluationError:s 4denied:b
SuccessPolicyRule 1succeededIndexes:s? 2succeededCount:i?
TCPSocketAction 1port:I 2host:s
Taint 1key:s? 2value:s 3effect:s? 4timeAdded:T
Toleration 1key:s 2operator:s 3value:s 4effect:s 5tolerationSeconds:i?
TopologySpreadConstraint 1maxSkew:i? 2topologyKey:s? 3whenUnsatisfiable:s?
 4labelSelector:LabelSelector 5minDomains:i? 6nodeAffinityPolicy:s? 7nodeTaintsPolicy:s?
 8matchLabelKeys:*s
TypedObjectReference 1apiGroup:s? 2kind:s? 3name:s? 4namespace:s?
UncountedTerminatedPods 1succeeded:*s 2failed:*s
Volume 1name:s? 2volumeSource:VolumeSource^
VolumeMount 1name:s? 2readOnly:b 7recursiveReadOnly:s? 3mountPath:s? 4subPath:s 5mountPropagation:s?
 6subPathExpr:s
VolumeMountStatus 1name:s? 2mountPath:s? 3readOnly:b 4recursiveReadOnly:s?
 5volumeStatus:VolumeStatus
VolumeNodeAffinity 1required:NodeSelector
VolumeProjection 1secret:SecretProjection 2downwardAPI:DownwardAPIProjection
 3configMap:ConfigMapProjection 4serviceAccountToken:ServiceAccountTokenProjection
 5clusterTrustBundle:ClusterTrustBundleProjection 6podCertificate:PodCertificateProjection
VolumeResourceRequirements 1limits:%Q 2requests:%Q
VolumeSource 1hostPath:HostPathVolumeSource 2emptyDir:EmptyDirVolumeSource
 6secret:SecretVolumeSource 7nfs:NFSVolumeSource 8iscsi:ISCSIVolumeSource
 10persistentVolumeClaim:PersistentVolumeClaimVolumeSource 16downwardAPI:DownwardAPIVolumeSource
 17fc:FCVolumeSource 19configMap:ConfigMapVolumeSource 26projected:ProjectedVolumeSource
 28csi:CSIVolumeSource 29ephemeral:EphemeralVolumeSource 30image:ImageVolumeSource
VolumeStatus 1image:ImageVolumeStatus
WeightedPodAffinityTerm 1weight:i? 2podAffinityTerm:PodAffinityTerm
WindowsSecurityContextOptions 1gmsaCredentialSpecName:s? 2gmsaCredentialSpec:s? 3runAsUserName:s?
 4hostProcess:b?
)"};

using Messages = std::map<std::string, MessageFields, std::less<>>;

/// Parses a field such as `2replicas:i?` and adds it to the message `owner`.
void add_field(std::string_view text, const std::string& owner, MessageFields& into) {
  std::uint64_t number = 0;
  const char* name = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
  text.remove_prefix(static_cast<std::size_t>(name - text.data()));
  MessageField field;
  const std::size_t colon = text.find(':');
  field.name = text.substr(0, colon);
  text.remove_prefix(colon + 1);
  field.is_list = text.starts_with('*');
  field.is_map = text.starts_with('%');
  field.has_presence = text.ends_with('?');
  field.is_inline = text.ends_with('^');
  if (field.is_list || field.is_map) text.remove_prefix(1);
  if (field.has_presence || field.is_inline) text.remove_suffix(1);
  field.type = text;
  if (text.starts_with('&')) field.type.replace(0, 1, owner);
  into[number] = std::move(field);
}

Messages read_messages() {
  Messages result;
  std::vector<std::string> names;
  for (const char* text : kMessages) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with(' ')) names.clear();
      std::istringstream words(line);
      for (std::string word; words >> word;) {
        if (is_digit(word.front())) {
          for (const std::string& name : names) add_field(word, name, result[name]);
        } else {
          for (std::string_view rest = word; !rest.empty();) {
            names.emplace_back(take_until(rest, ","));
          }
        }
      }
    }
  }
  return result;
}

}  // namespace

const MessageFields* message_fields(std::string_view message) {
  static const Messages all = read_messages();
  const auto found = all.find(message);
  return found == all.end() ? nullptr : &found->second;
}

}  // namespace kinf::sandbox
