import { type PolicyProblem, type PolicyWarning, maxPolicies } from '../../schemas/account/policies.js'
import { isObject } from '../../schemas/unknown.js'
import { digestOf } from '../tools/digest.js'
import { readAnnotations, type Misuse, type PolicyMeta } from './annotations.js'
import type { Cedar, CedarModule } from './cedar.js'

/** Where something stands in a text, from 1. */
export interface Position { line: number, column: number }

/** @param offset in bytes of UTF-8, as Cedar counts */
export const positionAt = (text: string, offset: number): Position => {
  const before = Buffer.from(text).subarray(0, offset).toString()
  const lines = before.split('\n')
  return { line: lines.length, column: [...lines.at(-1) ?? ''].length + 1 }
}

/** @returns the offset in bytes of each part, which follow one another in the text */
const offsetsOf = (text: string, parts: readonly string[]): number[] => {
  let from = 0
  return parts.map((part) => {
    const at = Math.max(text.indexOf(part, from), from)
    from = at + part.length
    return Buffer.byteLength(text.slice(0, at))
  })
}

/** The ids of groups by their names: in lower case those of a workspace, as they are written those of a text. */
export type GroupIds = Readonly<Record<string, string>>

/** Policies that can be evaluated. */
export interface PolicySet {
  /** Of the policies' texts: under it Cedar keeps them parsed. */
  digest: string
  policies: Record<string, string>
  meta: ReadonlyMap<string, PolicyMeta>
  /** The groups that the texts name. */
  groups: GroupIds
}

export type Compiled =
  | { kind: 'set', set: PolicySet, warnings: PolicyWarning[] }
  | { kind: 'invalid', problems: PolicyProblem[] }

type Found = { message: string, help?: string | null, sourceLocations?: Cedar.SourceLabel[] }

const pointer = '/text'

const positionOf = (text: string, offset: number | undefined) =>
  offset === undefined ? { line: null, column: null } : positionAt(text, offset)

const problemOf = (text: string, code: string, message: string, offset: number | undefined): PolicyProblem => {
  const at = positionOf(text, offset)
  const words = at.line === null ? message : `line ${at.line}, column ${at.column}: ${message}`
  return { pointer, code, message: words, ...at }
}

const locate = ({ sourceLocations: [first] = [] }: Found) => first?.start

const wordsOf = ({ message, help, sourceLocations: [first] = [] }: Found): string =>
  [message, first?.label, help].filter((part) => typeof part === 'string' && part !== '').join('; ')

const fromCedar = (text: string, code: string) => (found: Found): PolicyProblem =>
  problemOf(text, code, wordsOf(found), locate(found))

/** Cedar sorts the parts by their ids as text: `policy10` before `policy2`. */
const inOrder = (parts: readonly string[]): string[] => {
  const order = parts.map((_, index) => `policy${index}`).toSorted()
  const sorted: string[] = []
  parts.forEach((part, index) => { sorted[Number(order[index]?.slice('policy'.length))] = part })
  return sorted
}

interface Part { text: string, json: Cedar.PolicyJson, offset: number }

/** @returns the policies one by one, as they stand in the text */
const partsOf = (cedar: CedarModule, text: string): Part[] | PolicyProblem[] => {
  const answer = cedar.policySetTextToParts(text)
  if (answer.type === 'failure') return answer.errors.map(fromCedar(text, 'invalid_policy'))
  if (answer.policy_templates.length > 0) {
    const [first = ''] = answer.policy_templates
    return [problemOf(text, 'template', 'A policy with ?principal or ?resource is a template, which is of no use here',
      offsetsOf(text, [first])[0])]
  }
  if (answer.policies.length > maxPolicies) {
    return [problemOf(text, 'too_many_policies', `There are more than ${maxPolicies} policies`, undefined)]
  }
  const policies = inOrder(answer.policies)
  const offsets = offsetsOf(text, policies)
  const read = policies.map((part) => cedar.policyToJson(part))
  const failed = read.flatMap((one) => one.type === 'failure' ? one.errors.map(fromCedar(text, 'invalid_policy')) : [])
  return failed.length > 0
    ? failed
    : read.flatMap((one, index) => one.type === 'success'
      ? { text: policies[index] ?? '', json: one.json, offset: offsets[index] ?? 0 }
      : [])
}

const isParts = (parts: Part[] | PolicyProblem[]): parts is Part[] => !parts.some((part) => 'pointer' in part)

