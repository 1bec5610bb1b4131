import fc from 'fast-check'
import type { PolicyInput } from '../../../lib/policies/policy-input.js'

/** A condition of a policy: as Cedar's text, and as a function that knows nothing of Cedar. */
export interface Condition { text: string, holds: (input: PolicyInput) => boolean | 'error' }

export interface GeneratedPolicy {
  id: string
  effect: 'permit' | 'forbid'
  outcome: 'approve' | 'run' | null
  approvals: number
  from: string[]
  exclude: boolean
  escalate: { minutes: number, groups: string[] } | null
  allowTainted: boolean
  principal: string | null
  actions: { text: string, names: readonly string[] | null }
  condition: Condition | null
}

export const tools = ['scaleService', 'deployService', 'deleteThing'] as const
export const groupNames = ['ops', 'security', 'web'] as const
export const groupIds: Record<string, string> = {
  ops: '018f0000-0000-7000-8000-000000000001',
  security: '018f0000-0000-7000-8000-000000000002',
  web: '018f0000-0000-7000-8000-000000000003'
}
const environments = ['production', 'staging'] as const
const risks = ['low', 'medium', 'high'] as const

const quote = (text: string) => JSON.stringify(text)

const leaf: fc.Arbitrary<Condition> = fc.oneof(
  fc.constantFrom(...environments).map((value): Condition => ({
    text: `(resource has environment && resource.environment == ${quote(value)})`,
    holds: ({ target }) => target.within?.environment === value
  })),
  fc.constantFrom(...risks).map((value): Condition => ({
    text: `context.risk == ${quote(value)}`, holds: ({ risk }) => risk === value
  })),
  fc.integer({ min: 0, max: 23 }).map((value): Condition => ({
    text: `context.hour >= ${value}`, holds: ({ at }) => at.getUTCHours() >= value
  })),
  fc.integer({ min: 1, max: 7 }).map((value): Condition => ({
    text: `context.weekday == ${value}`, holds: ({ at }) => (at.getUTCDay() || 7) === value
  })),
  fc.integer({ min: 0, max: 9 }).map((value): Condition => ({
    text: `(context.args has desired_count && context.args.desired_count > ${value})`,
    holds: ({ arguments: { desired_count: count } }) => typeof count === 'number' && count > value
  })),
  fc.constantFrom(...groupNames).map((name): Condition => ({
    text: `principal in Group::${quote(name)}`, holds: ({ person }) => person.groups.includes(groupIds[name] ?? '')
  })),
  fc.constant<Condition>({ text: 'context.tainted', holds: ({ tainted }) => tainted }),
  fc.constant<Condition>({ text: 'principal.role == "admin"', holds: ({ person }) => person.role === 'admin' }),
  fc.constant<Condition>({
    text: '(context.after.hasTag("Count") && context.after.getTag("Count") like "1*")',
    holds: ({ changes }) => changes.some(({ label, after }) => label === 'Count' && after?.startsWith('1') === true)
  }),
  // What cannot be evaluated: it overflows 64 bits.
  fc.constant<Condition>({
    text: '(context.hour + 1) * 9223372036854775807 * 2 > 0', holds: () => 'error'
  })
)

/** Cedar goes from left to right, and leaves out what does not matter any more. */
const both = (isAnd: boolean) => ([a, b]: [Condition, Condition]): Condition => ({
  text: `(${a.text} ${isAnd ? '&&' : '||'} ${b.text})`,
  holds: (input) => {
    const left = a.holds(input)
    if (left === 'error' || left !== isAnd) return left
    return b.holds(input)
  }
})

const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof({ maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.tuple(tie('condition'), tie('condition')).map(both(true)),
    fc.tuple(tie('condition'), tie('condition')).map(both(false)),
    tie('condition').map((inner): Condition => ({
      text: `!(${inner.text})`,
      holds: (input) => {
        const held = inner.holds(input)
        return held === 'error' ? held : !held
      }
    })))
}))

const actions = fc.oneof(
  fc.constant({ text: 'action', names: null }),
  fc.constant({ text: 'action in Action::"write"', names: tools }),
  fc.constantFrom(...tools).map((name) => ({ text: `action == Action::"${name}"`, names: [name] })),
  fc.constant({ text: 'action in [Action::"deployService", Action::"deleteThing"]', names: tools.slice(1) }),
  fc.constant({ text: 'action in Action::"infrastructure"', names: tools.slice(0, 2) }),
  fc.constant({ text: 'action in Action::"additive"', names: ['scaleService'] })
)

const policy = fc.record({
  effect: fc.constantFrom('permit' as const, 'permit' as const, 'forbid' as const),
  outcome: fc.constantFrom('approve' as const, 'run' as const),
  approvals: fc.integer({ min: 1, max: 4 }),
  from: fc.subarray([...groupNames]),
  exclude: fc.boolean(),
  escalate: fc.option(fc.record({
    minutes: fc.integer({ min: 1, max: 90 }), groups: fc.subarray([...groupNames], { minLength: 1 })
  })),
  allowTainted: fc.boolean(),
  principal: fc.option(fc.constantFrom(...groupNames)),
  actions,
  condition: fc.option(condition)
})

const isAsking = ({ effect, outcome }: { effect: string, outcome: string | null }) =>
  effect === 'permit' && outcome === 'approve'

export const policies: fc.Arbitrary<GeneratedPolicy[]> = fc.array(policy, { maxLength: 5 }).map((list) =>
  list.map((one, index): GeneratedPolicy => {
    const asks = isAsking(one)
    return {
      ...one,
      id: `p${index}`,
      outcome: one.effect === 'forbid' ? null : one.outcome,
      approvals: asks ? one.approvals : 1,
      from: asks ? one.from : [],
      exclude: asks && one.exclude,
      escalate: asks ? one.escalate : null,
      allowTainted: one.effect === 'permit' && one.outcome === 'run' && one.allowTainted
    }
  }))

export const textOf = (list: readonly GeneratedPolicy[]): string => list.map((one) => [
  `@id("${one.id}")`,
  one.outcome === null ? '' : `@outcome("${one.outcome}")`,
  isAsking(one) ? `@approvals("${one.approvals}")` : '',
  one.from.length > 0 ? `@from("${one.from.join(', ')}")` : '',
  one.exclude ? '@exclude_requester("true")' : '',
  one.escalate ? `@escalate_to("${one.escalate.groups.join(',')}")@escalate_after("${one.escalate.minutes}m")` : '',
  one.allowTainted ? '@allow_tainted("true")' : '',
  `${one.effect} (${one.principal === null ? 'principal' : `principal in Group::"${one.principal}"`},`,
  `  ${one.actions.text}, resource)`,
  one.condition ? `when { ${one.condition.text} };` : ';'
].filter(Boolean).join('\n')).join('\n\n')

/** What is planned; the tools are given by the test. */
export const facts = fc.record({
  tool: fc.constantFrom(...tools),
  groups: fc.subarray([...groupNames]),
  role: fc.constantFrom('member', 'admin'),
  environment: fc.option(fc.constantFrom(...environments)),
  count: fc.option(fc.integer({ min: 0, max: 12 })),
  risk: fc.constantFrom(...risks),
  tainted: fc.boolean(),
  at: fc.date({ min: new Date('2026-01-01T00:00:00Z'), max: new Date('2027-01-01T00:00:00Z'), noInvalidDate: true })
})
export type Facts = typeof facts extends fc.Arbitrary<infer T> ? T : never
