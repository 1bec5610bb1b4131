import { Type, type Static } from '@sinclair/typebox'
import { Nullable, Timestamp, Words } from '../common.js'

export const RollbackQuery = Type.Object({
  rollback_to: Type.String({
    minLength: 1, maxLength: 300, default: 'previous', description: 'As deployService takes it'
  })
})

export const RollbackTarget = Type.Object({
  task_definition: Type.String({ description: 'The ARN of the exact revision. Sent as `rollback_to`, it is pinned' }),
  revision: Type.String({ description: 'family:revision' }),
  images: Type.Array(Type.Object({
    container: Type.String(),
    image: Type.String(),
    digest: Nullable(Type.String({ description: 'What the image was when it succeeded; null = not known' }))
  })),
  source: Words<'aws' | 'steward'>(['aws', 'steward'], {
    description: 'Whose history has the success: AWS\'s service deployments, or the deployments made here'
  }),
  deployment_id: Nullable(Type.String({ description: 'Of the deployment made here' })),
  aws_service_deployment_arn: Nullable(Type.String()),
  succeeded_at: Timestamp,
  passed_over: Type.Array(Type.String(), {
    description: 'Newer revisions that succeeded too, but are deregistered in AWS and cannot run'
  })
}, { $id: 'RollbackTarget' })
export type RollbackTarget = Static<typeof RollbackTarget>
