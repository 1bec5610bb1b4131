import t, { type Test } from '../tap.js'
import { asAdmin } from '../app.js'
import { parseFrames, type Frame } from '../chat.js'
import { brief } from '../../packages/spec-engine/test/engine/brief.js'
import { get, send } from './crash-client.js'
import { makeWorld, type World } from './crash-steward.js'

/** The worker dies at each of these in turn; whoever is started next takes the generation up. */
const deaths = {
  template: ['pse.step:1', 'pse.worked:1', 'pse.stored:1', 'pse.merged:1'],
  model: ['pse.step:2', 'pse.worked:2', 'pse.stored:2', 'pse.merged:1']
}

const makeSession = async (url: string): Promise<{ path: string, input: string }> => {
  const made = await send(url, '/pse/sessions', { title: 'Lockers', inputs: [{ kind: 'text', text: brief }] })
  const path = `/pse/sessions/${(await made.json() as { session_id: string }).session_id}`
  const { items } = await get(url, `${path}/inputs`)
  return { path, input: String((items as { input_id: string }[])[0]?.input_id) }
}

/** @returns all events of the session, up to the end of its generation */
const follow = async (url: string, path: string): Promise<Frame[]> => {
  const answer = await fetch(`${url}${path}/events`, { headers: { ...asAdmin, 'last-event-id': '0' } })
  return parseFrames(await answer.text())
}

const stepsOf = (frames: Frame[], event: string) =>
  frames.flatMap((frame) => frame.event === event ? [String(frame.data.step)] : [])

const checkStory = (t: Test, frames: Frame[]): void => {
  t.same(frames.map(({ id }) => Number(id)), frames.map((_, at) => at + 1), 'nothing is missing, nothing came twice')
  const ends = frames.filter(({ event }) => /^generation_(succeeded|failed|cancelled)$/.test(event))
  t.match(ends, [{ event: 'generation_succeeded', data: { version: 1 } }], 'it ended once')
  const done = stepsOf(frames, 'step_completed')
  t.equal(new Set(done).size, done.length, 'each step was done once')
  for (const key of done) {
    const last = frames.findLastIndex(({ event, data }) => event === 'step_started' && data.step === key)
    t.ok(last < frames.findIndex(({ event, data }) => event === 'step_completed' && data.step === key),
      `${key} was not begun again after it was done`)
  }
}

/** A step is one question here, so nothing was asked more often than a step was begun. */
const checkQuestions = (t: Test, { anthropic }: World, frames: Frame[]): void => {
  const begun = stepsOf(frames, 'step_started')
  const times = (pattern: RegExp) => begun.filter((key) => pattern.test(key)).length
  const tasks: [string, RegExp][] = [['read this part', /^part:/], ['say of each', /^rest:/], ['judge each', /^judge:/],
    ['repair', /^repair:/]]
  for (const [task, pattern] of tasks) {
    const asked = anthropic.control.requests(`Task: ${task}`).length
    t.ok(asked <= times(pattern), `${task}: asked ${asked} times, begun ${times(pattern)} times`)
  }
}

const documentOf = async (url: string, path: string, input: string): Promise<unknown> => {
  const { document } = await get(url, `${path}/versions/1`)
  return JSON.parse(JSON.stringify(document).replaceAll(input, 'input'))
}

for (const engine of ['template', 'model'] as const) {
  t.test(`kill -9 at every point of a generation by the ${engine}: it ends once, as if nothing had been`, async (t) => {
    const world = await makeWorld(t)
    const [first = '', ...others] = deaths[engine]
    let { steward, url } = await world.start({ FAULT: first })
    const { path, input } = await makeSession(url)
    // The process may be gone before the answer is.
    await send(url, `${path}/generate`, { engine }).catch(() => undefined)
    for (const fault of [...others, '']) {
      t.match(await steward.exited, { signal: 'SIGKILL' });
      ({ steward, url } = await world.start({ FAULT: fault }))
    }
    const frames = await follow(url, path)
    checkStory(t, frames)
    checkQuestions(t, world, frames)
    const { items } = await get(url, `${path}/generations`)
    t.match(items, [{ engine, status: 'succeeded', result_version: 1, error: null }])
    t.equal(((await get(url, `${path}/versions`)).items as unknown[]).length, 1)

    const other = await makeSession(url)
    await send(url, `${other.path}/generate`, { engine })
    await follow(url, other.path)
    t.same(await documentOf(url, path, input), await documentOf(url, other.path, other.input), 'the same spec')
    const gone = await steward.kill('SIGTERM')
    const output = steward.errors + steward.output.slice(-2_000)
    t.same(gone, { code: 0, signal: null }, gone.code === 0 ? 'it stops' : output)
  })
}
