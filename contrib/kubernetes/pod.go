package kubernetes

import (
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/espalier-go/espalier/bigen"
)

func podOptions() []bigen.Option {
	return []bigen.Option{
		bigen.With(genPodSpec(false)),
		bigen.With(bigen.Just(corev1.PodStatus{})),
		bigen.With(genDeploymentSpec()),
		bigen.With(bigen.Just(appsv1.DeploymentStatus{})),
	}
}

// genDeploymentSpec makes deployments that select the pods of their template.
func genDeploymentSpec() bigen.Gen[appsv1.DeploymentSpec] {
	meta, pod := genObjectMeta(), genPodSpec(true)
	replicas := bigen.Ptr(bigen.IntRange[int32](0, 100))
	count := bigen.IntRange[int32](0, 600)
	template := bigen.Struct(func(c *bigen.C, t *corev1.PodTemplateSpec) {
		bigen.At(c, &t.ObjectMeta, meta)
		bigen.At(c, &t.Spec, pod)
	})
	template = bigen.SuchThat(template, func(t corev1.PodTemplateSpec) bool {
		return len(t.Labels) > 0
	})
	strategy := bigen.OneOf(appsv1.DeploymentStrategyType(""),
		appsv1.RecreateDeploymentStrategyType, appsv1.RollingUpdateDeploymentStrategyType)
	return bigen.Struct(func(c *bigen.C, s *appsv1.DeploymentSpec) {
		bigen.At(c, &s.Replicas, replicas)
		bigen.At(c, &s.Template, template)
		bigen.At(c, &s.Selector, bigen.New(func(c *bigen.C, l *metav1.LabelSelector) {
			bigen.At(c, &l.MatchLabels, bigen.Iso(bigen.Just(0),
				func(int) map[string]string { return maps.Clone(s.Template.Labels) },
				func(m map[string]string) (int, bool) { return 0, true }))
		}))
		bigen.At(c, &s.Strategy.Type, strategy)
		bigen.At(c, &s.MinReadySeconds, bigen.IntRange[int32](0, 300))
		bigen.At(c, &s.RevisionHistoryLimit, bigen.Ptr(count))
		bigen.At(c, &s.Paused, bigen.Bool())
	})
}

// genPodSpec makes the specs of pods or, with fewer choices, of a template of pods that always run.
func genPodSpec(always bool) bigen.Gen[corev1.PodSpec] {
	var (
		volumes = bigen.DistinctBy(genVolume(), func(v corev1.Volume) string { return v.Name }, 0, 3)
		restart = bigen.OneOf(corev1.RestartPolicy(""), corev1.RestartPolicyAlways,
			corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever)
		dns = bigen.OneOf(corev1.DNSPolicy(""), corev1.DNSClusterFirst, corev1.DNSDefault,
			corev1.DNSClusterFirstWithHostNet)
		seconds = bigen.Ptr(bigen.IntRange[int64](1, 3600))
		labels  = Labels()
		names   = bigen.Pick(bigen.Tag("none", bigen.Just("")), bigen.Tag("name", Label()))
		secrets = bigen.SliceOf(bigen.Iso(Label(),
			func(s string) corev1.LocalObjectReference {
				return corev1.LocalObjectReference{Name: s}
			}, func(r corev1.LocalObjectReference) (string, bool) { return r.Name, true }), 0, 2)
		tolerations = bigen.SliceOf(genToleration(), 0, 2)
		security    = bigen.Ptr(genPodSecurity())
	)
	return bigen.Struct(func(c *bigen.C, s *corev1.PodSpec) {
		bigen.At(c, &s.Volumes, volumes)
		bigen.At(c, &s.InitContainers,
			bigen.DistinctBy(genContainer(bigen.Matching(`init-[a-z0-9]{1,4}`), s.Volumes, false),
				nameOf, 0, 2))
		bigen.At(c, &s.Containers, bigen.DistinctBy(genContainer(Label(), s.Volumes, true), nameOf, 1, 3))
		bigen.At(c, &s.TerminationGracePeriodSeconds, seconds)
		if !always {
			bigen.At(c, &s.RestartPolicy, restart)
			bigen.At(c, &s.ActiveDeadlineSeconds, seconds)
		}
		bigen.At(c, &s.DNSPolicy, dns)
		bigen.At(c, &s.NodeSelector, labels)
		bigen.At(c, &s.ServiceAccountName, names)
		bigen.At(c, &s.AutomountServiceAccountToken, bigen.Ptr(bigen.Bool()))
		bigen.At(c, &s.NodeName, names)
		bigen.At(c, &s.SecurityContext, security)
		bigen.At(c, &s.ImagePullSecrets, secrets)
		bigen.At(c, &s.Hostname, names)
		bigen.At(c, &s.Subdomain, names)
		bigen.At(c, &s.SchedulerName, names)
		bigen.At(c, &s.Tolerations, tolerations)
		bigen.At(c, &s.EnableServiceLinks, bigen.Ptr(bigen.Bool()))
	})
}

