import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import t, { type Test } from '../tap.js'
import { asAdmin } from '../app.js'
import { chat, scripted, startChatApp } from '../chat.js'
import { makePdfBomb } from '../plugins/files.js'
import { makeOpenProject, draft } from '../routes/content/actors.js'

const limits = JSON.stringify({ requests_per_minute: 1_000_000 })
const { app, anthropic, url } = await startChatApp(t, { LIMITS: limits })
const project = await makeOpenProject(app, 'Attacked', {})

const send = (path: string, body: object, timeoutMs = 120_000) => fetch(url + path, {
  method: 'POST',
  headers: { ...asAdmin, 'content-type': 'application/json' },
  body: JSON.stringify(body),
  signal: AbortSignal.timeout(timeoutMs)
})

const tickMs = 10

/** @returns CPU of the living children, which read texts and make specs; 0 where there is no such file */
const childrenCpuMs = (): number => {
  try {
    const pids = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)
    return pids.reduce((sum, pid) => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return sum + (Number(fields[11]) + Number(fields[12])) * tickMs
    }, 0)
  } catch {
    return 0
  }
}

interface Attacked { answered: number, pauseMs: number, cpuMs: number }

/**
 * Asks for /health, over a socket of its own, for as long as an attack goes on.
 * @returns the attack's answer, how often health was answered, the longest pause of the event loop in ms, and the CPU
 */
const during = async <T>(attack: () => Promise<T>): Promise<Attacked & { answer: T }> => {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const [before, childrenBefore] = [process.cpuUsage(), childrenCpuMs()]
  const state = { isOver: false, answered: 0 }
  delay.enable()
  const asking = (async () => {
    while (!state.isOver) {
      const health = await fetch(`${url}/health`)
      await health.text()
      if (health.status === 200 && !state.isOver) state.answered++
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  })()
  const answer = await attack().finally(() => { state.isOver = true })
  await asking
  delay.disable()
  const { user, system } = process.cpuUsage(before)
  const cpuMs = Math.round((user + system) / 1_000 + Math.max(0, childrenCpuMs() - childrenBefore))
  return { answer, answered: state.answered, pauseMs: Math.round(delay.max / 1e6), cpuMs }
}

const repeat = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

/** What one expression or another reads worst; of the length that a text may have. */
const units = ['eyJ-', 'a.', 'x://a:', 'a', ' ', '\n', '#', '*a_ ', '>', '- ', '`', '<!--', '[', '[a](', '“', '"a',
  '0,', 'As a x, I want to ',
  'given a, when b, then ', 'The system must ', 'must shall ', '| a ', '1. ', 'Aa ', '```\n',
  'a\n', '. ', 'if when ', '\u00a0', '<main>', 'TBD ', 'a/b ', '1 ms ', '(AB)']

const show = (t: Test, name: string, { answered, pauseMs, cpuMs }: Attacked) =>
  t.comment(`${name}: at most ${pauseMs} ms without an answer, ${answered} of /health, ${cpuMs} ms of CPU`)

/** What a hostile text may cost more than a harmless one of its length: the quadratic ones cost a thousand times. */
const [mostTimes, spareMs] = [10, 1_000]

const judge = (t: Test, name: string, harmless: Attacked, attacked: Attacked) => {
  show(t, name, attacked)
  t.ok(attacked.cpuMs < harmless.cpuMs * mostTimes + spareMs, `${name}: ${attacked.cpuMs} ms of CPU`)
}

const harmless = 'Returning customers pay with one tap. '

const propose = (unit: string) => {
  const input = { name: 'Hostile', description: `eyJ${repeat(unit, 450_000)}` }
  return during(() => send('/api/v1/agent/tool-calls', { name: 'createProject', arguments: input }))
}

const converse = (unit: string) => {
  const input = { name: 'Hostile', description: `eyJ${repeat(unit, 450_000)}` }
  const message = scripted(anthropic, [{ content: [{ type: 'tool_use', name: 'createProject', input }] }, {
    content: [{ type: 'text', text: 'Done.' }]
  }])
  return during(() => chat(app, { message }))
}

t.test('S4: hostile arguments, of a program and of the model, cost what harmless ones do', async (t) => {
  await propose(harmless)
  const proposed = await propose(harmless)
  for (const unit of units) judge(t, `argument ${JSON.stringify(unit)}`, proposed, await propose(unit))
  await converse(harmless)
  const spoken = await converse(harmless)
  for (const unit of ['eyJ-', 'a.', 'x://a:']) {
    judge(t, `the model's argument ${JSON.stringify(unit)}`, spoken, await converse(unit))
  }
})

const specify = (unit: string) => during(async () => {
  const data = Buffer.from(repeat(unit, 30_000)).toString('base64')
  const inputs = [{ kind: 'file', label: 'Brief', filename: 'brief.md', data }]
  const made = await (await send('/pse/sessions', { title: 'Hostile', inputs })).json() as { session_id?: string }
  if (made.session_id === undefined) return 'refused'
  return (await send(`/pse/sessions/${made.session_id}/generate`, { engine: 'template' })).status
})

t.test('S4: hostile files cost what a harmless one does, from the upload to the spec', async (t) => {
  await specify(harmless)
  const read = await specify(harmless)
  for (const unit of units) {
    const attacked = await specify(unit)
    judge(t, `spec of ${JSON.stringify(unit)}, ${attacked.answer}`, read, attacked)
  }
})

t.test('S8: a hostile PDF', async (t) => {
  const data = (await makePdfBomb()).toString('base64')
  const inputs = [{ kind: 'file', label: 'Brief', filename: 'brief.pdf', data }]
  const made = await during(() => send('/pse/sessions', { title: 'Hostile', inputs }))
  show(t, 'PDF', made)
  t.match(await made.answer.json(), { status: 422, code: 'file_too_complex' })
  t.ok(made.answered > 0, 'health is answered meanwhile')
})

t.test('S7: hostile Markdown, checked by a brand', async (t) => {
  for (const unit of ['*a_ ', '>', '- ', '0,', '[a](', 'eyJ-', 'a/b ']) {
    const body_markdown = repeat(unit, 20_000)
    const checked = await during(() => send('/content/checks', draft(project, { body_markdown })))
    show(t, `check ${JSON.stringify(unit)}, ${checked.answer.status}`, checked)
    t.ok([200, 422].includes(checked.answer.status) && checked.answered > 0, 'health is answered meanwhile')
  }
})
