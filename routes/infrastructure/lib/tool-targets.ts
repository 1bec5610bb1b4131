import type { Read, Target } from '../../../lib/tools/options.js'
import { ServerlessFunction } from '../../../schemas/infrastructure/functions.js'
import { ServiceDetail } from '../../../schemas/infrastructure/service-detail.js'

export const serviceUrl = (service: string) => `/infrastructure/containers/services/${encodeURIComponent(service)}`

export const readService = (service: string, read: Read) => read(serviceUrl(service), ServiceDetail)

export const serviceTarget = ({ id, arn, name, cluster, cluster_id, account_id, region }: ServiceDetail): Target => ({
  kind: 'ecs_service',
  id,
  within: { cloud_account: account_id, region, cluster: cluster_id },
  names: [arn, name, `${cluster}/${name}`]
})

/** @returns such as "service web in cluster prod (eu-west-1, account Sandbox)" */
export const describeService = ({ name, cluster, region, account_name: account }: ServiceDetail) =>
  `service ${name} in cluster ${cluster} (${region}, account ${account})`

export const readFunction = (name: string, read: Read, qualifier?: string) => {
  const query = qualifier === undefined ? '' : `?qualifier=${encodeURIComponent(qualifier)}`
  return read(`/infrastructure/serverless/functions/${encodeURIComponent(name)}${query}`, ServerlessFunction)
}

export const functionTarget = ({ id, arn, name, account_id, region }: ServerlessFunction): Target => ({
  kind: 'lambda_function', id, within: { cloud_account: account_id, region }, names: [arn, name]
})

/** @returns such as "function pdf-render (eu-west-1, account Sandbox)" */
export const describeFunction = ({ name, region, account_name: account }: ServerlessFunction, qualifier?: string) =>
  `function ${name}${qualifier ? `:${qualifier}` : ''} (${region}, account ${account})`
