import type { TagResourceRequest } from '@aws-sdk/client-ecs'
import { AwsError } from '../core/errors.js'
import { operation, type Call } from '../core/operation.js'
import { findTaskDefinition } from './lookup.js'

export const tagOperations = {
  TagResource: operation('ecs:TagResource', tagResource, ({ input }) => input.resourceArn ?? '*')
}

/** Only task definitions can be tagged: Steward needs no more. */
function tagResource ({ region, input }: Call<TagResourceRequest>): Record<string, never> {
  const definition = findTaskDefinition(region, /task-definition\/(.+)$/.exec(input.resourceArn ?? '')?.[1] ?? '')
  if (!definition) throw new AwsError('ResourceNotFoundException', 'The specified resource could not be found.')
  const kept = definition.tags.filter(({ key }) => !input.tags?.some((tag) => tag.key === key))
  definition.tags = [...kept, ...input.tags ?? []]
  return {}
}
