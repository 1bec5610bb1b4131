import type { Texts } from '../../texts'
import type { metrics as english } from '../../en/cloud/metrics'

export const metrics: Texts<typeof english> = {
  'metrics.title': 'Metriken',
  'metrics.since': 'Zeitraum',
  'metrics.hour': 'Die letzte Stunde',
  'metrics.hours': 'Die letzten 3 Stunden',
  'metrics.day': 'Der letzte Tag',
  'metrics.week': 'Die letzten 7 Tage',
  'metrics.range': '{since} bis {until}, ein Punkt je {minutes} min · {region} · {account}',
  'metrics.sum': 'Summe',
  'metrics.average': 'Mittel',
  'metrics.max': 'Höchstwert',
  'metrics.last': 'Zuletzt',
  'metrics.values': 'Werte von {name}',
  'metrics.time': 'Zeit',
  'metrics.value': 'Wert',
  'metric.cpu': 'CPU',
  'metric.memory': 'Speicher',
  'metric.requests': 'Anfragen',
  'metric.responses_5xx': 'Antworten mit 5xx',
  'metric.errors': 'Fehler',
  'metric.latency_p50': 'Antwortzeit, Median',
  'metric.latency_p95': 'Antwortzeit, 95. Perzentil',
  'metric.invocations': 'Aufrufe',
  'metric.throttles': 'Drosselungen',
  'metric.duration_p50': 'Dauer, Median',
  'metric.duration_p95': 'Dauer, 95. Perzentil'
}
