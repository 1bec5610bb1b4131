/** Payloads as the products' documents and releases show them. */

const started = '2026-11-23T08:15:30.123Z'

/** Alertmanager's webhook, version 4. */
export const alertmanager = (status: 'firing' | 'resolved', fingerprints: readonly string[], startsAt = started,
  endsAt = '2026-11-23T08:30:00Z') =>
  JSON.stringify({
    receiver: 'steward',
    status,
    alerts: fingerprints.map((fingerprint) => ({
      status,
      labels: { alertname: 'KubePodCrashLooping', instance: `10.0.0.7:${fingerprint.length}`, severity: 'critical' },
      annotations: { summary: 'A task restarts again and again', description: '5 restarts in 10 minutes' },
      startsAt,
      endsAt: status === 'firing' ? '0001-01-01T00:00:00Z' : endsAt,
      generatorURL: 'http://prometheus:9090/graph?g0.expr=up+%3D%3D+0&g0.tab=1',
      fingerprint
    })),
    groupLabels: { alertname: 'KubePodCrashLooping' },
    commonLabels: { alertname: 'KubePodCrashLooping', severity: 'critical' },
    commonAnnotations: { summary: 'A task restarts again and again' },
    externalURL: 'http://alertmanager:9093',
    version: '4',
    groupKey: '{}:{alertname="KubePodCrashLooping"}',
    truncatedAlerts: 0
  })

/** Grafana's webhook notifier, which adds to Alertmanager's form. */
export const grafana = (status: 'firing' | 'resolved', fingerprint: string) => JSON.stringify({
  receiver: 'My Super Webhook',
  status,
  orgId: 1,
  alerts: [{
    status,
    labels: { alertname: 'High memory usage', team: 'blue', zone: 'us-1' },
    annotations: { description: 'The system has high memory usage', summary: 'This alert was triggered for zone us-1' },
    startsAt: '2021-10-12T09:51:03.157076+02:00',
    endsAt: '0001-01-01T00:00:00Z',
    generatorURL: 'https://play.grafana.org/alerting/1afz29v7z/edit',
    fingerprint,
    silenceURL: 'https://play.grafana.org/alerting/silence/new?alertmanager=grafana',
    dashboardURL: '',
    panelURL: '',
    values: { B: 44.23943737541908, C: 1 }
  }],
  groupLabels: {},
  commonLabels: { team: 'blue' },
  commonAnnotations: {},
  externalURL: 'https://play.grafana.org/',
  version: '1',
  groupKey: '{}:{}',
  truncatedAlerts: 0,
  title: '[FIRING:1]  (blue)',
  state: 'alerting',
  message: '**Firing**'
})

/** PagerDuty's webhooks v3. */
export const pagerDuty = (event_type: string, incident: string, occurred_at = '2026-05-20T14:00:00.000Z') =>
  JSON.stringify({
    event: {
      id: '5ac64822-4adc-4fda-ade0-410becf0de4f',
      event_type,
      resource_type: 'incident',
      occurred_at,
      agent: { html_url: 'https://acme.pagerduty.com/users/PXPGF42', id: 'PXPGF42', type: 'user_reference' },
      client: { name: 'PagerDuty' },
      data: {
        id: incident,
        type: 'incident',
        html_url: `https://acme.pagerduty.com/incidents/${incident}`,
        number: 1234,
        status: 'triggered',
        incident_key: 'baf7cf21b1da41b4b0221008339ff357',
        created_at: '2026-05-20T14:00:00.000Z',
        title: 'A little bump in the road',
        service: { id: 'PF9KMXH', summary: 'API Service', type: 'service_reference' },
        urgency: 'high'
      }
    }
  })

/** What an alarm of CloudWatch sends to its topic. */
export const alarm = (NewStateValue: 'ALARM' | 'OK' | 'INSUFFICIENT_DATA', StateChangeTime: string) => JSON.stringify({
  AlarmName: 'checkout-api-5xx',
  AlarmDescription: 'More than 5 % of answers are errors',
  AWSAccountId: '123456789012',
  AlarmConfigurationUpdatedTimestamp: '2026-10-01T10:00:00.000+0000',
  NewStateValue,
  NewStateReason: 'Threshold Crossed: 1 datapoint [7.3 (23/11/26 08:14:00)] was greater than the threshold (5.0).',
  StateChangeTime,
  Region: 'US West (Oregon)',
  AlarmArn: 'arn:aws:cloudwatch:us-west-2:123456789012:alarm:checkout-api-5xx',
  OldStateValue: 'OK',
  OKActions: [],
  AlarmActions: ['arn:aws:sns:us-west-2:123456789012:MyTopic'],
  Trigger: { MetricName: 'HTTPCode_Target_5XX_Count', Namespace: 'AWS/ApplicationELB', Period: 60, Threshold: 5.0 }
})
