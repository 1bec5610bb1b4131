import type { App } from '../app.js'
import { framesOf, textOf, type Frame, type Turn } from '../chat.js'
import { storedFrames } from './asking.js'

/** The events of a run; a client that registers for each of them needs them all. */
export const names = ['content', 'tool_call', 'tool_result', 'confirmation_required', 'done', 'error']

const words = Array.from({ length: 12 }, (_, index) => `word ${index} é 漢字 👍 `).join('')
export const reading: Turn[] = [
  { content: [{ type: 'text', text: words }, { type: 'tool_use', name: 'listProjects', input: {} }], chunk: 7 },
  { content: [{ type: 'text', text: words }], chunk: 7 }
]

const facts = (frames: Frame[]) =>
  frames.filter(({ event }) => event !== 'content').map(({ id, data }) => ({ id, data }))

/** @returns what the client holds, and what it should: the same texts and events, none of them twice */
export const held = async (app: App, frames: Frame[]) => {
  const { session_id, run_id } = framesOf(frames, 'done')[0]?.data ?? {}
  const stored = await storedFrames(app, String(session_id), String(run_id))
  return [[textOf(frames), facts(frames)], [textOf(stored), facts(stored)]]
}

/** Bytes of a body, the same at each run of the test. */
export const someCuts = (count: number, seed: number): number[] => {
  let state = seed
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % 900
  })
}

/** @returns bytes of a whole stream at which to cut it: each about the id of one frame and its end, and some before */
export const cutsAbout = (body: string): number[] => {
  // The stored stream, with the chunk header that goes before each piece of it.
  const frame = /event: tool_call\n.*\nid: .*\n\n/.exec(body)
  const [from, length] = [Buffer.byteLength(body.slice(0, frame?.index)), Buffer.byteLength(frame?.[0] ?? '')]
  const cuts = Array.from({ length: length + 40 }, (_, index) => from + index)
    .filter((cut) => cut > from + length - 80 || cut % 13 === 0)
  if (length <= 200 || cuts.length <= 100) throw new Error('The stream has no frame that is worth a cut')
  return cuts
}
