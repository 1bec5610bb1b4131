import type { Tool } from '../tools/tool.js'
import { isObject } from '../../schemas/unknown.js'
import { isOwnName } from '../tools/workspace-tools.js'
import type { Cedar } from './cedar.js'

export type ArgumentType = 'String' | 'Long' | 'Boolean' | 'decimal' | 'Set'

type Json = Record<string, unknown>

const words: Record<string, ArgumentType> = {
  string: 'String', integer: 'Long', boolean: 'Boolean', number: 'decimal'
}

/** The schema beside null, where it is nullable. */
const withoutNull = (schema: Json): Json => {
  const inner = Array.isArray(schema.anyOf) ? schema.anyOf.filter((one) => isObject(one) && one.type !== 'null') : []
  return inner.length === 1 && isObject(inner[0]) ? inner[0] : schema
}

/** @returns how policies see an argument; undefined = they do not: it is no single value */
export const argumentType = (property: unknown): ArgumentType | undefined => {
  if (!isObject(property)) return undefined
  const { type, items, const: constant } = withoutNull(property)
  const found = Array.isArray(type) ? type.find((one) => one !== 'null') : type
  if (found === 'array') return argumentType(items) === 'String' ? 'Set' : undefined
  return words[typeof found === 'string' ? found : typeof constant]
}

/** The area of the API that a tool belongs to. */
export const areaOf = ({ name, access }: Pick<Tool, 'name' | 'access'>): string =>
  isOwnName(name) ? 'toolservers' : access?.scope.split(':')[0] ?? 'service'

const text = { type: 'String' } as const
const flag = { type: 'Boolean' } as const
const number = { type: 'Long' } as const
const decimal = { type: 'Extension', name: 'decimal' } as const
const texts = { type: 'Set', element: text } as const
const types = { String: text, Long: number, Boolean: flag, decimal, Set: texts } as const

type Attributes = Record<string, Cedar.TypeOfAttribute<string>>

const optional = (type: Cedar.Type<string>): Cedar.TypeOfAttribute<string> => ({ ...type, required: false })
const record = (attributes: Attributes) => ({ type: 'Record' as const, attributes })

const argumentsOf = ({ schema }: Pick<Tool, 'schema'>): Attributes =>
  Object.fromEntries(Object.entries(schema.properties).flatMap(([name, property]) => {
    const type = argumentType(property)
    return type === undefined ? [] : [[name, optional(types[type])]]
  }))

const contextOf = (tool: Pick<Tool, 'schema'>) => record({
  args: record(argumentsOf(tool)),
  before: { type: 'Entity', name: 'Changes' },
  after: { type: 'Entity', name: 'Changes' },
  risk: text,
  cost: optional(decimal),
  tainted: flag,
  trigger: flag,
  additive: flag,
  hour: number,
  weekday: number
})

const entityTypes: Record<string, Cedar.EntityType<string>> = {
  Group: {},
  User: {
    memberOfTypes: ['Group'],
    shape: record({ id: text, role: text, via: text, assistant: flag, token: optional(text) })
  },
  Target: {
    shape: record({
      kind: text,
      id: text,
      names: texts,
      account: optional(text),
      environment: optional(text),
      project: optional(text)
    }),
    tags: text
  },
  Changes: { tags: text }
}

export type PolicyTool = Pick<Tool, 'name' | 'access' | 'schema' | 'options'>

/** @returns the groups of actions that a tool is in: `write`, its area, and `additive` where it only adds */
export const actionGroups = (tool: PolicyTool): string[] =>
  ['write', areaOf(tool), ...tool.options?.additive ? ['additive'] : []]

/** @returns what policies may say, by the tools that write: the schema that they are validated against */
export const policySchema = (tools: readonly PolicyTool[]): Cedar.SchemaJson<string> => {
  const groups = [...new Set(['write', 'additive', ...tools.flatMap(actionGroups)])]
  return {
    '': {
      entityTypes,
      actions: {
        ...Object.fromEntries(groups.map((name) => [name, {}])),
        ...Object.fromEntries(tools.map((tool) => [tool.name, {
          memberOf: actionGroups(tool).map((id) => ({ id })),
          appliesTo: { principalTypes: ['User'], resourceTypes: ['Target'], context: contextOf(tool) }
        }]))
      }
    }
  }
}
