// Command accept prints which share of generated pods and deployments passes the validation of the
// Kubernetes API server, after its defaults are set, and why others do not:
//
//	go -C contrib/kubernetes/accept run .
//
// It is a module of its own, because it links much of Kubernetes.
package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/apis/apps"
	appsconv "k8s.io/kubernetes/pkg/apis/apps/v1"
	appsvalidation "k8s.io/kubernetes/pkg/apis/apps/validation"
	"k8s.io/kubernetes/pkg/apis/core"
	coreconv "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/apis/core/validation"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/contrib/kubernetes"
)

const values = 2000

func main() {
	genPod := bigen.For[corev1.Pod](kubernetes.Options()...)
	report("pods", func(r *rand.Rand) (field.ErrorList, error) {
		pod := bigen.Sample(genPod, r)
		coreconv.SetObjectDefaults_Pod(&pod)
		var internal core.Pod
		err := coreconv.Convert_v1_Pod_To_core_Pod(&pod, &internal, nil)
		return validation.ValidatePodCreate(&internal, validation.PodValidationOptions{}), err
	})
	genDeployment := bigen.For[appsv1.Deployment](kubernetes.Options()...)
	report("deployments", func(r *rand.Rand) (field.ErrorList, error) {
		d := bigen.Sample(genDeployment, r)
		appsconv.SetObjectDefaults_Deployment(&d)
		var internal apps.Deployment
		err := appsconv.Convert_v1_Deployment_To_apps_Deployment(&d, &internal, nil)
		return appsvalidation.ValidateDeployment(&internal, validation.PodValidationOptions{}), err
	})
}

var indices = regexp.MustCompile(`\[[^\]]*\]`)

func report(name string, check func(r *rand.Rand) (field.ErrorList, error)) {
	r := rand.New(rand.NewPCG(1, 1))
	accepted := 0
	reasons := map[string]int{}
	for range values {
		errs, err := check(r)
		switch {
		case err != nil:
			reasons["conversion: "+err.Error()]++
		case len(errs) == 0:
			accepted++
		default:
			reasons[indices.ReplaceAllString(errs[0].Field, "[]")+": "+string(errs[0].Type)+": "+
				errs[0].Detail]++
		}
	}
	fmt.Printf("%s: %d of %d accepted\n", name, accepted, values)
	var all []string
	for reason := range reasons {
		all = append(all, reason)
	}
	slices.SortFunc(all, func(a, b string) int { return reasons[b] - reasons[a] })
	for _, reason := range all[:min(15, len(all))] {
		fmt.Printf("\t%d\t%s\n", reasons[reason], reason)
	}
}
