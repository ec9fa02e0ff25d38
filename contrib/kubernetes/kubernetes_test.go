package kubernetes_test

import (
	"encoding/json"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/contrib/kubernetes"
	"github.com/espalier-go/espalier/fuzzext"
)

var genPod = bigen.For[corev1.Pod](kubernetes.Options()...)

func TestLaws(t *testing.T) {
	bigentest.Laws(t, kubernetes.Quantity(), bigentest.Runs(100))
	bigentest.Laws(t, kubernetes.Time(), bigentest.Runs(100))
	bigentest.Laws(t, genPod, bigentest.Runs(10))
	bigentest.Laws(t, bigen.For[appsv1.Deployment](kubernetes.Options()...), bigentest.Runs(10))
}

func TestPodJSON(t *testing.T) {
	fuzzext.Check(t, genPod, func(t *fuzzext.T, pod corev1.Pod) {
		text, err := json.Marshal(pod)
		if err != nil {
			t.Fatal(err)
		}
		var again corev1.Pod
		if err := json.Unmarshal(text, &again); err != nil {
			t.Fatal(err)
		}
		if !equality.Semantic.DeepEqual(again, pod) {
			fuzzext.Equal(t, again, pod)
		}
	}, fuzzext.Checks(200))
}
