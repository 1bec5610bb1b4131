import t from '../../tap.js'
import { TaskProcesses, type TaskProcessesOptions } from '../../../lib/processes/task-processes.js'
import { onShareOf } from '../../../lib/processes/share.js'
import { Shares } from '../../../lib/processes/shares.js'
import type { operations } from './tasks.js'

const start = (more: Partial<TaskProcessesOptions> = {}) => new TaskProcesses<typeof operations>({
  script: new URL('./tasks.js', import.meta.url),
  maxHeapMb: 64,
  tooComplex: () => new Error('too complex'),
  overloaded: (detail = 'overloaded') => new Error(detail),
  ...more
})

t.test('tasks run in their order on copies of their arguments, without our environment', async (t) => {
  const tasks = start()
  const at = new Date(0)
  t.same(await Promise.all([tasks.run('add', 1, 2), tasks.run('names', new Set(['a']), at), tasks.run('environment')]),
    [3, ['a', at.toISOString()], []])
})

t.test('a task that throws, or exhausts the stack, ends itself only', async (t) => {
  const tasks = start()
  const [failed, deep, sum] = await Promise.allSettled(
    [tasks.run('fail', 'as it is'), tasks.run('deepen'), tasks.run('add', 2, 3)])
  t.match(failed, { status: 'rejected', reason: { message: 'as it is' } })
  t.match(deep, { status: 'rejected', reason: { message: 'too complex' } })
  t.match(sum, { status: 'fulfilled', value: 5 })
})

t.test('a task that takes all memory ends its process, not ours; the next one gets another process', async (t) => {
  const tasks = start()
  const [filled, sum] = await Promise.allSettled([tasks.run('fill'), tasks.run('add', 3, 4)])
  t.match(filled, { status: 'rejected', reason: { message: 'too complex' } })
  t.match(sum, { status: 'fulfilled', value: 7 })
})

t.test('a task that does more work than its arguments allow is ended', async (t) => {
  const tasks = start({ cpuMs: (chars) => chars === 0 ? 500 : 60_000 })
  const end = async () => tasks.run('loop').then(() => 'done', ({ message }: Error) => message)
  let ended = await end()
  // On a machine that gives it too little time, the machine is at fault first.
  for (let tries = 0; ended === 'overloaded' && tries < 5; tries++) ended = await end()
  t.equal(ended, 'too complex')
  await t.rejects(tasks.run('fail', 'the next one runs'), { message: 'the next one runs' })
})

t.test('a task that is held up, and works little, is not ended for what it works', async (t) => {
  const tasks = start({ cpuMs: () => 300 })
  t.type(await tasks.run('wait', 1_500), 'number')
})

t.test('a task that gets no time on the machine is not too complex: the machine is overloaded', async (t) => {
  const tasks = start({ cpuMs: () => 50 })
  process.kill(await tasks.run('pid'), 'SIGSTOP')
  const [held, next] = await Promise.allSettled([tasks.run('add', 1, 1), tasks.run('add', 1, 2)])
  t.match(held, { status: 'rejected', reason: { message: 'overloaded' } })
  t.match(next, { status: 'fulfilled', value: 3 })
})

t.test('a signal to the whole group ends no task: the parent drains, and the process ends with it', async (t) => {
  const tasks = start()
  const pid = await tasks.run('pid')
  const waiting = tasks.run('wait', 300)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.kill(pid, signal)
  t.equal(await waiting, pid)
  t.equal(await tasks.run('pid'), pid, 'the same process goes on')
})

t.test('a process that cannot be started fails all that wait, and is not started for ever', async (t) => {
  const tasks = start({ script: new URL('./no-such-script.js', import.meta.url) })
  const [one, other] = await Promise.allSettled([tasks.run('add', 1, 1), tasks.run('add', 2, 2)])
  for (const failed of [one, other]) t.match(failed, { status: 'rejected', reason: { message: /could not be started/ } })
})

/** Each ends when it is let; the order in which they began is what counts. */
const makeGate = () => {
  const began: string[] = []
  const ends: (() => void)[] = []
  const work = (name: string) => () => new Promise<void>((resolve) => {
    began.push(name)
    ends.push(resolve)
  })
  /** Lets the first that runs end, and what follows begin. */
  const endFirst = async () => {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  return { began, work, endFirst }
}

const atOnce = { person: 1, workspace: 2, all: 3 }
const waiting = { person: 3, workspace: 4, all: 6 }
const makeShares = () => new Shares({
  atOnce, waiting, maxWaitMs: 60_000, overloaded: (detail = 'too many wait') => new Error(detail)
})

t.test('a workspace that brings much leaves room for another, and a person for a colleague', async (t) => {
  const shares = makeShares()
  const { began, work, endFirst } = makeGate()
  const bring = (workspace: string, person: string, name: string) =>
    onShareOf(workspace, person, () => shares.run(work(name)))
  const all = [
    bring('a', 'ada', 'ada 1'), bring('a', 'ada', 'ada 2'), bring('a', 'ada', 'ada 3'),
    bring('a', 'alan', 'alan 1'), bring('a', 'alan', 'alan 2'), bring('b', 'bob', 'bob 1')
  ]
  t.same(began, ['ada 1', 'alan 1', 'bob 1'], 'each has one at once, and the other workspace does not wait')
  const more = [bring('c', 'cleo', 'cleo 1'), bring('b', 'bea', 'bea 1')]
  for (let at = 0; at < 8; at++) await endFirst()
  await Promise.all([...all, ...more])
  t.same(began.slice(3), ['cleo 1', 'ada 2', 'bea 1', 'alan 2', 'ada 3'], 'in turns, not in the order of arrival')
  t.equal(shares.waiting, 0)
})

t.test('what a person, a workspace and all bring more than may wait is refused; the others go on', async (t) => {
  const shares = makeShares()
  const { work, endFirst } = makeGate()
  const bring = (workspace: string, person: string) => onShareOf(workspace, person, () => shares.run(work(person)))
  const held = [bring('a', 'ada'), bring('a', 'ada'), bring('a', 'ada'), bring('a', 'ada')]
  await t.rejects(bring('a', 'ada'), { message: '3 requests of yours wait already' })
  held.push(bring('a', 'alan'), bring('a', 'alan'))
  await t.rejects(bring('a', 'alan'), { message: '4 requests of your workspace wait already' })
  held.push(bring('b', 'bob'), bring('b', 'bob'), bring('c', 'cleo'))
  await t.rejects(bring('d', 'dora'), { message: 'too many wait' })
  for (let at = 0; at < held.length; at++) await endFirst()
  await Promise.all(held)
  t.equal(shares.waiting, 0)
  const last = bring('a', 'ada')
  await endFirst()
  await last
})

t.test('a task that is endless holds up its workspace, and no other', async (t) => {
  const tasks = start({ cpuMs: (chars) => chars === 0 ? 1_000 : 60_000 })
  const order: string[] = []
  const looping = onShareOf('a', 'ada', () => tasks.run('loop')).catch(() => { order.push('the endless one') })
  await onShareOf('b', 'bob', () => tasks.run('add', 1, 1))
  order.push('the other workspace')
  await looping
  t.same(order, ['the other workspace', 'the endless one'])
})
