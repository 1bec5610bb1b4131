import t from '../../tap.js'
import { TaskProcess, type TaskProcessOptions } from '../../../lib/processes/task-process.js'
import type { operations } from './tasks.js'

const start = (more: Partial<TaskProcessOptions> = {}) => new TaskProcess<typeof operations>({
  script: new URL('./tasks.js', import.meta.url), maxHeapMb: 64, tooComplex: () => new Error('too complex'), ...more
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
  await t.rejects(tasks.run('loop'), { message: 'too complex' })
  await t.rejects(tasks.run('fail', 'the next one runs'), { message: 'the next one runs' })
})

t.test('a task that is held up, and works little, is not ended for what it works', async (t) => {
  const tasks = start({ cpuMs: () => 300, overloaded: () => new Error('overloaded') })
  t.type(await tasks.run('wait', 1_500), 'number')
})

t.test('a task that gets no time on the machine is not too complex: the machine is overloaded', async (t) => {
  const tasks = start({ cpuMs: () => 50, overloaded: () => new Error('overloaded') })
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
