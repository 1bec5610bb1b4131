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

t.test('a comparison is of the periods that were asked for, half a month never against a whole one', async (t) => {
  const now = new Date()
  const first = (back: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
  const date = (at: Date) => at.toISOString().slice(0, 10)
  const whole = (back: number) => `${date(first(back))} to ${date(new Date(first(back - 1).getTime() - 86_400_000))}`
  const today = date(now)
  const soFar = today.endsWith('-01') ? today : `${date(first(0))} to ${today}`
  const ofLast = await ask('What did we spend last month, compared with the month before?')
  t.match(ofLast.text, `last month (${whole(1)})`)
  t.match(ofLast.text, `the month before (${whole(2)})`)
  for (const phrase of ['Why is this month more expensive than last month?', 'Compare costs with last month']) {
    const { text } = await ask(phrase)
    t.match(text, `this month so far (${soFar})`, phrase)
    t.match(text, `the same days of last month (${date(first(1))}`, phrase)
  }
  const ofDays = await ask('Compare our spending in the last 7 days with the week before')
  t.match(ofDays.text, 'the last 7 days')
  t.match(ofDays.text, 'the 7 days before')
})
