import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
import { adminToken, makeFolder } from '../app.js'
import { launch } from '../flows/crash-steward.js'

const status = (pid: number | undefined): string => `/proc/${pid}/status`

/** Under Node 24, V8 once took 600 MB to compile one function of the database for speed. */
t.test('a Steward with an embedded database never takes 512 MB to start', async (t) => {
  const steward = launch(t, { DATA_DIR: makeFolder(t), ADMIN_TOKEN: adminToken, PORT: '0', LOG_LEVEL: 'info' })
  await steward.listening()
  if (!existsSync('/proc/self/status')) return t.pass('only Linux says how much a process took')
  const [, peak] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(status(steward.child.pid), 'utf8')) ?? []
  t.ok(Number(peak) < 512 * 1024, `it took ${peak} kB at most`)
})
