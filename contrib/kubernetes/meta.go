// Package kubernetes has options by which bigen.For derives generators of Kubernetes objects
// that an API server accepts:
//
//	var genPod = bigen.For[corev1.Pod](kubernetes.Options()...)
//
// The program in accept prints the share that the validation of the API server accepts: of
// version 1.36, 2000 of 2000 pods and 2000 of 2000 deployments.
//
// It is a module of its own, because the types of Kubernetes have many dependencies.
package kubernetes

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/espalier-go/espalier/bigen"
)

// Options returns options for names, labels, quantities, times, selectors, metadata, pods, pod
// templates and deployments. A part of an object that is not listed here is derived from its type
// alone, which an API server seldom accepts. Give such a part a generator by another option, or
// leave it out.
//
// Options makes the fields that most pods have: volumes and their mounts, containers with ports,
// variables, resources, probes and security, init containers, tolerations, node selectors, names,
// policies and times. Other fields and statuses are zero.
func Options() []bigen.Option {
	return append([]bigen.Option{
		bigen.With(Quantity()),
		bigen.With(genIntOrString()),
		bigen.With(Time()),
		bigen.With(genObjectMeta()),
		bigen.With(genSelector()),
		bigen.With(bigen.Just(metav1.TypeMeta{})),
		bigen.With(bigen.Just(metav1.ListMeta{})),
	}, podOptions()...)
}

// Label makes names of the kind of DNS labels, as containers and volumes have.
func Label() bigen.Gen[string] { return bigen.Matching(`[a-z]([a-z0-9-]{0,8}[a-z0-9])?`) }

// Subdomain makes names of the kind of DNS subdomains, as objects have.
func Subdomain() bigen.Gen[string] {
	return bigen.Matching(
		`[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,5}[a-z0-9])?){0,2}`)
}

// Labels makes labels: maps from qualified names to values.
func Labels() bigen.Gen[map[string]string] {
	return bigen.MapOf(
		bigen.Matching(`([a-z0-9]{1,8}(\.[a-z]{2,5})?/)?[a-zA-Z0-9]([a-zA-Z0-9._-]{0,8}[a-zA-Z0-9])?`),
		bigen.Matching(`([a-zA-Z0-9]([a-zA-Z0-9._-]{0,8}[a-zA-Z0-9])?)?`), 0, 4)
}

// Quantity makes quantities from 1 to 999, with and without a suffix, such as 250m, 3 and 64Mi.
func Quantity() bigen.Gen[resource.Quantity] {
	return quantityOf("", "m", "k", "M", "Ki", "Mi", "Gi")
}

func quantityOf(suffixes ...string) bigen.Gen[resource.Quantity] {
	type parts struct {
		N      int
		Suffix string
	}
	g := bigen.Struct(func(c *bigen.C, p *parts) {
		bigen.At(c, &p.N, bigen.IntRange(1, 999))
		bigen.At(c, &p.Suffix, bigen.OneOf(suffixes...))
	})
	return bigen.Iso(g, func(p parts) resource.Quantity {
		return resource.MustParse(fmt.Sprint(p.N, p.Suffix))
	},
		func(q resource.Quantity) (p parts, ok bool) {
			_, err := fmt.Sscanf(q.String(), "%d%s", &p.N, &p.Suffix)
			return p, err == nil || p.Suffix == ""
		})
}

// Time makes times of whole seconds, which is what a JSON text of an object keeps.
func Time() bigen.Gen[metav1.Time] {
	seconds := bigen.IntRange[int64](0, time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC).Unix())
	return bigen.Iso(seconds, func(s int64) metav1.Time { return metav1.Unix(s, 0) },
		func(t metav1.Time) (int64, bool) { return t.Unix(), true })
}

func genIntOrString() bigen.Gen[intstr.IntOrString] {
	return bigen.Pick(
		bigen.Tag("number", bigen.Iso(bigen.IntRange[int32](1, 65535), intstr.FromInt32,
			func(v intstr.IntOrString) (int32, bool) { return v.IntVal, v.Type == intstr.Int })),
		bigen.Tag("share",
			bigen.Iso(bigen.IntRange(0, 100),
				func(n int) intstr.IntOrString { return intstr.FromString(fmt.Sprint(n, "%")) },
				func(v intstr.IntOrString) (n int, ok bool) {
					_, err := fmt.Sscanf(v.StrVal, "%d%%", &n)
					return n, err == nil && v.Type == intstr.String
				})))
}

func genObjectMeta() bigen.Gen[metav1.ObjectMeta] {
	name, label, labels := Subdomain(), Label(), Labels()
	annotations := bigen.MapOf(bigen.Matching(`[a-zA-Z0-9]([a-zA-Z0-9._-]{0,8}[a-zA-Z0-9])?`),
		bigen.String(20), 0, 3)
	return bigen.Struct(func(c *bigen.C, m *metav1.ObjectMeta) {
		bigen.At(c, &m.Name, name)
		bigen.At(c, &m.Namespace, label)
		bigen.At(c, &m.Labels, labels)
		bigen.At(c, &m.Annotations, annotations)
	})
}

func genSelector() bigen.Gen[metav1.LabelSelector] {
	labels, key := Labels(), bigen.Matching(`[a-zA-Z]{1,6}`)
	operator := bigen.OneOf(metav1.LabelSelectorOpExists, metav1.LabelSelectorOpDoesNotExist,
		metav1.LabelSelectorOpIn, metav1.LabelSelectorOpNotIn)
	value := bigen.Matching(`[a-zA-Z0-9]{1,6}`)
	requirement := bigen.Struct(func(c *bigen.C, r *metav1.LabelSelectorRequirement) {
		bigen.At(c, &r.Key, key)
		bigen.At(c, &r.Operator, operator)
		if r.Operator == metav1.LabelSelectorOpIn || r.Operator == metav1.LabelSelectorOpNotIn {
			bigen.At(c, &r.Values, bigen.SliceOf(value, 1, 3))
		}
	})
	requirements := bigen.SliceOf(requirement, 0, 2)
	return bigen.Struct(func(c *bigen.C, s *metav1.LabelSelector) {
		bigen.At(c, &s.MatchLabels, labels)
		bigen.At(c, &s.MatchExpressions, requirements)
	})
}
