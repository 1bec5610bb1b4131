import type { TaskDefinitionState } from './state.js'

export interface ContainerSketch {
  name: string
  image: string
  hasHealthCheck: boolean
  log: { group: string, region: string | undefined, prefix: string | undefined } | undefined
}

/** What the sandbox itself needs to know of a task definition's containers. */
export function containersOf (definition: TaskDefinitionState): ContainerSketch[] {
  const list = definition.body['containerDefinitions']
  return Array.isArray(list) ? list.filter(isRecord).map(sketch) : []
}

/** A JSON object, as opposed to any other JSON value. */
export function isRecord (value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sketch (container: Record<string, unknown>): ContainerSketch {
  return {
    name: text(container['name']) ?? '',
    image: text(container['image']) ?? '',
    hasHealthCheck: isRecord(container['healthCheck']),
    log: logOf(container['logConfiguration'])
  }
}

function logOf (configuration: unknown): ContainerSketch['log'] {
  if (!isRecord(configuration) || configuration['logDriver'] !== 'awslogs') return undefined
  const options = isRecord(configuration['options']) ? configuration['options'] : {}
  const group = text(options['awslogs-group'])
  if (group === undefined) return undefined
  return { group, region: text(options['awslogs-region']), prefix: text(options['awslogs-stream-prefix']) }
}

function text (value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
