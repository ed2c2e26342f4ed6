#!/bin/sh
# @opentelemetry/exporter-prometheus 0.301.0 with sdk-metrics 3.1.1 (npm): the unit of an instrument is not part of the metric's name.
#
# Guess: a histogram `http.server.request.duration` with the unit `s` is exported as `http_server_request_duration_seconds`, as the
# specification of OpenTelemetry for Prometheus asks for by default: exporters add the unit as a suffix, `By` as `_bytes`, `s` as
# `_seconds`. `_total` of counters, from the same part of the specification, is added. (Issue 3466 of opentelemetry-js asked for it.)
# Seen (29 November 2026): no suffix, with the defaults; the options of the exporter have none for it. The unit is in a comment, which
# Prometheus does not read. Dashboards and alerts for servers in other languages, which ask for `…_duration_seconds`, find nothing.
#
#   # UNIT http_server_request_duration s
#   http_server_request_duration_count 1
#   # UNIT process_network_total By
#   process_network_total 7
#
# Needs node (20 or newer) and npm. Ends with 1 if the behaviour is another one.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact \
  '@opentelemetry/api@1.10.0' '@opentelemetry/exporter-prometheus@0.301.0' '@opentelemetry/sdk-metrics@3.1.1'

cat > run.js <<'JS'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'

const exporter = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true })
const meter = new MeterProvider({ readers: [exporter] }).getMeter('finding')
meter.createHistogram('http.server.request.duration', { unit: 's' }).record(0.03)
meter.createCounter('process.network', { unit: 'By' }).add(7)

const server = createServer((request, response) => exporter.getMetricsRequestHandler(request, response))
await once(server.listen(0, '127.0.0.1'), 'listening')
const response = await fetch(`http://127.0.0.1:${server.address().port}/metrics`)
const lines = (await response.text()).split('\n')
console.log(lines.filter((line) => /^(# UNIT )?(http|process)_\w*(_count|_total|duration) /.test(line)).join('\n'))
server.close()
JS

output=$(node run.js)
echo "$output"
expected='# UNIT http_server_request_duration s
http_server_request_duration_count 1
# UNIT process_network_total By
process_network_total 7'
[ "$output" = "$expected" ] || { echo "another behaviour than the one that was seen" >&2; exit 1; }