func nameOf(c corev1.Container) string { return c.Name }

func genVolume() bigen.Gen[corev1.Volume] {
	name, path := Label(), bigen.Matching(`(/[a-z]{1,6}){1,3}`)
	size := bigen.Ptr(quantityOf("Ki", "Mi", "Gi"))
	source := bigen.Pick(
		bigen.Tag("emptyDir", bigen.Struct(func(c *bigen.C, s *corev1.VolumeSource) {
			bigen.At(c, &s.EmptyDir, bigen.New(func(c *bigen.C, e *corev1.EmptyDirVolumeSource) {
				bigen.At(c, &e.Medium, bigen.OneOf(corev1.StorageMediumDefault, corev1.StorageMediumMemory))
				bigen.At(c, &e.SizeLimit, size)
			}))
		})),
		bigen.Tag("hostPath", bigen.Struct(func(c *bigen.C, s *corev1.VolumeSource) {
			bigen.At(c, &s.HostPath,
				bigen.New(func(c *bigen.C, h *corev1.HostPathVolumeSource) { bigen.At(c, &h.Path, path) }))
		})),
		bigen.Tag("configMap", bigen.Struct(func(c *bigen.C, s *corev1.VolumeSource) {
			bigen.At(c, &s.ConfigMap, bigen.New(func(c *bigen.C, m *corev1.ConfigMapVolumeSource) {
				bigen.At(c, &m.Name, name)
				bigen.At(c, &m.Optional, bigen.Ptr(bigen.Bool()))
			}))
		})),
		bigen.Tag("secret", bigen.Struct(func(c *bigen.C, s *corev1.VolumeSource) {
			bigen.At(c, &s.Secret,
				bigen.New(func(c *bigen.C, m *corev1.SecretVolumeSource) { bigen.At(c, &m.SecretName, name) }))
		})),
		bigen.Tag("claim", bigen.Struct(func(c *bigen.C, s *corev1.VolumeSource) {
			bigen.At(c, &s.PersistentVolumeClaim,
				bigen.New(func(c *bigen.C, p *corev1.PersistentVolumeClaimVolumeSource) {
					bigen.At(c, &p.ClaimName, name)
					bigen.At(c, &p.ReadOnly, bigen.Bool())
				}))
		})))
	return bigen.Struct(func(c *bigen.C, v *corev1.Volume) {
		bigen.At(c, &v.Name, name)
		bigen.At(c, &v.VolumeSource, source)
	})
}

