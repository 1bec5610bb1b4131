import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import t from '../tap.js'
import { adminToken, makeFolder } from '../app.js'
import { launch } from '../flows/crash-steward.js'

/** @returns kilobytes: the most that Linux gave the process, and what it has now elsewhere */
const takenBy = (pid: number): number => {
  const status = `/proc/${pid}/status`
  return existsSync(status)
    ? Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1])
    : Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }))
}

/** Under Node 24, V8 once took 600 MB to compile one function of the database for speed. */
t.test('a Steward with an embedded database never takes 512 MB to start', async (t) => {
  const steward = launch(t, { DATA_DIR: makeFolder(t), ADMIN_TOKEN: adminToken, PORT: '0', LOG_LEVEL: 'info' })
  await steward.listening()
  const taken = takenBy(steward.child.pid ?? 0)
  t.ok(taken > 0 && taken < 512 * 1024, `it took ${taken} kB`)
})
