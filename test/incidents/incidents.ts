/** How the AWS sandbox gets into the state of the incident. */
export type Step =
  | { deploy: [service: string, image: string] }
  | { scale: [service: string, count: number] }
  | { invoke: string }
  | { deny: string[] }
  | { fault: Record<string, unknown> }
  | { advance: number }

/** Reads a value of the results, by its path: `0.health` is in the first one. */
export type Find = (path: string) => string

export interface Incident {
  name: string
  source: 'alertmanager' | 'grafana' | 'pagerduty' | 'generic' | 'sns'
  steps?: Step[]
  reads: [tool: string, input: object][]
  /** Sentences that the results carry. */
  report: (find: Find) => string[]
  /** A sentence with one wrong number or name, and that. */
  planted: [sentence: string, missing: string]
  /** What the run proposes: it waits, and lapses when the alert is resolved. */
  proposes?: [tool: string, input: object]
}

const ecr = '123456789012.dkr.ecr.eu-west-1.amazonaws.com'
const minute = 60_000
const service = (name: string): [string, object] => ['getService', { service: name }]
const fn = (name: string): [string, object] => ['getFunction', { name }]
const fnLogs = (name: string): [string, object] => ['getFunctionLogs', { name }]
const logs = (name: string, more: object = {}): [string, object] => ['getServiceLogs', { service: name, ...more }]
const running = (find: Find) =>
  `\`${find('0.name')}\` runs ${find('0.running_count')} of ${find('0.desired_count')} tasks [call:1.1].`
const image = (find: Find) => `It has the image \`${find('0.images.0.image')}\` [call:1.1].`
const why = (find: Find) => `The state is "${find('0.health')}", as ECS has it [call:1.1].`

