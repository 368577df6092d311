"""Renders the chart with Helm's own engine and checks the manifests. Argument: the folder of the chart."""

import sys

import helm_python as helm
import kubernetes_validate as kubernetes
import yaml

VERSION = "1.33"
# Kinds of others, whose schemas are not Kubernetes'.
FOREIGN = {"ServiceMonitor"}
SECRET = {"existingSecret": "formwork"}
SHARED = {**SECRET, "replicas": 3, "blobs": "s3://files/formwork", "persistence": {"enabled": False}}

chart = helm.Chart.load(sys.argv[1])


def manifests(values):
    files = chart.render(values, name="trial", namespace="trial")
    texts = (text for path, text in files.items() if not path.endswith("NOTES.txt"))
    found = [document for text in texts for document in yaml.safe_load_all(text) if document]
    for document in found:
        if document["kind"] not in FOREIGN:
            kubernetes.validate(document, VERSION, strict=True)
    return {f'{document["kind"]}/{document["metadata"]["name"]}': document for document in found}


def refused(values, word):
    try:
        chart.render(values, name="trial", namespace="trial")
    except helm.HelmError as error:
        assert word in str(error), f"{values}: {error}"
    else:
        raise AssertionError(f"{values} were accepted")


def check(values):
    found = manifests(values)
    deployment = found["Deployment/trial-formwork"]["spec"]
    pod = deployment["template"]["spec"]
    container = pod["containers"][0]
    environment = {entry["name"]: entry["value"] for entry in container["env"]}
    drain = int(environment["FORMWORK_LIMITS__DRAIN_SECONDS"])
    pause = container["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert pod["terminationGracePeriodSeconds"] > drain + pause
    assert container["livenessProbe"]["httpGet"]["path"] == "/health"
    assert container["startupProbe"]["httpGet"]["path"] == "/health"
    assert container["readinessProbe"]["httpGet"]["path"] == "/ready"
    assert pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["runAsUser"] > 0
    assert pod["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault"
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert deployment["selector"]["matchLabels"].items() <= deployment["template"]["metadata"]["labels"].items()
    return found, deployment


findings = helm.lint(sys.argv[1])["messages"]
# Severity 1 is information.
assert all(finding["severity"] <= 1 for finding in findings), findings

found, deployment = check({})
assert deployment["strategy"] == {"type": "Recreate"} and deployment["replicas"] == 1
assert "PersistentVolumeClaim/trial-formwork" in found
assert "PodDisruptionBudget/trial-formwork" not in found

found, deployment = check(SHARED)
assert deployment["strategy"]["rollingUpdate"] == {"maxSurge": 1, "maxUnavailable": 0}
assert "PersistentVolumeClaim/trial-formwork" not in found
assert "PodDisruptionBudget/trial-formwork" in found
assert deployment["template"]["spec"]["containers"][0]["envFrom"] == [{"secretRef": {"name": "formwork"}}]

check({"drainSeconds": 600, "settings": "[workers]\nhttp_threads = 2\n", "publicUrl": "https://formwork.example.com"})
found, _ = check({"metrics": {"enabled": True, "serviceMonitor": {"enabled": True}}, "ingress": {"enabled": True}})
assert {"ServiceMonitor/trial-formwork", "Service/trial-formwork-metrics", "Ingress/trial-formwork"} <= found.keys()
# The metrics need no key.
assert [port["name"] for port in found["Service/trial-formwork"]["spec"]["ports"]] == ["http"]

refused({"replicas": 2}, "share no volume")
refused({**SECRET, "persistence": {"enabled": False}}, "need a bucket")
refused({"blobs": "s3://files", "persistence": {"enabled": False}}, "needs PostgreSQL")
refused({"replicas": "two"}, "integer")
refused({"unknown": True}, "unknown")
print("the chart renders, its manifests are valid, and values that lose data are refused")
