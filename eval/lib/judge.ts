import { setTimeout as sleep } from 'node:timers/promises'
import { fillIn, type Facts, type Finding, type Task } from '../task.js'
import { changesSince, compareChanges, takeSnapshot, type Snapshot } from './changes.js'
import { converse, personOf, type Decide, type Talk } from './converse.js'
import type { World } from './world.js'

/** One try of a task. It has passed if there is no problem. */
export interface Verdict { problems: string[], talk: Talk }

/** A task in its world: what the setup made, and what was there then. */
export interface Prepared { facts: Facts, before: Snapshot }

export const prepare = async (world: World, task: Task): Promise<Prepared> => {
  const facts = await task.setup?.(world) ?? {}
  return { facts, before: await takeSnapshot(world) }
}

const everyMs = 100

const messageOf = (error: unknown): string => error instanceof Error ? error.message : String(error)

const failed = (findings: Finding[]): string[] => findings.filter(([, holds]) => !holds)
  .map(([what]) => `does not hold: ${what}`)

/** What a job does comes later: it is waited for, as long as something is missing. */
const findProblems = async (world: World, task: Task, { facts, before }: Prepared, reply: string, waitMs: number):
Promise<string[]> => {
  const expected = fillIn(task.leaves ?? [], facts)
  for (const end = Date.now() + waitMs; ; await sleep(everyMs)) {
    const changes = compareChanges(expected, changesSince(before, await takeSnapshot(world)))
    const findings = await Promise.resolve(task.check(world, reply, facts)).catch((error: unknown) =>
      [[messageOf(error), false] as const])
    const problems = [...changes, ...failed(findings)]
    if (problems.length === 0 || expected.length === 0 || Date.now() >= end) return problems
  }
}

interface Try {
  /** Decides in the place of the task's own person. */
  decide?: Decide
  /** How long to wait for what jobs do. */
  waitMs?: number
}

/** Lets the model work on the task, and reads what has become of the world. */
export const attempt = async (world: World, task: Task, prepared: Prepared,
  { decide, waitMs = 5_000 }: Try = {}): Promise<Verdict> => {
  const { facts } = prepared
  const talk = await converse(world, fillIn(task.says, facts),
    decide ?? personOf(fillIn(task.approves ?? [], facts)), { ...(facts.token && { token: facts.token }) })
  const foreseen = personOf(fillIn(task.rejects ?? [], facts))
  const rejected = talk.proposals.filter((proposal) => !proposal.approved && !foreseen(proposal))
    .map(({ summary }) => `rejected: ${summary}`)
  const late = talk.executed.length > talk.proposals.filter(({ approved }) => approved).length
  return {
    talk,
    problems: [
      ...talk.problems, ...rejected, ...(late ? ['a write was executed without a decision'] : []),
      ...await findProblems(world, task, prepared, talk.reply, waitMs)
    ]
  }
}
