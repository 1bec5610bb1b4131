import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from '../tap.js'
import { asAdmin, makeEnvironment } from '../app.js'
import { launch } from './crash-steward.js'

const embedded = process.env.TEST_DATABASE_URL === undefined

/** The fields of proc(5) after the name: the state, and when the process began. */
const statusOf = (pid: number): string[] => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** What a process writes into the lock. */
const lockBy = (pid: number): string => `${pid} ${statusOf(pid)[19]}`

/** @returns what it printed, having ended with code 1 */
const refused = async (t: Test, env: Record<string, string>): Promise<string> => {
  const steward = launch(t, env)
  t.same(await steward.exited, { code: 1, signal: null })
  return steward.errors
}

t.test('a wrong value stops the start with one line that names the variable', async (t) => {
  const environment = await makeEnvironment(t)
  const line = await refused(t, { ...environment, WORKER: 'yes' })
  t.equal(line, 'steward: Environment variable WORKER: one of true, false, only\n')
})

t.test('a database server that is not there stops the start with one line', async (t) => {
  const environment = await makeEnvironment(t, { DATABASE_URL: 'postgres://nobody:hidden@127.0.0.1:1/none' })
  const line = await refused(t, environment)
  t.match(line, /^steward: The database of DATABASE_URL cannot be used: [^\n]+\n$/)
  t.notMatch(line, /hidden/)
})

t.test('what libraries warn of is a line of the log, and nothing stands between its lines', async (t) => {
  const environment = await makeEnvironment(t, {
    LOG_LEVEL: 'info',
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'false',
    NODE_OPTIONS: '--import data:text/javascript,process.on(%22SIGUSR2%22,()=>process.emitWarning(%22two%5Cnlines%22))'
  })
  const steward = launch(t, environment)
  const url = await steward.listening()
  const read = await fetch(`${url}/infrastructure/containers/clusters`, { headers: asAdmin })
  // Also by a call that a busy machine does not answer in time.
  t.ok([200, 504].includes(read.status), `the SDK is loaded: ${read.status}`)
  steward.child.kill('SIGUSR2')
  while (!steward.output.includes('two')) await new Promise((resolve) => setTimeout(resolve, 50))
  await steward.kill('SIGTERM')
  t.equal(steward.errors, '')
  const lines = steward.output.trim().split('\n').map((line) => JSON.parse(line))
  const warned = lines.filter(({ msg }) => String(msg).startsWith('two'))
  t.match(warned, [{ level: 40, warning: 'Warning', msg: 'two\nlines' }])
})

if (embedded) {
  t.test('a second process on the same folder is refused, a lock that a dead one left is taken over', async (t) => {
    const environment = await makeEnvironment(t, { LOG_LEVEL: 'info' })
    const first = launch(t, environment)
    const url = await first.listening()
    const line = new RegExp(`^steward: .* is in use by process ${first.child.pid};[^\\n]*\\n$`)
    t.match(await refused(t, environment), line)
    t.equal((await fetch(`${url}/ready`)).status, 200, 'the first goes on')

    await first.kill()
    const lock = join(environment.DATA_DIR, 'database.lock')
    t.match(readFileSync(lock, 'utf8'), new RegExp(`^${first.child.pid} `), 'the dead process has left its lock')
    const second = launch(t, environment)
    t.equal((await fetch(`${await second.listening()}/ready`)).status, 200)
    await second.kill('SIGTERM')

    // Its parent has not asked how it ended: the pid stays in use, and nobody holds the folder.
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; kill -STOP $$'])
    t.teardown(() => parent.kill('SIGKILL'))
    const zombie = Number(String((await once(parent.stdout, 'data'))[0]))
    writeFileSync(lock, lockBy(zombie))
    while (statusOf(Number(parent.pid))[0] !== 'T') await sleep(10)
    process.kill(zombie, 'SIGKILL')
    while (statusOf(zombie)[0] !== 'Z') await sleep(10)
    const afterZombie = launch(t, environment)
    await afterZombie.listening()
    t.equal(statusOf(zombie)[0], 'Z')
    await afterZombie.kill('SIGTERM')

    // It is still there when the start looks, and ends within the time that a start waits.
    const dying = spawn('sleep', ['600'])
    writeFileSync(lock, lockBy(Number(dying.pid)))
    const afterDying = launch(t, environment)
    setTimeout(() => dying.kill('SIGKILL'), 2_500)
    await afterDying.listening()
    t.ok(dying.killed, 'a start waits for a holder that is dying')
    await afterDying.kill('SIGTERM')

    // The pid lives again, as another process: its start time shows that.
    writeFileSync(lock, `${process.pid} 1`)
    const third = launch(t, environment)
    await third.listening()
    t.same(await third.kill('SIGTERM'), { code: 0, signal: null })
  })
}
