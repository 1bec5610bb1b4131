import type { FastifyContextConfig } from 'fastify'
import { toolInput, type SentRequest, unbindRequest } from '../openapi/tool-schema.js'
import type { Target } from '../tools/options.js'
import type { Resource } from '../access/require-access.js'
import { fieldsOf } from '../../schemas/unknown.js'
import type { PolicyTool } from './policy-schema.js'

/** A write that is no tool, as policies see it: by its operation, with the arguments that it would have as a tool. */
export interface DirectWrite extends PolicyTool {
  summary: string
  unbind: (request: SentRequest) => Record<string, unknown>
}

export const toDirectWrite = ({ contract = {}, access }: Pick<FastifyContextConfig, 'contract' | 'access'>):
DirectWrite => {
  const input = toolInput(contract)
  const name = contract.operationId ?? ''
  return {
    name,
    access,
    options: undefined,
    schema: input.schema,
    summary: contract.summary ?? name,
    unbind: (request) => unbindRequest(input, request)
  }
}

/** @returns the kind of what a parameter names, as the plans of tools name it */
const kindOf = (parameter: string): string => {
  const kind = parameter.replace(/_id$/, '')
  return kind === 'account' ? 'cloud_account' : kind
}

/** @returns what holds it, by the kinds that policies ask for */
const within = (resources: readonly Resource[]): Record<string, string> => Object.fromEntries(resources.flatMap(
  ({ project_id: project, cloud_account_id: account, environment }) => Object.entries({
    project, cloud_account: account, environment
  }).filter((entry): entry is [string, string] => typeof entry[1] === 'string')))

/**
 * @param resources what the request names of what bindings can cover
 * @returns what a request acts on: what its path names last, else the workspace
 */
export const targetOf = ({ params }: SentRequest, resources: readonly Resource[], workspaceId: string): Target => {
  const named = Object.entries(fieldsOf(params)).map(([name, id]): [string, string] => [kindOf(name), String(id)])
  const [kind, id] = named.at(-1) ?? ['workspace', workspaceId]
  return { kind, id, within: { ...Object.fromEntries(named), ...within(resources) } }
}
