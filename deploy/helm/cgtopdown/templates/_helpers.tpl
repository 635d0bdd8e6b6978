{{/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */}}
{{/* _helpers.tpl - names and labels that several objects share. */}}
{{- define "cgtopdown.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "cgtopdown.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else if contains (include "cgtopdown.name" .) .Release.Name }}
{{- .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "cgtopdown.name" .) | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "cgtopdown.selector" -}}
app.kubernetes.io/name: {{ include "cgtopdown.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "cgtopdown.labels" -}}
{{ include "cgtopdown.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "cgtopdown.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- with .Values.image.digest }}@{{ . }}{{ end }}
{{- end }}

{{- /* Kubernetes is told of tags. */ -}}
{{- define "cgtopdown.events" -}}
{{- if index .Values.config "kubernetes-events" }}true{{ end }}
{{- end }}

{{- /* Something is asked for that takes a ServiceAccount's token. */ -}}
{{- define "cgtopdown.asks" -}}
{{- if or .Values.kubelet.enabled (include "cgtopdown.events" .) }}true{{ end }}
{{- end }}