/** Those whose failures Steward remembers for a while come last. */
export const incidents: Incident[] = [
  {
    name: 'a crash loop',
    source: 'alertmanager',
    reads: [service('worker'), logs('worker', { limit: 3 })],
    report: (find) => [running(find), image(find),
      `${find('0.deployments.0.failed')} tasks of \`${find('0.deployments.0.id')}\` failed [call:1.1].`,
      `The log has \`${find('1.items.0.message')}\` [call:1.2].`],
    planted: ['It has failed 47 times [call:1.1].', '47'],
    proposes: ['deployService', { service: 'worker', task_definition: 'worker:1' }]
  },
  {
    name: 'an image that cannot be pulled',
    source: 'grafana',
    steps: [{ deploy: ['search', `${ecr}/search:0.9-nopull`] }, { advance: 5 * minute }],
    reads: [service('search')],
    report: (find) => [running(find), why(find),
      `The newest rollout is ${find('0.deployments.0.rollout_state')} [call:1.1].`],
    planted: ['It should run `search:0.9.1` [call:1.1].', 'search:0.9.1']
  },
  {
    name: 'tasks that are killed for want of memory',
    source: 'pagerduty',
    steps: [{ deploy: ['search', `${ecr}/search:1.0-oom`] }, { advance: 10 * minute }],
    reads: [service('search'), ['listServiceDeployments', { service: 'search' }]],
    report: (find) => [running(find), `The event is \`${find('0.events.0.message')}\` [call:1.1].`],
    planted: ['It ended with code 139 [call:1.1][call:1.2].', '139']
  },
  {
    name: 'health checks that fail',
    source: 'sns',
    steps: [{ deploy: ['web', `${ecr}/web:2.5-unhealthy`] }, { advance: 8 * minute }],
    reads: [service('web')],
    report: (find) => [running(find), `Its breaker is enabled: \`${find('0.circuit_breaker.enabled')}\` [call:1.1].`],
    planted: ['`web-canary` is down [call:1.1].', 'web-canary']
  },
  {
    name: 'a deployment that was rolled back',
    source: 'generic',
    steps: [{ deploy: ['web', `${ecr}/web:3.0-crash`] }, { advance: 60 * minute }],
    reads: [service('web'), ['listServiceDeployments', { service: 'web' }]],
    report: (find) => [running(find), image(find),
      `There are ${find('0.deployments.length')} deployments [call:1.1].`],
    planted: ['It was rolled back 9 times [call:1.1].', '9']
  },
  {
    name: 'a rollout that goes round and round',
    source: 'alertmanager',
    steps: [{ deploy: ['api', `${ecr}/api:1.11-crashloop`] }, { advance: 15 * minute }],
    reads: [service('api')],
    report: (find) => [running(find), image(find)],
    planted: ['The task definition is `api:77` [call:1.1].', 'api:77']
  },
  {
    name: 'tasks that come up slowly',
    source: 'grafana',
    steps: [{ deploy: ['api', `${ecr}/api:1.12-slow`] }, { advance: 10_000 }],
    reads: [service('api')],
    report: (find) => [running(find), `${find('0.pending_count')} tasks are pending [call:1.1].`],
    planted: ['They take 94 s to start [call:1.1].', '94']
  },
  {
    name: 'connections that are exhausted',
    source: 'pagerduty',
    reads: [logs('worker'), logs('api', { limit: 5 })],
    report: (find) => [
      `The worker logs \`${find('0.items.0.message')}\` in \`${find('0.items.0.group')}\` [call:1.1].`
    ],
    planted: ['`10.0.12.8:5432` refuses connections [call:1.1].', '10.0.12.8:5432']
  },
  {
    name: 'a concurrency limit of zero',
    source: 'generic',
    steps: [{ invoke: 'paused-import' }],
    reads: [fn('paused-import'), fnLogs('paused-import')],
    report: (find) => [`\`${find('0.name')}\` says: \`${find('0.description')}\` [call:1.1].`,
      `Its log group is ${find('1.sources.0.status')} [call:1.2].`],
    planted: ['Its reserved concurrency is 25 [call:1.1].', '25'],
    proposes: ['scaleService', { service: 'search', desired_count: 2 }]
  },
  {
    name: 'a function that times out',
    source: 'alertmanager',
    steps: [{ invoke: 'legacy-sync' }],
    reads: [fn('legacy-sync'), fnLogs('legacy-sync')],
    report: (find) => [
      `\`${find('0.name')}\` may take ${find('0.timeout_s')} s on \`${find('0.runtime')}\` [call:1.1].`
    ],
    planted: ['It runs on `python3.9` [call:1.1].', 'python3.9']
  },
  {
    name: 'a function that crashes',
    source: 'grafana',
    steps: [{ invoke: 'pdf-render' }],
    reads: [fn('pdf-render'), fnLogs('pdf-render')],
    report: (find) => [
      `\`${find('0.name')}\` is an ${find('0.package_type')} with ${find('0.memory_mb')} MB [call:1.1].`
    ],
    planted: ['It has 4,096 MB [call:1.1].', '4,096']
  },
  {
    name: 'a function that answers with errors since its last change',
    source: 'pagerduty',
    steps: [{ invoke: 'nightly-report' }],
    reads: [fn('nightly-report'), fnLogs('nightly-report')],
    report: (find) => [`\`${find('0.name')}\` was changed at ${find('0.last_modified')} [call:1.1].`],
    planted: ['It was changed at 2026-01-02T03:04:05Z [call:1.1].', '2026-01-02T03:04:05Z']
  },
  {
    name: 'a cold start',
    source: 'sns',
    steps: [{ invoke: 'image-resizer' }],
    reads: [fn('image-resizer'), fnLogs('image-resizer')],
    report: (find) => [`\`${find('0.name')}\` has ${find('0.code_size')} bytes of code [call:1.1].`],
    planted: ['Its handler is `index.coldStart` [call:1.1][call:1.2].', 'index.coldStart']
  },
  {
    name: 'latency of a function',
    source: 'generic',
    steps: [{ invoke: 'catalog-export' }],
    reads: [fn('catalog-export'), fnLogs('catalog-export')],
    report: (find) => [`\`${find('0.name')}\` may take ${find('0.timeout_s')} seconds [call:1.1].`],
    planted: ['The p99 is 7,431 ms [call:1.1][call:1.2].', '7,431']
  },
  {
    name: 'an environment variable that is missing',
    source: 'alertmanager',
    reads: [fn('order-webhook')],
    report: (find) => [`\`order-webhook\` has \`${find('0.env_keys.0')}\` and \`${find('0.env_keys.1')}\` [call:1.1].`],
    planted: ['It has `STRIPE_SECRET` [call:1.1].', 'STRIPE_SECRET']
  },
  {
    name: 'scaling that is stuck at its most',
    source: 'alertmanager',
    steps: [{ scale: ['api', 10] }, { advance: 10 * minute }],
    reads: [service('api')],
    report: (find) => [running(find),
      `It scales from ${find('0.autoscaling.min')} to ${find('0.autoscaling.max')} [call:1.1].`],
    planted: ['It scales to 40 [call:1.1].', '40'],
    proposes: ['scaleService', { service: 'api', desired_count: 4 }]
  },
  {
    name: 'traffic that dropped: nothing runs',
    source: 'grafana',
    steps: [{ scale: ['search', 0] }, { advance: 5 * minute }],
    reads: [service('search')],
    report: (find) => [running(find), why(find)],
    planted: ['`search` had 1.9M requests [call:1.1].', '1.9M'],
    proposes: ['scaleService', { service: 'search', desired_count: 1 }]
  },
  {
    name: 'a cost spike',
    source: 'sns',
    reads: [['getCosts', {}]],
    report: (find) => [`This month cost ${find('0.totals.0.amount')} ${find('0.totals.0.currency')} [call:1.1].`,
      `Most of it is "${find('0.by_group.0.keys.0')}", ${Number(find('0.by_group.0.amount')).toFixed(2)} USD ` +
        '[call:1.1].'],
    planted: ['It will be $99,999.99 [call:1.1].', '$99,999.99']
  },
  {
    name: 'cost without a tag',
    source: 'generic',
    reads: [['getCosts', { group_by: 'TAG:team' }]],
    report: (find) => [`The team "${find('0.by_group.0.keys.0')}" has a share of ` +
      `${(100 * Number(find('0.by_group.0.share'))).toFixed(1)} % [call:1.1].`],
    planted: ['The tag `cost-center` is missing on 61.7 % [call:1.1].', '61.7']
  },
  {
    name: 'idle cost',
    source: 'alertmanager',
    reads: [['getCosts', { group_by: 'USAGE_TYPE' }], ['listClusters', {}]],
    report: (find) => [`\`${find('0.by_group.1.keys.0')}\` costs ${find('0.by_group.1.amount')} USD [call:1.1].`,
      `\`${find('1.items.1.name')}\` runs ${find('1.items.1.running_tasks')} tasks [call:1.2].`],
    planted: ['`USE2-NatGateway-Hours` is idle [call:1.1].', 'USE2-NatGateway-Hours']
  },
  {
    name: 'the wrong region',
    source: 'grafana',
    reads: [['listClusters', {}]],
    report: (find) => [`\`${find('0.items.0.name')}\` is in ${find('0.items.0.region')} and ` +
      `\`${find('0.items.1.name')}\` in ${find('0.items.1.region')} [call:1.1].`],
    planted: ['`staging` is in eu-central-1 [call:1.1].', 'eu-central-1']
  },
  {
    name: 'log volume',
    source: 'pagerduty',
    reads: [logs('api', { limit: 50 })],
    report: (find) => [
      `There are ${find('0.items.length')} lines on the page, of \`${find('0.sources.0.group')}\` [call:1.1].`
    ],
    planted: ['It writes 812 GB [call:1.1].', '812']
  },
  {
    name: 'a log group that does not exist',
    source: 'sns',
    reads: [fnLogs('paused-import')],
    report: (find) => [`\`${find('0.sources.0.group')}\` is ${find('0.sources.0.status')} [call:1.1].`],
    planted: ['The group is `/aws/lambda/import` [call:1.1].', '/aws/lambda/import']
  },
  {
    name: 'a service that is not there',
    source: 'generic',
    reads: [service('checkout'), ['listClusters', {}]],
    report: (find) => [`Looking for it ended with \`${find('0.code')}\` [call:1.1].`,
      `The cluster \`${find('1.items.0.name')}\` has ${find('1.items.0.active_services')} services [call:1.2].`],
    planted: ['`checkout` runs in `prod-eu` [call:1.2].', 'checkout']
  },
  {
    name: 'a runtime that is old',
    source: 'alertmanager',
    reads: [['listFunctions', {}]],
    report: (find) => [`There are ${find('0.items.length')} functions; \`${find('0.items.0.name')}\` runs on ` +
      `\`${find('0.items.0.runtime')}\` [call:1.1].`],
    planted: ['23 functions run on `nodejs16.x` [call:1.1].', '23']
  },
  {
    name: 'errors of AWS itself',
    source: 'sns',
    steps: [{ fault: { kind: 'error_500', service: 'logs', times: 0 } }],
    reads: [logs('api', { limit: 5 }), service('api')],
    report: (find) => [`The service itself is ${find('1.health')}: ${find('1.running_count')} of ` +
      `${find('1.desired_count')} tasks run [call:1.2].`],
    planted: ['The 5xx rate is 12.5 % [call:1.1][call:1.2].', '12.5']
  },
  {
    name: 'a function that is throttled by AWS',
    source: 'sns',
    steps: [{ fault: { kind: 'throttle', service: 'lambda', times: 0 } }],
    reads: [fn('image-resizer')],
    report: (find) => [`Reading it failed with \`${find('0.code')}\` [call:1.1].`],
    planted: ['`image-resizer` had 1,200 throttles [call:1.1].', '1,200']
  },
  {
    name: 'a permission that AWS denies',
    source: 'grafana',
    steps: [{ deny: ['ecs:DescribeServices'] }],
    reads: [service('api')],
    report: (find) => [`It cannot be read: \`${find('0.code')}\` [call:1.1].`],
    planted: ['The action `ecs:UpdateService` is denied [call:1.1].', 'ecs:UpdateService']
  },
  {
    name: 'credentials that have expired',
    source: 'pagerduty',
    steps: [{ fault: { kind: 'expired_token', service: 'ecs', times: 0 } }],
    reads: [service('api')],
    report: (find) => [`AWS answered \`${find('0.code')}\` [call:1.1].`],
    planted: ['The role is `steward-reader` [call:1.1].', 'steward-reader']
  },
  {
    name: 'a quota',
    source: 'generic',
    steps: [{
      fault: {
        kind: 'error', service: 'ecs', times: 0, code: 'LimitExceededException', message: 'Too many', status: 400
      }
    }],
    reads: [service('api')],
    report: (find) => [`The answer was \`${find('0.code')}\` [call:1.1].`],
    planted: ['The quota is 5,000 [call:1.1].', '5,000']
  }
]
