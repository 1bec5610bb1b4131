import type { Account } from '../core/world.js'
import type { CostLine } from '../costs/state.js'
import type { Sandbox } from '../sandbox.js'

type Sketch = [service: string, usageType: string, region: string, perDay: number, more?: Partial<CostLine>]

const MAIN: Sketch[] = [
  [
    'Amazon Elastic Container Service',
    'EU-Fargate-vCPU-Hours:perCPU',
    'eu-west-1',
    14.2,
    { growth: 0.35, tags: { team: 'web', env: 'prod' } }
  ],
  [
    'Amazon Elastic Container Service',
    'EU-Fargate-GB-Hours',
    'eu-west-1',
    4.1,
    { growth: 0.35, tags: { team: 'web', env: 'prod' } }
  ],
  [
    'Amazon Elastic Container Service',
    'USE1-Fargate-vCPU-Hours:perCPU',
    'us-east-1',
    3.3,
    { weekend: 0.3, tags: { team: 'web', env: 'staging' } }
  ],
  [
    'Amazon Relational Database Service',
    'EU-InstanceUsage:db.r6g.large',
    'eu-west-1',
    16.8,
    { growth: 0.05, tags: { team: 'orders', env: 'prod' } }
  ],
  [
    'Amazon Relational Database Service',
    'EU-Aurora:StorageUsage',
    'eu-west-1',
    2.9,
    { growth: 0.6, tags: { team: 'orders', env: 'prod' } }
  ],
  ['EC2 - Other', 'EU-NatGateway-Bytes', 'eu-west-1', 3.6, { growth: 0.2, tags: { env: 'prod' } }],
  ['EC2 - Other', 'EU-NatGateway-Hours', 'eu-west-1', 3.24, { tags: { env: 'prod' } }],
  [
    'Amazon Elastic Compute Cloud - Compute',
    'EU-BoxUsage:c7g.large',
    'eu-west-1',
    3.48,
    { tags: { team: 'platform', env: 'prod' } }
  ],
  [
    'Amazon Elastic Load Balancing',
    'EU-LoadBalancerUsage',
    'eu-west-1',
    1.41,
    { growth: 0.1, tags: { team: 'platform' } }
  ],
  ['AmazonCloudWatch', 'EU-DataProcessing-Bytes', 'eu-west-1', 5.6, { growth: 0.5 }],
  [
    'Amazon Simple Storage Service',
    'EU-TimedStorage-ByteHrs',
    'eu-west-1',
    2.35,
    { growth: 0.4, tags: { team: 'web' } }
  ],
  [
    'Amazon CloudFront',
    'EU-DataTransfer-Out-Bytes',
    'global',
    4.75,
    { growth: 0.3, weekend: 1.35, tags: { team: 'web' } }
  ],
  ['AWS Lambda', 'EU-Lambda-GB-Second', 'eu-west-1', 0.92, { growth: 0.7, tags: { team: 'orders' } }],
  ['AWS Lambda', 'USE1-Lambda-GB-Second', 'us-east-1', 0.11, { tags: { team: 'orders', env: 'staging' } }],
  ['Amazon Simple Queue Service', 'EU-Requests', 'eu-west-1', 0.38, { growth: 0.4, tags: { team: 'orders' } }],
  ['Amazon ElastiCache', 'EU-NodeUsage:cache.t4g.small', 'eu-west-1', 1.56, { tags: { team: 'web' } }],
  ['AWS Secrets Manager', 'EU-AWSSecretsManager-Secrets', 'eu-west-1', 0.21],
  ['Amazon Route 53', 'DNS-Queries', 'global', 0.09],
  ['AWS Cost Explorer', 'USE1-APIRequest', 'us-east-1', 0.02],
  [
    'Savings Plans for AWS Compute usage',
    'ComputeSP:1yrNoUpfront',
    'global',
    6.5,
    { recordType: 'SavingsPlanRecurringFee', monthly: true }
  ],
  ['AWS Support (Developer)', 'Dollar', 'global', 0.97, { monthly: true }],
  ['Amazon Elastic Container Service', 'Credit', 'eu-west-1', -1.1, { recordType: 'Credit' }],
  ['Tax', 'Tax', 'global', 8.4, { recordType: 'Tax', monthly: true, growth: 0.25 }]
]

const SECOND: Sketch[] = [
  [
    'Amazon Elastic Container Service',
    'EU-Fargate-vCPU-Hours:perCPU',
    'eu-west-1',
    7.7,
    { growth: 0.9, tags: { team: 'data' } }
  ],
  ['Amazon Athena', 'EU-DataScannedInTB', 'eu-west-1', 3.2, { growth: 1.1, weekend: 0.2, tags: { team: 'data' } }],
  [
    'Amazon Simple Storage Service',
    'EU-TimedStorage-ByteHrs',
    'eu-west-1',
    5.1,
    { growth: 0.8, tags: { team: 'data' } }
  ],
  ['AWS Glue', 'EU-ETL-DPU-Hour', 'eu-west-1', 2.6, { weekend: 0.5 }]
]

/** The bills of both accounts. The second one is too young for a forecast. */
export function seedCosts (main: Account, second: Account): void {
  main.costs = {
    lines: MAIN.map(line),
    forecastable: true,
    anomalies: [
      {
        id: '8f4c2a1e-6b0d-4f7e-9c35-2d1a7b9e0c44',
        service: 'EC2 - Other',
        usageType: 'EU-NatGateway-Bytes',
        region: 'eu-west-1',
        from: 19,
        to: 16,
        perDay: 41.37,
        score: 0.86
      }
    ]
  }
  second.costs = { lines: SECOND.map(line), anomalies: [], forecastable: false }
}

interface PlainLine { service: string, record_type: CostLine['recordType'], per_day: number }

/** Other lines for the first account: the same each day, but for noise that is one for a service's lines. */
export function putCosts ({ world }: Sandbox, lines: PlainLine[]) {
  const [account] = world.accounts.values()
  if (account) {
    account.costs = {
      ...account.costs,
      anomalies: [],
      lines: lines.map(({ service, record_type: recordType, per_day: perDay }) =>
        line([service, 'Plain', 'eu-west-1', perDay, { recordType, growth: 0, weekend: 1 }]))
    }
  }
  return { lines: lines.length }
}

function line ([service, usageType, region, perDay, more]: Sketch): CostLine {
  return {
    service,
    usageType,
    region,
    perDay,
    recordType: 'Usage',
    growth: 0.1,
    weekend: 0.85,
    monthly: false,
    unitsPerDollar: 24,
    tags: {},
    ...more
  }
}
