import { v5 as uuidOf } from 'uuid'
import type { ExampleResult, PolicyExample, PolicyRequest, PolicyVerdict } from '../../schemas/account/policies.js'
import type { PolicyProblem } from '../../schemas/account/policies.js'
import type { GroupIds, PolicySet } from './compile.js'
import { judgeAll } from './judge.js'
import type { PolicyInput } from './policy-input.js'
import type { PolicyTool } from './policy-schema.js'

export type FindTool = (name: string) => PolicyTool | undefined

/** A person whom an example does not name. */
const unnamed = uuidOf('steward:policies:unnamed', uuidOf.URL)

const toGroups = (names: readonly string[], groups: GroupIds): string[] =>
  names.map((name) => groups[name.toLowerCase()] ?? name)

/** @returns the request as policies see a plan */
export const toInput = ({ tool: _, person, at, ...request }: PolicyRequest, tool: PolicyTool, groups: GroupIds,
  now: Date): PolicyInput => {
  const via = person.via ?? 'assistant'
  return {
    person: {
      id: person.id ?? unnamed,
      role: person.role ?? 'member',
      groups: toGroups(person.groups ?? [], groups),
      via,
      assistant: person.assistant ?? via === 'assistant',
      token: person.token ?? null
    },
    tool,
    target: request.target ?? { kind: 'unknown', id: 'unknown' },
    arguments: request.arguments,
    changes: request.changes,
    risk: request.risk,
    tainted: request.tainted,
    trigger: request.trigger,
    at: at === undefined ? now : new Date(at)
  }
}

const isAsExpected = ({ expect }: PolicyExample, { outcome, requirement }: PolicyVerdict): boolean =>
  outcome === expect.outcome &&
  (expect.approvals === undefined || expect.approvals === requirement?.approvals) &&
  (expect.exclude_requester === undefined || expect.exclude_requester === requirement?.exclude_requester) &&
  (expect.signed === undefined || expect.signed === (requirement?.signed ?? false))

/** @returns the examples that name tools which nobody has */
export const unknownTools = (examples: readonly PolicyExample[], find: FindTool): PolicyProblem[] =>
  examples.flatMap(({ name, request: { tool } }, index) => find(tool)
    ? []
    : {
        pointer: `/examples/${index}/request/tool`,
        code: 'unknown_tool',
        message: `${JSON.stringify(name)}: no tool that writes is called ${tool}`,
        line: null,
        column: null
      })

/**
 * Judges each example as a request of now, where it names no time. One whose tool is gone does not pass.
 * @throws overloaded
 */
export const runExamples = async (set: PolicySet, examples: readonly PolicyExample[], find: FindTool,
  groups: GroupIds, now: Date): Promise<ExampleResult[]> => {
  const read = examples.map((example) => ({ example, tool: find(example.request.tool) }))
  const inputs = read.flatMap(({ example: { request }, tool }) => tool ? toInput(request, tool, groups, now) : [])
  const verdicts = (await judgeAll(set, null, inputs)).values()
  return read.map(({ example, tool }) => {
    const gone = { outcome: 'forbid' as const, reason: 'The tool is gone', requirement: null, policies: [], errors: [] }
    const verdict = tool ? verdicts.next().value ?? gone : gone
    return { name: example.name, passed: tool !== undefined && isAsExpected(example, verdict), verdict }
  })
}
