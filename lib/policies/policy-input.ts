import type { Principal } from '../security/principal.js'
import type { MadePlan } from '../tools/make-plan.js'
import { expectedCost } from '../tools/options.js'
import type { PreviewRow, Target } from '../../schemas/agent/events.js'
import type { Cedar } from './cedar.js'
import type { Call } from './operations.js'
import type { PolicySet } from './compile.js'
import { actionGroups, argumentType, type PolicyTool } from './policy-schema.js'

/** Who writes. */
export interface PolicyPerson {
  id: string
  role: string
  /** Ids. */
  groups: readonly string[]
  via: 'browser' | 'token' | 'assistant'
  assistant: boolean
  token: string | null
}

/** A write as policies see it: the same of a plan, of a past decision and of an example. */
export interface PolicyInput {
  person: PolicyPerson
  tool: PolicyTool
  target: Target
  arguments: Readonly<Record<string, unknown>>
  changes: readonly Pick<PreviewRow, 'label' | 'before' | 'after'>[]
  risk: string
  tainted: boolean
  trigger: boolean
  at: Date
}

export const personOf = ({ user_id, role, via, via_id, assistant }: Principal, groups: readonly string[]):
PolicyPerson => ({
  id: user_id,
  role,
  groups,
  via,
  assistant: via === 'assistant' || assistant === true,
  token: via === 'token' ? via_id : null
})

export interface Circumstances { groups: readonly string[], tainted: boolean, trigger: boolean, at: Date }

/** What of a plan is judged. */
export type JudgedPlan = Pick<MadePlan, 'target' | 'arguments' | 'preview' | 'risk'>

export const inputOf = (principal: Principal, tool: PolicyTool, plan: JudgedPlan,
  { groups, ...rest }: Circumstances): PolicyInput => ({
  person: personOf(principal, groups),
  tool,
  target: plan.target,
  arguments: plan.arguments,
  changes: plan.preview,
  risk: plan.risk,
  ...rest
})

/** Cedar's decimal has four digits, and 64 bits. */
const asDecimal = (value: number): Cedar.CedarValueJson | undefined =>
  Number.isFinite(value) && Math.abs(value) < 9e14 ? { __extn: { fn: 'decimal', arg: value.toFixed(4) } } : undefined

const asTexts = (value: unknown): string[] | undefined =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined

/** @returns undefined for what is not of the type that the tool's schema says: a policy asks whether it is there */
const valueOf = (property: unknown, value: unknown): Cedar.CedarValueJson | undefined => {
  switch (argumentType(property)) {
    case 'String': return typeof value === 'string' ? value : undefined
    case 'Boolean': return typeof value === 'boolean' ? value : undefined
    case 'Long': return Number.isSafeInteger(value) ? Number(value) : undefined
    case 'decimal': return typeof value === 'number' ? asDecimal(value) : undefined
    case 'Set': return asTexts(value)
    default: return undefined
  }
}

const defined = <T>(entries: [string, T | undefined][]): Record<string, T> =>
  Object.fromEntries(entries.flatMap(([key, value]): [string, T][] => value === undefined ? [] : [[key, value]]))

const argumentsOf = ({ tool, arguments: args }: PolicyInput) =>
  defined(Object.entries(tool.schema.properties).map(([name, property]) =>
    [name, Object.hasOwn(args, name) ? valueOf(property, args[name]) : undefined]))

/** @returns such as 1.2 of "1.20 USD" */
const costOf = ({ changes }: PolicyInput): Cedar.CedarValueJson | undefined => {
  const after = changes.find(({ label }) => label === expectedCost)?.after ?? ''
  const [, amount] = /^(\d{1,9}(?:\.\d{1,12})?) USD$/.exec(after) ?? []
  return amount === undefined ? undefined : asDecimal(Number(amount))
}

const uid = (type: string, id: string): Cedar.TypeAndId => ({ type, id })

/** Of several rows with one label, all values are there, a line each. */
const changesEntity = (id: 'before' | 'after', { changes }: PolicyInput): Cedar.EntityJson => {
  const tags = new Map<string, string>()
  for (const row of changes) {
    const value = row[id]
    const known = tags.get(row.label)
    if (value !== null) tags.set(row.label, known === undefined ? value : `${known}\n${value}`)
  }
  return { uid: uid('Changes', id), attrs: {}, parents: [], tags: Object.fromEntries(tags) }
}

/** A person is in a group by its id, and by each name under which the policies mean it. */
const groupsOf = ({ groups }: PolicyPerson, names: PolicySet['groups']): Cedar.TypeAndId[] => {
  const ids = new Set(groups)
  return [...groups, ...Object.entries(names).flatMap(([name, id]) => ids.has(id) && name !== id ? [name] : [])]
    .map((id) => uid('Group', id))
}

const personEntity = (person: PolicyPerson, names: PolicySet['groups']): Cedar.EntityJson => ({
  uid: uid('User', person.id),
  attrs: defined<Cedar.CedarValueJson>([['id', person.id], ['role', person.role], ['via', person.via],
    ['assistant', person.assistant], ['token', person.token ?? undefined]]),
  parents: groupsOf(person, names)
})

const targetEntity = ({ kind, id, within = {}, names = [] }: Target): Cedar.EntityJson => ({
  uid: uid('Target', id),
  attrs: defined<Cedar.CedarValueJson>([['kind', kind], ['id', id], ['names', names],
    ['account', within.cloud_account], ['environment', within.environment], ['project', within.project]]),
  parents: [],
  tags: within
})

const contextOf = (input: PolicyInput): Cedar.Context => ({
  args: argumentsOf(input),
  before: { __entity: uid('Changes', 'before') },
  after: { __entity: uid('Changes', 'after') },
  risk: input.risk,
  ...defined([['cost', costOf(input)]]),
  tainted: input.tainted,
  trigger: input.trigger,
  additive: input.tool.options?.additive === true,
  hour: input.at.getUTCHours(),
  // Monday is 1, Sunday 7.
  weekday: (input.at.getUTCDay() + 6) % 7 + 1
})

/** @returns what Cedar is asked */
export const toCedar = (input: PolicyInput, { groups }: Pick<PolicySet, 'groups'>): Call => ({
  principal: uid('User', input.person.id),
  action: uid('Action', input.tool.name),
  resource: uid('Target', input.target.id),
  context: contextOf(input),
  entities: [
    personEntity(input.person, groups),
    targetEntity(input.target),
    changesEntity('before', input),
    changesEntity('after', input),
    {
      uid: uid('Action', input.tool.name),
      attrs: {},
      parents: actionGroups(input.tool).map((name) => uid('Action', name))
    }
  ]
})
