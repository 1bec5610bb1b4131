import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from '../tap.js'
import { makeEnvironment, makeFolder } from '../app.js'
import { launch } from '../flows/crash-steward.js'

const text = readFileSync('deploy/Dockerfile', 'utf8')
/** What the image takes of the folder that was built. */
const copied = [...text.matchAll(/^COPY --from=build (.+) \S+$/gm)]
  .flatMap(([, paths = '']) => paths.split(' ')).map((path) => path.replace('/app/', ''))

/** @returns a folder with what the image holds, or with less */
const makeImage = (t: Test, without = /^dist\/[^/]*(test|clients)/): string => {
  const folder = makeFolder(t)
  t.ok(copied.includes('package.json') && copied.includes('dist') && copied.includes('node_modules'))
  for (const path of copied) {
    const target = join(folder, path)
    if (path === 'node_modules') symlinkSync(join(process.cwd(), path), target)
    else cpSync(path, target, { recursive: true, filter: (one) => !without.test(one) })
  }
  return folder
}

t.test('what the image holds is enough to start, and has every page', async (t) => {
  const folder = makeImage(t)
  const steward = launch(t, await makeEnvironment(t, { LOG_LEVEL: 'info' }), [], folder)
  const url = await steward.listening()
  for (const path of ['/ready', '/', '/setup', '/setup.js', '/sign-in', '/sign-in.js', '/docs/', '/openapi.json']) {
    t.equal((await fetch(url + path)).status, 200, path)
  }
})

t.test('an image without the sandbox runs with SANDBOX=off, and says so without it', async (t) => {
  const folder = makeImage(t, /^dist\/([^/]*(test|clients)|bundle\/sandbox-|packages\/sandbox|node_modules)/)
  const steward = launch(t, await makeEnvironment(t, { LOG_LEVEL: 'info', SANDBOX: 'off' }), [], folder)
  t.equal((await fetch(`${await steward.listening()}/health`)).status, 200)
  const other = launch(t, await makeEnvironment(t, { LOG_LEVEL: 'info' }), [], folder)
  t.match(await other.exited, { code: 1 })
  t.match(other.errors + other.output, /this installation has no sandbox to answer for them: name them, or set SANDBOX=off/)
})
