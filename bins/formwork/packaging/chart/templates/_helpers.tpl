{{- define "formwork.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "formwork.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "formwork.labels" -}}
{{ include "formwork.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* What would lose data or not start is refused before anything is installed. */}}
{{- define "formwork.check" -}}
{{- if gt (int .Values.replicas) 1 -}}
{{- if .Values.persistence.enabled -}}
{{- fail "several replicas share no volume: set persistence.enabled=false, and keep the data in PostgreSQL and a bucket" -}}
{{- end -}}
{{- end -}}
{{- if not .Values.persistence.enabled -}}
{{- if not .Values.blobs -}}
{{- fail "without a volume the contents of files need a bucket: blobs=s3://bucket/prefix" -}}
{{- end -}}
{{- if not (or .Values.existingSecret .Values.env) -}}
{{- fail "without a volume the data needs PostgreSQL: FORMWORK_DATABASE_URL in existingSecret or env" -}}
{{- end -}}
{{- end -}}
{{- end -}}
