import type { FunctionConfiguration, Lambda } from '@aws-sdk/client-lambda'
import type { FastifyInstance } from 'fastify'
import type { AccountRow } from '../../../db/cloud/accounts.js'
import { attempt, skip, type Findings, type Probe } from './probe.js'

type Deps = Pick<FastifyInstance, 'aws'>

/** A zip archive with nothing in it. */
const emptyZip = Buffer.concat([Buffer.from([0x50, 0x4b, 0x05, 0x06]), Buffer.alloc(18)])

/** With DryRun AWS checks the permission and changes nothing. */
const codeOf = async (lambda: Lambda, { FunctionName, PackageType }: FunctionConfiguration) => {
  if (PackageType !== 'Image') return { ZipFile: emptyZip }
  const { Code } = await lambda.getFunction({ FunctionName })
  return { ImageUri: Code?.ImageUri }
}

export const probeFunctions = async ({ aws }: Deps, account: AccountRow, region: string, findings: Findings) => {
  const lambda = await aws.client('lambda', account, region)
  const writer = await aws.client('lambda', account, region, 'write')
  const read = (action: string): Probe => ({ action, capability: 'serverless_read', region })
  const invoke: Probe = { action: 'lambda:InvokeFunction', capability: 'serverless_invoke', region, infers: true }
  const update: Probe = { action: 'lambda:UpdateFunctionCode', capability: null, region, infers: true }
  const list = await attempt(findings, read('lambda:ListFunctions'), () => lambda.listFunctions({ MaxItems: 1 }))
  const first = list?.Functions?.[0]
  const FunctionName = first?.FunctionName
  if (!first || !FunctionName) {
    for (const probe of [read('lambda:GetFunctionConfiguration'), invoke, update]) {
      skip(findings, probe, 'The region has no function to look at')
    }
    return
  }
  await Promise.all([
    attempt(findings, read('lambda:GetFunctionConfiguration'), () => lambda.getFunctionConfiguration({ FunctionName })),
    attempt(findings, invoke, () => writer.invoke({ FunctionName, InvocationType: 'DryRun' })),
    attempt(findings, update, async () =>
      writer.updateFunctionCode({ FunctionName, DryRun: true, ...await codeOf(lambda, first) }))
  ])
}

export const probeLogs = async ({ aws }: Deps, account: AccountRow, region: string, findings: Findings) => {
  const logs = await aws.client('logs', account, region)
  const read = (action: string, resource?: string): Probe =>
    ({ action, capability: 'logs', region, infers: true, ...(resource && { resource }) })
  const list = await attempt(findings, read('logs:DescribeLogGroups'), () => logs.describeLogGroups({ limit: 1 }))
  const group = list?.logGroups?.[0]?.logGroupName
  if (!group) return skip(findings, read('logs:FilterLogEvents'), 'The region has no log group to look at')
  await attempt(findings, read('logs:FilterLogEvents', group), () =>
    logs.filterLogEvents({ logGroupName: group, startTime: Date.now() - 60_000, limit: 1 }))
}

/** A range of no days is refused by those who may ask, and a refused request costs nothing. */
export const probeCosts = async ({ aws }: Deps, account: AccountRow, findings: Findings) => {
  const region = account.default_region
  const costs = await aws.client('costs', account, region)
  const today = new Date().toISOString().slice(0, 10)
  const TimePeriod = { Start: today, End: today }
  const probe = (action: string): Probe => ({ action, capability: 'costs', region, infers: true })
  await attempt(findings, probe('ce:GetCostAndUsage'), () =>
    costs.getCostAndUsage({ TimePeriod, Granularity: 'DAILY', Metrics: ['UnblendedCost'] }))
  await attempt(findings, probe('ce:GetCostForecast'), () =>
    costs.getCostForecast({ TimePeriod, Granularity: 'DAILY', Metric: 'UNBLENDED_COST' }))
}
