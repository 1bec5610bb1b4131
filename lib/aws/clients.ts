import type { ApplicationAutoScaling } from '@aws-sdk/client-application-auto-scaling'
import type { CloudWatch } from '@aws-sdk/client-cloudwatch'
import type { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs'
import type { CodeBuild } from '@aws-sdk/client-codebuild'
import type { CostExplorer } from '@aws-sdk/client-cost-explorer'
import type { ECS } from '@aws-sdk/client-ecs'
import type { Lambda } from '@aws-sdk/client-lambda'
import type { STS } from '@aws-sdk/client-sts'
import type { KeySource } from './credentials.js'
import { countWrites, type UsedCredential } from './operations.js'

export interface Services {
  ecs: ECS
  lambda: Lambda
  logs: CloudWatchLogs
  cloudwatch: CloudWatch
  codebuild: CodeBuild
  costs: CostExplorer
  autoscaling: ApplicationAutoScaling
  sts: STS
}
export type ServiceName = keyof Services

/** The client of a read may repeat its calls; that of a write sends once, because a repeated one may happen twice. */
export type Mode = 'read' | 'write'

export interface ClientSettings {
  region: string
  endpoint: string | undefined
  credentials: KeySource
  mode: Mode
  /** What the record says of its writes. */
  used?: UsedCredential
}

const maxSockets = 80
const requestMs: Record<ServiceName, number> =
  {
    ecs: 15_000, lambda: 15_000, logs: 30_000, cloudwatch: 15_000, codebuild: 15_000, costs: 30_000, autoscaling: 15_000, sts: 10_000
  }

const options = (service: ServiceName, { region, endpoint, credentials, mode }: ClientSettings) => ({
  region,
  credentials,
  ...(endpoint === undefined ? {} : { endpoint, disableHostPrefix: true }),
  ignoreConfiguredEndpointUrls: true,
  retryMode: 'standard',
  maxAttempts: mode === 'write' ? 1 : 4,
  requestHandler: {
    // As many as a budget lets be sent at once.
    httpAgent: { maxSockets },
    httpsAgent: { maxSockets },
    connectionTimeout: 3_000,
    requestTimeout: requestMs[service],
    throwOnRequestTimeout: true
  }
})

/** The SDK is imported when an account is first asked: it takes half a second that a start need not wait for. */
const makers: { [Name in ServiceName]: (settings: ClientSettings) => Promise<Services[Name]> } = {
  ecs: async (settings) => new (await import('@aws-sdk/client-ecs')).ECS(options('ecs', settings)),
  lambda: async (settings) => new (await import('@aws-sdk/client-lambda')).Lambda(options('lambda', settings)),
  logs: async (settings) => {
    const { CloudWatchLogs } = await import('@aws-sdk/client-cloudwatch-logs')
    return new CloudWatchLogs(options('logs', settings))
  },
  cloudwatch: async (settings) =>
    new (await import('@aws-sdk/client-cloudwatch')).CloudWatch(options('cloudwatch', settings)),
  codebuild: async (settings) => new (await import('@aws-sdk/client-codebuild')).CodeBuild(options('codebuild', settings)),
  costs: async (settings) => {
    const { CostExplorer } = await import('@aws-sdk/client-cost-explorer')
    return new CostExplorer(options('costs', settings))
  },
  autoscaling: async (settings) => {
    const { ApplicationAutoScaling } = await import('@aws-sdk/client-application-auto-scaling')
    return new ApplicationAutoScaling(options('autoscaling', settings))
  },
  sts: async (settings) => new (await import('@aws-sdk/client-sts')).STS(options('sts', settings))
}

export const makeClient = async <Name extends ServiceName>(service: Name, settings: ClientSettings):
Promise<Services[Name]> => countWrites(await makers[service](settings), service, settings.used)
