import type { ECS } from '@aws-sdk/client-ecs'
import { stackOf, type Stack } from '../../../lib/aws/stack.js'

export type Json = Record<string, unknown>

export interface RawDefinition { definition: Json, tags: unknown[] }

interface Carrier { request?: { body?: unknown }, response?: { body?: unknown } }
type CarrierStack = Stack<Carrier>

const readAll = async (body: unknown): Promise<Buffer> => {
  if (body instanceof Uint8Array) return Buffer.from(body)
  const parts: Buffer[] = []
  // The handler of Node gives a readable stream.
  for await (const part of body as AsyncIterable<Uint8Array>) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

/** The SDK's types drop fields that they do not know, so the answer is read before the SDK parses it. */
const capture = (stack: CarrierStack): { text: string } => {
  const captured = { text: '' }
  stack.add((next) => async (args) => {
    const result = await next(args)
    if (!result.response) return result
    const bytes = await readAll(result.response.body)
    captured.text = bytes.toString('utf8')
    result.response.body = bytes
    return result
  }, { step: 'deserialize', priority: 'low', name: 'captureRawAnswer' })
  return captured
}

/** Replaces what the SDK wrote by the whole JSON, before its length and its signature are made. */
const replaceBody = (stack: CarrierStack, json: Json): void => {
  stack.add((next) => async (args) => {
    if (args.request) args.request.body = JSON.stringify(json)
    return next(args)
  }, { step: 'build', priority: 'high', name: 'replaceRawBody' })
}

/**
 * @param arn also family:revision, or a family for its newest active revision
 * @returns the task definition with every field that AWS sent, also those that this SDK does not know
 */
export const readRawDefinition = async (ecs: ECS, arn: string): Promise<RawDefinition> => {
  const { DescribeTaskDefinitionCommand } = await import('@aws-sdk/client-ecs')
  const command = new DescribeTaskDefinitionCommand({ taskDefinition: arn, include: ['TAGS'] })
  const captured = capture(stackOf(command))
  await ecs.send(command)
  // AWS answered 200, so this is DescribeTaskDefinition's answer.
  const { taskDefinition, tags }: { taskDefinition: Json, tags?: unknown[] } = JSON.parse(captured.text)
  return { definition: taskDefinition, tags: tags ?? [] }
}

/** @returns the ARN of the new revision; nothing of the JSON is lost on the way */
export const registerRawDefinition = async (ecs: ECS, json: Json): Promise<string> => {
  const { RegisterTaskDefinitionCommand } = await import('@aws-sdk/client-ecs')
  const command = new RegisterTaskDefinitionCommand({ family: String(json.family), containerDefinitions: [] })
  replaceBody(stackOf(command), json)
  const { taskDefinition } = await ecs.send(command)
  return taskDefinition?.taskDefinitionArn ?? ''
}

const readOnly = new Set(['taskDefinitionArn', 'revision', 'status', 'requiresAttributes', 'compatibilities',
  'registeredAt', 'registeredBy', 'deregisteredAt', 'deleteRequestedAt'])

/** @returns what RegisterTaskDefinition takes of a description: everything but what AWS itself adds */
export const toRegistration = ({ definition, tags }: RawDefinition): Json => ({
  ...Object.fromEntries(Object.entries(definition).filter(([key]) => !readOnly.has(key))),
  ...(tags.length > 0 && { tags })
})