// genContainer makes containers that mount some of the volumes. Init containers have no probes.
func genContainer(
	name bigen.Gen[string], volumes []corev1.Volume, probed bool,
) bigen.Gen[corev1.Container] {
	var (
		image = bigen.Matching(
			`([a-z]{1,6}\.[a-z]{2,3}/)?[a-z]{1,8}(:[a-z0-9]{1,6}|@sha256:[0-9a-f]{64})?`)
		words = bigen.SliceOf(bigen.String(12), 0, 3)
		ports = bigen.DistinctBy(genPort(),
			func(p corev1.ContainerPort) string { return p.Name }, 0, 3)
		env  = bigen.DistinctBy(genEnv(), func(e corev1.EnvVar) string { return e.Name }, 0, 4)
		pull = bigen.OneOf(corev1.PullPolicy(""), corev1.PullAlways, corev1.PullIfNotPresent,
			corev1.PullNever)
		message = bigen.OneOf(corev1.TerminationMessagePolicy(""),
			corev1.TerminationMessageReadFile, corev1.TerminationMessageFallbackToLogsOnError)
		probe    = bigen.Ptr(genProbe())
		security = bigen.Ptr(genSecurity())
	)
	return bigen.Struct(func(c *bigen.C, x *corev1.Container) {
		bigen.At(c, &x.Name, name)
		bigen.At(c, &x.Image, image)
		bigen.At(c, &x.Command, words)
		bigen.At(c, &x.Args, words)
		bigen.At(c, &x.Ports, ports)
		bigen.At(c, &x.Env, env)
		bigen.At(c, &x.Resources, genResources())
		if len(volumes) > 0 {
			var names []string
			for _, v := range volumes {
				names = append(names, v.Name)
			}
			bigen.At(c, &x.VolumeMounts,
				bigen.DistinctBy(genMount(names),
					func(m corev1.VolumeMount) string { return m.MountPath }, 0, 3))
		}
		if probed {
			bigen.At(c, &x.LivenessProbe, probe)
			bigen.At(c, &x.ReadinessProbe, probe)
		}
		bigen.At(c, &x.TerminationMessagePolicy, message)
		bigen.At(c, &x.ImagePullPolicy, pull)
		bigen.At(c, &x.SecurityContext, security)
		bigen.At(c, &x.TTY, bigen.Bool())
	})
}

func genMount(volumes []string) bigen.Gen[corev1.VolumeMount] {
	path := bigen.Matching(`(/[a-z]{1,6}){1,3}`)
	return bigen.Struct(func(c *bigen.C, m *corev1.VolumeMount) {
		bigen.At(c, &m.Name, bigen.OneOf(volumes...))
		bigen.At(c, &m.MountPath, path)
		bigen.At(c, &m.ReadOnly, bigen.Bool())
		bigen.At(c, &m.SubPath, bigen.Matching(`([a-z]{1,5}(/[a-z]{1,5})?)?`))
	})
}

func genPort() bigen.Gen[corev1.ContainerPort] {
	return bigen.Struct(func(c *bigen.C, p *corev1.ContainerPort) {
		bigen.At(c, &p.Name, bigen.Matching(`[a-z]{1,6}(-[a-z]{1,6})?`))
		bigen.At(c, &p.ContainerPort, bigen.IntRange[int32](1, 65535))
		bigen.At(c, &p.Protocol, bigen.OneOf(corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP))
	})
}

func genEnv() bigen.Gen[corev1.EnvVar] {
	return bigen.Struct(func(c *bigen.C, e *corev1.EnvVar) {
		bigen.At(c, &e.Name, bigen.Matching(`[A-Z_][A-Z0-9_]{0,10}`))
		bigen.At(c, &e.Value, bigen.String(20))
	})
}

// genResources makes limits, and requests that are at most as high.
func genResources() bigen.Gen[corev1.ResourceRequirements] {
	name := bigen.OneOf(corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage)
	whole := quantityOf("Mi", "Gi")
	list := bigen.As[corev1.ResourceList](bigen.MapOf(name, whole, 0, 3))
	return bigen.Struct(func(c *bigen.C, r *corev1.ResourceRequirements) {
		bigen.At(c, &r.Limits, list)
		if len(r.Limits) == 0 {
			bigen.At(c, &r.Requests, list)
		}
	})
}