/** @returns what the policies name of a type, such as the groups */
const namedIn = (value: unknown, type: string): string[] => {
  if (Array.isArray(value)) return value.flatMap((one) => namedIn(one, type))
  if (!isObject(value)) return []
  if (value.type === type && typeof value.id === 'string') return [value.id]
  return Object.values(value).flatMap((one) => namedIn(one, type))
}

const misuseIn = (text: string, part: Part) => ({ name, code, message }: Misuse): PolicyProblem => {
  const at = part.text.indexOf(`@${name}`)
  return problemOf(text, code, message, part.offset + Buffer.byteLength(part.text.slice(0, Math.max(at, 0))))
}

const repeated = (text: string, parts: readonly Part[], metas: readonly PolicyMeta[]): PolicyProblem[] =>
  metas.flatMap(({ id, order }) => metas.findIndex((one) => one.id === id) < order
    ? problemOf(text, 'repeated_id', `Two policies have the id ${id}`, parts[order]?.offset)
    : [])

/** Names that are ids mean these; other names what the workspace calls so. */
const finderIn = (groups: GroupIds) => {
  const ids = new Set(Object.values(groups))
  return (name: string): string | undefined => ids.has(name) ? name : groups[name] ?? groups[name.toLowerCase()]
}

const unknownGroups = (text: string, parts: readonly Part[], find: (name: string) => string | undefined) =>
  parts.flatMap((part) => namedIn(part.json, 'Group').filter((name) => find(name) === undefined).map((name) =>
    problemOf(text, 'unknown_group', `There is no group ${JSON.stringify(name)}`,
      part.offset + Buffer.byteLength(part.text.slice(0, Math.max(part.text.indexOf(JSON.stringify(name)), 0))))))

const toSet = (parts: readonly Part[], metas: readonly PolicyMeta[], groups: GroupIds): PolicySet => {
  const policies = Object.fromEntries(metas.map(({ id }, index) => [id, parts[index]?.text ?? '']))
  return { digest: digestOf(policies), policies, meta: new Map(metas.map((meta) => [meta.id, meta])), groups }
}

/** The part of a Cedar answer that one means by a policy of ours. */
const validated = (cedar: CedarModule, text: string, schema: Cedar.SchemaJson<string>) => {
  const answer = cedar.validate({ schema, policies: { staticPolicies: text } })
  if (answer.type === 'failure') return { errors: answer.errors.map(fromCedar(text, 'invalid_policy')), warnings: [] }
  return {
    errors: answer.validationErrors.map(({ error }) => fromCedar(text, 'unfit_policy')(error)),
    warnings: answer.validationWarnings.map(({ error }): PolicyWarning =>
      ({ message: wordsOf(error), ...positionOf(text, locate(error)) }))
  }
}

/** Of all groups, those that the texts name, so that a rename later changes nothing. */
const boundGroups = (parts: readonly Part[], groups: GroupIds): GroupIds => {
  const find = finderIn(groups)
  const listed = parts.flatMap(({ json: { annotations = {} } }) => [annotations.from, annotations.escalate_to])
    .flatMap((list) => (list ?? '').split(',').map((name) => name.trim()))
  const named = [...parts.flatMap(({ json }) => namedIn(json, 'Group')), ...listed]
  return Object.fromEntries(named.toSorted().flatMap((name) => {
    const id = find(name)
    return id === undefined ? [] : [[name, id]]
  }))
}

/**
 * Reads policies. In the process for policies: the text may break what reads it.
 * @param groups of the workspace, or those that were bound when the policies were saved
 * @param schema what they are validated against; undefined for policies that were validated when they were saved
 */
export const compileWith = (cedar: CedarModule, text: string, groups: GroupIds, schema?: Cedar.SchemaJson<string>):
Compiled => {
  const parts = partsOf(cedar, text)
  if (!isParts(parts)) return { kind: 'invalid', problems: parts }
  const find = finderIn(groups)
  const read = parts.map(({ json }, order) => readAnnotations(json, order, find))
  const metas = read.map(({ meta }) => meta)
  const { errors, warnings } = schema ? validated(cedar, text, schema) : { errors: [], warnings: [] }
  const problems = [
    ...parts.flatMap((part, index) => (read[index]?.misuses ?? []).map(misuseIn(text, part))),
    ...repeated(text, parts, metas),
    ...unknownGroups(text, parts, find),
    ...errors
  ]
  if (problems.length > 0) return { kind: 'invalid', problems }
  return { kind: 'set', set: toSet(parts, metas, boundGroups(parts, groups)), warnings }
}
