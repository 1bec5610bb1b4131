import type { Schemas } from '../../../api/client'

type Example = Schemas['PolicyExample']
type Request = Example['request']
export type Risk = NonNullable<Request['risk']>
export type Outcome = Example['expect']['outcome']

/** An example as its form has it: lists of pairs as lines of `name = value`. */
export interface Fields {
  name: string
  tool: string
  args: string
  kind: string
  id: string
  within: string
  risk: Risk
  role: string
  groups: string
  tainted: boolean
  outcome: Outcome
  approvals: number
}

const valueOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** @returns a value as a person types it: a text stands as it is, unless it would be read as another value */
const typed = (value: unknown): string =>
  typeof value === 'string' && valueOf(value) === value ? value : JSON.stringify(value)

const toLines = (pairs: Record<string, unknown> | undefined): string =>
  Object.entries(pairs ?? {}).map(([name, value]) => `${name} = ${typed(value)}`).join('\n')

const pairsIn = (lines: string): [string, string][] => lines.split('\n').filter((line) => line.includes('='))
  .map((line) => [line.slice(0, line.indexOf('=')).trim(), line.slice(line.indexOf('=') + 1).trim()])

const wordsIn = (text: string): string[] => text.split(',').map((word) => word.trim()).filter((word) => word !== '')

export const noExample: Example = {
  name: '', request: { tool: '' }, expect: { outcome: 'ask' }
}

export const toFields = ({ name, request, expect }: Example): Fields => ({
  name,
  tool: request.tool,
  args: toLines(request.arguments),
  kind: request.target?.kind ?? '',
  id: request.target?.id ?? '',
  within: toLines(request.target?.within),
  risk: request.risk ?? 'medium',
  role: request.person?.role ?? '',
  groups: (request.person?.groups ?? []).join(', '),
  tainted: request.tainted ?? false,
  outcome: expect.outcome,
  approvals: expect.approvals ?? 1
})

const targetOf = ({ target }: Request, { kind, id, within }: Fields): Pick<Request, 'target'> => {
  if (kind.trim() === '' || id.trim() === '') return {}
  const { within: _, ...rest } = target ?? {}
  const holders = Object.fromEntries(pairsIn(within))
  const held = Object.keys(holders).length > 0 ? { within: holders } : {}
  return { target: { ...rest, kind: kind.trim(), id: id.trim(), ...held } }
}

const personOf = ({ person }: Request, { role, groups }: Fields): Pick<Request, 'person'> => {
  const { role: _, groups: __, ...rest } = person ?? {}
  const names = wordsIn(groups)
  return {
    person: { ...rest, ...(role.trim() !== '' && { role: role.trim() }), ...(names.length > 0 && { groups: names }) }
  }
}

/** @returns the example with what the form says; what the form does not show stays */
export const toExample = (before: Example, fields: Fields): Example => {
  const { name, tool, args, risk, tainted, outcome, approvals } = fields
  const { target: _, ...request } = before.request
  const { approvals: __, ...expect } = before.expect
  return {
    name: name.trim(),
    request: {
      ...request,
      ...targetOf(before.request, fields),
      ...personOf(before.request, fields),
      tool: tool.trim(),
      arguments: Object.fromEntries(pairsIn(args).map(([key, text]) => [key, valueOf(text)])),
      risk,
      tainted
    },
    expect: { ...expect, outcome, ...(outcome === 'ask' && { approvals }) }
  }
}
