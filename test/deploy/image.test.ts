import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from '../tap.js'
import { makeEnvironment, makeFolder } from '../app.js'
import { launch } from '../flows/crash-steward.js'

const text = readFileSync('deploy/Dockerfile', 'utf8')
/** What the image takes of the folder that was built. */
const copied = [...text.matchAll(/^COPY --from=build (.+) \S+$/gm)]
  .flatMap(([, paths = '']) => paths.split(' ')).map((path) => path.replace('/app/', ''))

t.test('what the image holds is enough to start, and has every page', async (t) => {
  const folder = makeFolder(t)
  t.ok(copied.includes('package.json') && copied.includes('dist') && copied.includes('node_modules'))
  for (const path of copied) {
    const target = join(folder, path)
    if (path === 'node_modules') symlinkSync(join(process.cwd(), path), target)
    else cpSync(path, target, { recursive: true, filter: (one) => dirname(one) !== 'dist' || !/test|clients/.test(one) })
  }
  const steward = launch(t, await makeEnvironment(t, { LOG_LEVEL: 'info' }), [], folder)
  const url = await steward.listening()
  for (const path of ['/ready', '/', '/setup', '/setup.js', '/sign-in', '/sign-in.js', '/docs/', '/openapi.json']) {
    t.equal((await fetch(url + path)).status, 200, path)
  }
})
