import { body, itemsOf, type Schemas } from 'steward-client'
import { fieldsOf, given, type Command, type Context } from '../command.js'
import { reportErrors } from '../sources.js'

type Service = Schemas['ContainerService']
type Failure = Schemas['SourceError']

interface Where { account_id?: string, region?: string }

/** @returns the ids of the clusters, and which sources did not answer */
const listClusters = async ({ connection }: Context, where: Where, errors: Failure[]): Promise<string[]> => {
  const load = async (cursor: string | undefined) => {
    const page = await body(connection.steward.api.GET('/infrastructure/containers/clusters', {
      params: { query: { ...where, limit: 100, ...(cursor !== undefined && { cursor }) } }
    }))
    errors.push(...page.errors)
    return page
  }
  const ids: string[] = []
  for await (const { id } of itemsOf(load)) ids.push(id)
  return ids
}

export const services: Command = {
  words: [],
  summary: 'lists the container services of all clusters, or of one',
  options: {
    cluster: { value: 'ID', summary: 'only this cluster, by its id or name' },
    account: { value: 'ID', summary: 'only this cloud account' },
    region: { value: 'REGION', summary: 'only this region' }
  },
  fields: fieldsOf<Service>()('id', 'arn', 'name', 'cluster', 'cluster_id', 'account_id', 'account_name', 'environment',
    'read_only', 'region', 'status', 'health', 'health_reason', 'desired_count', 'running_count', 'pending_count',
    'scheduling', 'launch_type', 'controller', 'strategy', 'task_definition', 'images', 'circuit_breaker',
    'autoscaling', 'autoscaling_known', 'deployable', 'console_url'),
  run: async (input) => {
    const { context, results } = input
    const { terminal, connection } = context
    const where = given({ account_id: input.text('account'), region: input.text('region') })
    const [found, errors]: [Service[], Failure[]] = [[], []]
    const chosen = input.text('cluster')
    terminal.progress('Reading the clusters …')
    const clusters = chosen === undefined ? await listClusters(context, where, errors) : [chosen]
    for (const [index, cluster] of clusters.entries()) {
      terminal.progress(`Reading the services of cluster ${index + 1} of ${clusters.length} …`)
      const load = async (cursor: string | undefined) => {
        const page = await body(connection.steward.api.GET('/infrastructure/containers/clusters/{cluster}/services', {
          params: { path: { cluster }, query: { ...where, limit: 100, ...(cursor !== undefined && { cursor }) } }
        }))
        errors.push(...page.errors)
        return page
      }
      for await (const service of itemsOf(load)) found.push(service)
    }
    results.list(found, [
      { title: 'NAME', of: ({ name }) => name },
      { title: 'CLUSTER', of: ({ cluster }) => cluster },
      { title: 'REGION', of: ({ region }) => region },
      { title: 'HEALTH', of: ({ health }) => health },
      { title: 'TASKS', of: ({ running_count: running, desired_count: desired }) => `${running}/${desired}` },
      { title: 'ID', of: ({ id }) => id }
    ], 'There are no services.')
    return reportErrors(terminal, errors)
  }
}
