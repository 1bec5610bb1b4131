import { readFileSync } from 'node:fs'
import t from 'tap'
import { buildApp } from '../app.js'
import { chat, framesOf, textOf } from '../chat.js'

const app = await buildApp(t, { LIMITS: JSON.stringify({ requests_per_minute: 5_000, live_runs_per_user: 20 }) })

/** Each phrase with the tool that answers it at the end; - = no tool, as for a greeting or a question back. */
const phrases = readFileSync('test/sandbox/phrases.tsv', 'utf8').trimEnd().split('\n').map((line) => {
  const [tool = '', text = ''] = line.split('\t')
  return { tool: tool === '-' ? undefined : tool, text }
})

const ask = async (message: string) => {
  const { frames } = await chat(app, { message })
  const calls = framesOf(frames, 'tool_call').map(({ data }) => data)
  return { tool: calls.at(-1)?.name, statuses: calls.map(({ status }) => status), text: textOf(frames) }
}

/** The sandbox types its answers: several at once take the time of one. */
const atOnce = 8

/** What a person who is new must never be shown. */
const shameful = /did not understand|\{"|_id\b|must match|invalid_request|arguments_invalid|not work:|undefined|NaN/

t.test('120 plain requests are understood', async (t) => {
  t.ok(phrases.length >= 120)
  for (let from = 0; from < phrases.length; from += atOnce) {
    const some = phrases.slice(from, from + atOnce)
    const answers = await Promise.all(some.map(({ text }) => ask(text)))
    for (const [index, { tool, text }] of some.entries()) {
      const answer = answers[index]
      t.equal(answer?.tool, tool, text)
      // What stands in a block of code is a log, as it is.
      t.notMatch(answer?.text.replace(/```[^]*?```/g, ''), shameful, text)
      t.notOk(answer?.statuses.includes('denied'), `${text}: no call is refused`)
    }
  }
})
