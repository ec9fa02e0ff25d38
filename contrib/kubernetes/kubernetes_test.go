package kubernetes_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/contrib/kubernetes"
)

var genPod = bigen.For[corev1.Pod](kubernetes.Options()...)

func TestLaws(t *testing.T) {
	bigentest.Laws(t, kubernetes.Quantity(), bigentest.Runs(100))
	bigentest.Laws(t, kubernetes.Time(), bigentest.Runs(100))
	bigentest.Laws(t, genPod, bigentest.Runs(10))
	bigentest.Laws(t, bigen.For[appsv1.Deployment](kubernetes.Options()...), bigentest.Runs(10))
}
