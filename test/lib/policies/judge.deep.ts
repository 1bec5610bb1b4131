import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from '../../tap.js'
import type { PolicySet } from '../../../lib/policies/compile.js'
import { judgeAll } from '../../../lib/policies/judge.js'
import { operations } from '../../../lib/policies/operations.js'
import type { PolicyInput } from '../../../lib/policies/policy-input.js'
import { facts, groupIds, policies, textOf, tools } from './grammar.js'
import { inputOf, schema } from './inputs.js'
import { expectedOf } from './reference.js'

/** To validate a set takes longer than all else. */
const setOf = async (text: string, isValidated: boolean): Promise<PolicySet> => {
  const compiled = await operations.compile(text, groupIds, isValidated ? schema : undefined)
  if (compiled.kind === 'invalid') throw new Error(compiled.problems.map(({ message }) => message).join('\n'))
  return compiled.set
}

/** In this process, which 12,000 judgements do not leave. */
const judge = async (set: PolicySet, version: number | null, input: PolicyInput) => {
  const [verdict] = await judgeAll(set, version, [input], operations.authorize)
  if (!verdict) throw new Error('There is no verdict')
  return verdict
}

t.setTimeout(300_000)

t.test('10,000 random sets and plans: what Cedar decides is what a plain evaluator decides', async (t) => {
  const seen = { forbid: 0, ask: 0, run: 0 }
  let sets = 0
  await fc.assert(fc.asyncProperty(policies, facts, async (list, given) => {
    const input = inputOf(given)
    const { outcome, policies: ids, requirement } = await judge(await setOf(textOf(list), sets < 500), 3, input)
    sets += 1
    seen[outcome] += 1
    assert.deepEqual({ outcome, policies: ids, requirement }, expectedOf(list, input, 3), textOf(list))
  }), { numRuns: 10_000, seed: 19 })
  t.ok(seen.forbid > 1_000 && seen.ask > 1_000 && seen.run > 500, JSON.stringify(seen))
})

t.test('whatever else a set says, what a forbid names never runs and is never asked', async () => {
  const forbids = fc.array(fc.constantFrom(...tools), { minLength: 1, maxLength: 2 })
  await fc.assert(fc.asyncProperty(policies, forbids, facts, async (list, names, given) => {
    const named = names.map((name, index) =>
      `@id("no${index}") forbid (principal, action == Action::"${name}", resource);`)
    const set = await setOf([textOf(list), ...named].join('\n'), false)
    const { outcome } = await judge(set, null, inputOf(given))
    return outcome === 'forbid' || !names.includes(given.tool)
  }), { numRuns: 2_000, seed: 7 })
})