func genProbe() bigen.Gen[corev1.Probe] {
	port := bigen.Iso(bigen.IntRange[int32](1, 65535), intstr.FromInt32,
		func(v intstr.IntOrString) (int32, bool) { return v.IntVal, v.Type == intstr.Int })
	handler := bigen.Pick(
		bigen.Tag("exec", bigen.Struct(func(c *bigen.C, h *corev1.ProbeHandler) {
			bigen.At(c, &h.Exec, bigen.New(func(c *bigen.C, e *corev1.ExecAction) {
				bigen.At(c, &e.Command, bigen.SliceOf(bigen.Matching(`[a-z]{1,6}`), 1, 3))
			}))
		})),
		bigen.Tag("http", bigen.Struct(func(c *bigen.C, h *corev1.ProbeHandler) {
			bigen.At(c, &h.HTTPGet, bigen.New(func(c *bigen.C, g *corev1.HTTPGetAction) {
				bigen.At(c, &g.Path, bigen.Matching(`(/[a-z]{1,6}){1,2}`))
				bigen.At(c, &g.Port, port)
				bigen.At(c, &g.Scheme, bigen.OneOf(corev1.URISchemeHTTP, corev1.URISchemeHTTPS))
			}))
		})),
		bigen.Tag("tcp", bigen.Struct(func(c *bigen.C, h *corev1.ProbeHandler) {
			bigen.At(c, &h.TCPSocket,
				bigen.New(func(c *bigen.C, a *corev1.TCPSocketAction) { bigen.At(c, &a.Port, port) }))
		})))
	return bigen.Struct(func(c *bigen.C, p *corev1.Probe) {
		bigen.At(c, &p.ProbeHandler, handler)
		bigen.At(c, &p.InitialDelaySeconds, bigen.IntRange[int32](0, 300))
		bigen.At(c, &p.TimeoutSeconds, bigen.IntRange[int32](1, 60))
		bigen.At(c, &p.PeriodSeconds, bigen.IntRange[int32](1, 60))
		bigen.At(c, &p.FailureThreshold, bigen.IntRange[int32](1, 10))
	})
}

func genSecurity() bigen.Gen[corev1.SecurityContext] {
	return bigen.Struct(func(c *bigen.C, s *corev1.SecurityContext) {
		bigen.At(c, &s.RunAsUser, bigen.Ptr(bigen.IntRange[int64](0, 65535)))
		bigen.At(c, &s.RunAsGroup, bigen.Ptr(bigen.IntRange[int64](0, 65535)))
		bigen.At(c, &s.RunAsNonRoot, bigen.Ptr(bigen.Bool()))
		bigen.At(c, &s.ReadOnlyRootFilesystem, bigen.Ptr(bigen.Bool()))
		bigen.At(c, &s.AllowPrivilegeEscalation, bigen.Ptr(bigen.Bool()))
	})
}

func genPodSecurity() bigen.Gen[corev1.PodSecurityContext] {
	id := bigen.Ptr(bigen.IntRange[int64](0, 65535))
	return bigen.Struct(func(c *bigen.C, s *corev1.PodSecurityContext) {
		bigen.At(c, &s.RunAsUser, id)
		bigen.At(c, &s.RunAsGroup, id)
		bigen.At(c, &s.RunAsNonRoot, bigen.Ptr(bigen.Bool()))
		bigen.At(c, &s.SupplementalGroups, bigen.SliceOf(bigen.IntRange[int64](0, 65535), 0, 3))
		bigen.At(c, &s.FSGroup, id)
	})
}

func genToleration() bigen.Gen[corev1.Toleration] {
	return bigen.Struct(func(c *bigen.C, t *corev1.Toleration) {
		bigen.At(c, &t.Key, bigen.Matching(`[a-zA-Z]{1,8}`))
		bigen.At(c, &t.Operator, bigen.OneOf(corev1.TolerationOpExists, corev1.TolerationOpEqual))
		if t.Operator == corev1.TolerationOpEqual {
			bigen.At(c, &t.Value, bigen.Matching(`[a-zA-Z0-9]{1,8}`))
		}
		bigen.At(c, &t.Effect,
			bigen.OneOf(corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule,
				corev1.TaintEffectNoExecute))
		if t.Effect == corev1.TaintEffectNoExecute {
			bigen.At(c, &t.TolerationSeconds, bigen.Ptr(bigen.IntRange[int64](0, 3600)))
		}
	})
}
