import { readFileSync } from 'node:fs'
import t from '../tap.js'
import { buildApp } from '../app.js'
import { chat, framesOf, textOf } from '../chat.js'

const limits = { requests_per_minute: 5_000, live_runs_per_user: 20, waiting_runs_per_user: 300 }
const app = await buildApp(t, { LIMITS: JSON.stringify(limits) })

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
const shameful = /did not understand|\{"|_id\b|must match|invalid_request|arguments_invalid|not work:|undefined|NaN|html url|code size/

t.test('290 plain requests are understood, in five languages', async (t) => {
  t.ok(phrases.length >= 290)
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

t.test('what one thing costs is asked of its tag, or of the service of AWS, in five languages', async (t) => {
  const answers: Record<string, string> = {
    'What does web cost us?': 'for **web** (all with the tag team=web), this month',
    'Was kostet uns web?': 'für **web** (alles mit dem Tag team=web), für diesen Monat',
    'Combien nous coûte web ?': 'pour **web** (tout ce qui porte le tag team=web), pour ce mois-ci',
    '¿Cuánto nos cuesta web?': 'para **web** (todo con la etiqueta team=web), para este mes',
    'webの費用は？': '**web**（タグ team=web の付いたもの）の今月'
  }
  for (const [phrase, answer] of Object.entries(answers)) {
    const { text } = await ask(phrase)
    t.match(text, answer, phrase)
    t.match(text, 'Amazon Elastic Container Service', phrase)
    t.notMatch(text, 'AmazonCloudWatch', `${phrase}: what others cost is not in it`)
  }
  t.match((await ask('how much do we pay for Lambda?')).text, 'for **AWS Lambda**, this month')
  t.notMatch((await ask('What did we spend this month, by service?')).text, 'tag team')
})

t.test('what is in quotes is a name, and English with a foreign name stays English', async (t) => {
  for (const message of ['Create a project called "Les Amis"', 'Crée un projet nommé "Les Amis"']) {
    const { frames } = await chat(app, { message })
    const [question] = framesOf(frames, 'confirmation_required')
    t.match(JSON.stringify(question?.data), 'Les Amis', message)
  }
  const { text } = await ask('Create a spec for Die Welt and La Poste')
  t.match(text, 'Die Welt and La Poste')
})

t.test('a choice names things as people do, never by their ids', async (t) => {
  const { text } = await ask('scale the service to 3')
  t.match(text, 'eu-west-1 / prod / api')
  t.notMatch(text, /[0-9a-f]{8}-[0-9a-f]{4}|~/)
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
