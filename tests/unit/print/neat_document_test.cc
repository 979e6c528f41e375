// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/object_document.h"

#include <doctest/doctest.h>

namespace kinf {
namespace {

TEST_CASE("a neat document lacks the status and what the server writes into the metadata") {
  CHECK(neat_document(R"({"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "1e2", "b": ""},
      "metadata": {"name": "c", "namespace": "n", "uid": "u", "resourceVersion": "7",
        "generation": 2, "creationTimestamp": "2026-11-21T10:14:00Z", "selfLink": "/x",
        "managedFields": [{"manager": "m"}], "labels": {"uid": "kept"}, "annotations":
        {"kubectl.kubernetes.io/last-applied-configuration": "{}"}},
      "status": {"x": 1}})") ==
        R"({"apiVersion":"v1","kind":"ConfigMap","data":{"a":"1e2","b":""},)"
        R"("metadata":{"name":"c","namespace":"n","labels":{"uid":"kept"}}})");
}

TEST_CASE("values that are not those of the server stay") {
  for (const std::string_view document :
       {R"({"apiVersion":"v1","kind":"Pod","metadata":{"annotations":{}},"spec":{"nodeName":"n",)"
        R"("restartPolicy":"Never","containers":[{"image":"a@sha256:1","imagePullPolicy":"Always",)"
        R"("ports":[]}],"volumes":[{"name":"v","emptyDir":{}}],"priority":0}})",
        R"({"apiVersion":"example.com/v1","kind":"Deployment","spec":{"revisionHistoryLimit":10}})",
        R"({"apiVersion":"apps/v1","kind":"Deployment","spec":{"strategy":{"type":"Recreate"}}})",
        R"({"apiVersion":"v1","kind":"Service","spec":{"clusterIP":"None","type":"NodePort"}})",
        R"({"kind":"Widget","spec":{"restartPolicy":"Always","resources":{}}})",
        R"([{"status":1}])", R"({"status":)", ""}) {
    CHECK(neat_document(document) == document);
  }
}

TEST_CASE("a neat Deployment lacks the defaults of its template and strategy") {
  CHECK(neat_document(R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},
      "spec":{"replicas":1,"progressDeadlineSeconds":600,"revisionHistoryLimit":10,
        "strategy":{"type":"RollingUpdate",
          "rollingUpdate":{"maxSurge":"25%","maxUnavailable":"25%"}},
        "template":{"metadata":{"creationTimestamp":null,"labels":{"app":"web"}},
          "spec":{"restartPolicy":"Always","dnsPolicy":"ClusterFirst","securityContext":{ },
            "schedulerName":"default-scheduler","terminationGracePeriodSeconds":30,
            "volumes":[{"name":"c","configMap":{"name":"c","defaultMode":420}}],
            "containers":[
              {"name":"a","image":"host:5000/a","imagePullPolicy":"Always","resources":{},
               "terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",
               "ports":[{"containerPort":80,"protocol":"TCP"}],
               "livenessProbe":{"httpGet":{"path":"/","port":80,"scheme":"HTTP"},
                 "timeoutSeconds":1,"periodSeconds":5,"successThreshold":1,"failureThreshold":3}},
              {"name":"b","image":"b:2","imagePullPolicy":"IfNotPresent"}]}}}})") ==
        R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},)"
        R"("spec":{"replicas":1,"template":{"metadata":{"labels":{"app":"web"}},)"
        R"("spec":{"volumes":[{"name":"c","configMap":{"name":"c"}}],"containers":[)"
        R"({"name":"a","image":"host:5000/a","ports":[{"containerPort":80}],)"
        R"("livenessProbe":{"httpGet":{"path":"/","port":80},"periodSeconds":5}},)"
        R"({"name":"b","image":"b:2"}]}}}})");
  // A strategy keeps the part that is no default.
  CHECK(neat_document(R"({"apiVersion":"apps/v1","kind":"Deployment","spec":{"strategy":
      {"type":"RollingUpdate","rollingUpdate":{"maxSurge":"50%","maxUnavailable":"25%"}}}})") ==
        R"({"apiVersion":"apps/v1","kind":"Deployment",)"
        R"("spec":{"strategy":{"rollingUpdate":{"maxSurge":"50%"}}}})");
}

TEST_CASE("a neat Pod lacks the token, the account and the tolerations that every pod gets") {
  CHECK(neat_document(R"({"apiVersion":"v1","kind":"Pod","spec":{
      "serviceAccount":"default","serviceAccountName":"default","enableServiceLinks":true,
      "volumes":[{"name":"kube-api-access-x7z","projected":{"defaultMode":420,"sources":[]}}],
      "containers":[{"name":"a","image":"a:latest","imagePullPolicy":"Always","volumeMounts":
        [{"name":"kube-api-access-x7z","mountPath":"/var/run/secrets"}]}],
      "tolerations":[
        {"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute",
         "tolerationSeconds":300},
        {"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute",
         "tolerationSeconds":60}]}})") ==
        R"({"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":"a","image":"a:latest"}],)"
        R"("tolerations":[{"key":"node.kubernetes.io/unreachable","operator":"Exists",)"
        R"("effect":"NoExecute","tolerationSeconds":60}]}})");
}

TEST_CASE("a neat Service, StatefulSet, DaemonSet and CronJob lack the defaults of their types") {
  CHECK(neat_document(R"({"apiVersion":"v1","kind":"Service","spec":{"type":"ClusterIP",
      "sessionAffinity":"None","internalTrafficPolicy":"Cluster","clusterIP":"10.0.0.1",
      "ports":[{"port":80,"targetPort":80,"protocol":"TCP"},{"port":81,"targetPort":"x"}]}})") ==
        R"({"apiVersion":"v1","kind":"Service","spec":{"clusterIP":"10.0.0.1",)"
        R"("ports":[{"port":80},{"port":81,"targetPort":"x"}]}})");
  CHECK(neat_document(R"({"apiVersion":"apps/v1","kind":"StatefulSet","spec":{"serviceName":"s",
      "podManagementPolicy":"OrderedReady","updateStrategy":{"type":"RollingUpdate",
      "rollingUpdate":{"partition":0}},"persistentVolumeClaimRetentionPolicy":
      {"whenDeleted":"Retain","whenScaled":"Retain"}}})") ==
        R"({"apiVersion":"apps/v1","kind":"StatefulSet","spec":{"serviceName":"s"}})");
  CHECK(neat_document(R"({"apiVersion":"apps/v1","kind":"DaemonSet","spec":{"updateStrategy":
      {"type":"RollingUpdate","rollingUpdate":{"maxSurge":0,"maxUnavailable":2}}}})") ==
        R"({"apiVersion":"apps/v1","kind":"DaemonSet",)"
        R"("spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":2}}}})");
  CHECK(neat_document(R"({"apiVersion":"batch/v1","kind":"CronJob","spec":{"suspend":false,
      "concurrencyPolicy":"Allow","jobTemplate":{"metadata":{"creationTimestamp":null,"name":"j"},
      "spec":{"template":{"spec":{"dnsPolicy":"ClusterFirst","restartPolicy":"Never"}}}}}})") ==
        R"({"apiVersion":"batch/v1","kind":"CronJob","spec":{"jobTemplate":{)"
        R"("metadata":{"name":"j"},"spec":{"template":{"spec":{"restartPolicy":"Never"}}}}}})");
}

}  // namespace
}  // namespace kinf
