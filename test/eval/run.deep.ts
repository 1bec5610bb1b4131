import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from '../tap.js'
import { pickTasks, readOptions } from '../../eval/lib/options.js'
import { startReplay } from '../../eval/lib/replay.js'
import { readTranscript } from '../../eval/lib/transcript.js'
import { tasks } from '../../eval/tasks/index.js'
import { makeFolder } from '../app.js'

const run = async (args: string[], environment: Record<string, string>) => {
  const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...environment }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['dist/eval/run.js', ...args], { env })
    .catch((error: { stdout: string, stderr: string }) => error)
  return { stdout, stderr }
}

t.test('with a key, each task is tried three times at the named server, and the key is never shown', async (t) => {
  const model = await startReplay()
  t.teardown(() => model.close())
  const turns = readTranscript('scale-web')?.turns ?? []
  model.play([...turns, ...turns, ...turns])
  const folder = makeFolder(t)
  const file = join(folder, 'results.json')
  const key = 'sk-eval-0123456789-secret'
  const { stdout, stderr } = await run(
    ['--only', 'scale-web,token-that-only-reads', '--json', file, '--record', folder],
    { ...model.environment, ANTHROPIC_API_KEY: key })
  t.match(stdout, /Each task 3 times against the model that the environment names/)
  // The model that plays scales three times, and has nothing to say to what comes after.
  t.match(stdout, /\| scale-web +\| +infrastructure \| +3\/3 \| +yes \|/)
  t.notMatch(stdout, /No model was judged/)
  const written = readFileSync(file, 'utf8')
  t.match(JSON.parse(written), { judged: true, rounds: 3, results: [{ id: 'scale-web', rounds: { length: 3 } }, {}] })
  t.match(JSON.parse(readFileSync(join(folder, 'scale-web.json'), 'utf8')), { made_by: /^recorded from / })
  t.notOk([stdout, stderr, written].some((text) => text.includes(key)))
})

t.test('without a key it says that no model was judged', async (t) => {
  const { stdout } = await run(['--only', 'which-atlas'], {})
  t.match(stdout, /No model was judged/)
  t.match(stdout, /\| which-atlas +\| +ambiguity \| +1\/1 \|/)
})

t.test('options that do not fit are refused', async (t) => {
  t.match(readOptions(['--only', 'a, b', '--rounds', '2']), { only: ['a', 'b'], rounds: 2 })
  t.throws(() => readOptions(['--rounds', '0']), { message: '--rounds takes a number from 1' })
  t.throws(() => readOptions(['--wrong']))
  t.throws(() => pickTasks(tasks, ['scale-moon']), /no task or area scale-moon/)
  t.equal(pickTasks(tasks, ['injection', 'scale-web']).length, 6)
  t.match((await run(['--record', '/tmp/x'], {})).stderr, /--record needs ANTHROPIC_API_KEY/)
})
