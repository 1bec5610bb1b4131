import { chmodSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t from '../tap.js'
import { copyImage } from '../../db/embedded-image.js'
import { makePrivate } from '../../db/clients.js'
import { buildApp, makeEnvironment, makeFolder } from '../app.js'

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

if (process.env.TEST_DATABASE_URL === undefined) {
  t.test('F45: others cannot enter the embedded database, in a folder that was there', async (t) => {
    for (const isNew of [false, true]) {
      const environment = await makeEnvironment(t, { SANDBOX: 'off' })
      const folder = join(environment.DATA_DIR, 'database')
      chmodSync(environment.DATA_DIR, 0o755)
      if (!isNew) {
        await copyImage(folder)
        chmodSync(folder, 0o755)
      }
      await buildApp(t, environment)
      t.same([modeOf(environment.DATA_DIR), modeOf(folder)], ['755', '700'], isNew ? 'a first start' : 'a later one')
    }
  })
}

const skip = process.platform !== 'linux' && 'needs /proc'

t.test('F45: a folder that cannot be closed is refused, in one line', { skip }, async (t) => {
  const folder = join(makeFolder(t), 'closed')
  // No user can change its mode.
  symlinkSync('/proc/self/attr', folder)
  const message = `${folder} is open to other users; make it 0700, or set another DATA_DIR`
  t.throws(() => makePrivate(folder), { message })
})
