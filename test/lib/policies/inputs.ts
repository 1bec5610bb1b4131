import type { PolicyInput } from '../../../lib/policies/policy-input.js'
import { policySchema, type PolicyTool } from '../../../lib/policies/policy-schema.js'
import { groupIds, tools, type Facts } from './grammar.js'

const toolOf = (name: string): PolicyTool => ({
  name,
  access: { scope: name === 'deleteThing' ? 'content:write' : 'infrastructure:write', role: 'member' },
  schema: {
    type: 'object', properties: { desired_count: { type: 'integer' }, service: { type: 'string' } }, required: []
  },
  options: {
    input: {},
    reads: [],
    basis: 'Nothing',
    plan: () => Promise.reject(new Error('Nothing is planned')),
    ...(name === 'scaleService' && { additive: true })
  }
})

const byName = new Map(tools.map((name) => [name, toolOf(name)]))
/** What the grammar's policies are checked against. */
export const schema = policySchema([...byName.values()])

/** @returns the request that policies judge */
export const inputOf = (given: Facts): PolicyInput => ({
  person: {
    id: '018f0000-0000-7000-8000-0000000000aa',
    role: given.role,
    groups: given.groups.map((name) => groupIds[name] ?? ''),
    via: 'assistant',
    assistant: true,
    token: null
  },
  tool: byName.get(given.tool) ?? toolOf(given.tool),
  target: {
    kind: 'ecs_service', id: 'web', ...(given.environment !== null && { within: { environment: given.environment } })
  },
  arguments: { service: 'web', ...(given.count !== null && { desired_count: given.count }) },
  changes: [{ label: 'Count', before: null, after: given.count === null ? null : String(given.count) }],
  risk: given.risk,
  tainted: given.tainted,
  trigger: false,
  at: given.at
})
