import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, PageQuery, partialPage } from '../common.js'

export const Reference = Type.String({
  minLength: 1,
  maxLength: 700,
  description: 'The `id` that a list returned, the ARN, or a name where exactly one resource has it'
})

export const SourceQuery = {
  account_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Only this cloud account' })),
  region: Type.Optional(Type.String({
    pattern: '^[a-z0-9-]{5,30}$',
    examples: ['eu-west-1'],
    description: 'Only this region'
  }))
}
export const InventoryQuery = Type.Object({ ...SourceQuery, ...PageQuery })
export type InventoryQuery = Static<typeof InventoryQuery>

export const Cluster = Type.Object({
  id: Type.String({ description: '<account_id>~<region>~<cluster>' }),
  arn: Type.String(),
  name: Type.String(),
  account_id: Id,
  account_name: Type.String(),
  environment: Nullable(Type.String({ description: 'Of the account, such as production' })),
  read_only: Type.Boolean({ description: 'The account is read-only here: nothing is changed through it' }),
  region: Type.String(),
  status: Type.String(),
  running_tasks: Type.Integer(),
  pending_tasks: Type.Integer(),
  active_services: Type.Integer(),
  container_instances: Type.Integer(),
  capacity_providers: Type.Array(Type.String()),
  container_insights: Nullable(Type.String()),
  tags: Type.Record(Type.String(), Type.String()),
  console_url: Type.String()
}, { $id: 'Cluster' })
export type Cluster = Static<typeof Cluster>

export const ClusterPage = partialPage(Cluster, 'ClusterPage')
export const ClusterParams = Type.Object({ cluster: Reference })
