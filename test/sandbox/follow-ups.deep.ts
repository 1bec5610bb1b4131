import t from '../tap.js'
import { asAdmin, buildApp } from '../app.js'
import { chat, framesOf, textOf, until } from '../chat.js'

const app = await buildApp(t, { LIMITS: JSON.stringify({ requests_per_minute: 5_000, live_runs_per_user: 20 }) })

interface Answer { text: string, card: string, session: string }

/** Sends the messages one after the other, in one conversation. @returns the last answer */
const talk = async (messages: string[], session?: string): Promise<Answer> => {
  let last: Answer = { text: '', card: '', session: session ?? '' }
  for (const message of messages) {
    const { frames, session: id } = await chat(app, {
      message, wait_s: 0, ...(last.session !== '' && { session_id: last.session })
    })
    const [question] = framesOf(frames, 'confirmation_required')
    last = { text: textOf(frames), card: String(question?.data.summary ?? ''), session: id }
  }
  return last
}

const now = new Date()
const first = (back: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
const date = (at: Date) => at.toISOString().slice(0, 10)
const whole = (back: number) => `${date(first(back))} to ${date(new Date(first(back - 1).getTime() - 86_400_000))}`

/** What the API itself says that a period cost. */
const costOf = async (range: string): Promise<string> => {
  const [start, end] = range.split(' to ')
  const query = `start_date=${start}&end_date=${end}&granularity=MONTHLY&group_by=SERVICE`
  const answer = await app.inject({ url: `/cloud/costs?${query}`, headers: asAdmin })
  const periods = answer.json<{ periods: { groups: { amount: string }[] }[] }>().periods
  return periods.flatMap(({ groups }) => groups).reduce((sum, { amount }) => sum + Number(amount), 0).toFixed(2)
}

t.test('a period that follows is another period of the same question, with the sum that the API states', async (t) => {
  const spent = ['What did we spend this month?', 'and last month?']
  const { text } = await talk(spent)
  t.match(text, `last month (${whole(1)})`)
  t.match(text, await costOf(whole(1)))
  t.match((await talk([...spent, 'by region?'])).text, /eu-west-1.*USD/)
  t.match((await talk([...spent, 'compared with the month before?'])).text, `the month before (${whole(2)})`)
  t.match((await talk(['Was haben wir diesen Monat ausgegeben?', 'und letzten Monat?'])).text, 'für den letzten Monat')
})

t.test('a month is that month, a quarter that quarter: never this month', async (t) => {
  for (const back of [1, 2, 5]) {
    const name = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(first(back))
    const year = first(back).getUTCFullYear()
    const { text } = await talk([`What did we spend in ${name} ${year}?`])
    t.match(text, `for ${name} ${year} (${whole(back)})`)
    t.match(text, await costOf(whole(back)))
  }
  const quarter = new Date(Date.UTC(now.getUTCFullYear(), Math.floor(now.getUTCMonth() / 3) * 3, 1))
  const soFar = date(quarter) === date(now) ? date(now) : `${date(quarter)} to ${date(now)}`
  t.match((await talk(['costs of this quarter'])).text, `for this quarter (${soFar})`)
  t.match((await talk(['what did we spend this year'])).text, `this year (${now.getUTCFullYear()}-01-01`)
})

t.test('a year, a month to compare with, and "since" are read as they are written', async (t) => {
  const last = now.getUTCFullYear() - 1
  t.match((await talk([`total spend ${last}`])).text, `for ${last} (${last}-01-01 to ${last}-12-31)`)
  t.match((await talk(['costs since last month'])).text, `${date(first(1))} to ${date(now)}`)
  const name = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(first(2))
  const { text } = await talk([`how much more did we spend than in ${name}?`])
  t.match(text, 'this month so far')
  t.match(text, `${name} ${first(2).getUTCFullYear()} (${date(first(2))} to`)
})

t.test('a number that no service can run is asked for again, and a version to go back to is kept', async (t) => {
  t.match((await talk(['scale web to minus 1'])).text, 'How many shall it run?')
  t.match((await talk(['scale web to 4000000'])).text, 'How many shall it run?')
  t.match((await talk(['scale web'])).text, '**web** runs 2 tasks. How many shall it run?')
  t.match((await talk(['scale web', '4'])).card, /service web .* from 2 to 4$/)
  t.match((await talk(['roll web back to 2.3.0'])).card, /web:2\.3\.0 to service web/)
  t.match((await talk(['is checkout healthy?'])).text, 'No service is called "checkout"')
})

t.test('what nobody pays for is not given the sum of everything', async (t) => {
  t.match((await talk(['how much does bananas cost?'])).text, 'No tag and no service of AWS is called "bananas"')
  t.match((await talk(['cost of S3 last month'])).text, 'for **Amazon Simple Storage Service**, last month')
})

t.test('another service, another state and another number are of the same request', async (t) => {
  t.match((await talk(['Show me the last errors of web', 'and of api?'])).text, /\*\*api\*\* in prod/)
  t.match((await talk(['Is web healthy?', 'und worker?'])).text, /\*\*worker\*\* in prod/)
  t.match((await talk(['Which pull requests are open?', 'and merged?'])).text, /1 merged:/)
  t.match((await talk(['Scale web to 4', 'do that for api too'])).card, /service api .* to 4$/)
  t.match((await talk(['Scale web to 4', 'no, to 5'])).card, /service web .* to 5$/)
  t.match((await talk(['Skaliere web auf 4', 'doch lieber auf 6'])).card, /service web .* to 6$/)
  t.match((await talk(['Is web healthy?', 'restart it'])).card, /tasks of service web/)
  t.match((await talk(['why is api down?', 'scale it to 5'])).card, /service api .* to 5$/)
})

t.test('a "yes" does not decide: it closed the card, so the same is asked again', async (t) => {
  t.match((await talk(['Scale web to 4', 'yes'])).card, /service web .* from 2 to 4$/)
  t.match((await talk(['Skaliere web auf 4', 'ja'])).card, /service web .* from 2 to 4$/)
})

t.test('"why?" asks for the reason of what was said last', async (t) => {
  t.match((await talk(['Is everything healthy?', 'why?'])).text, /The errors of \*\*worker\*\* in prod:/)
  t.match((await talk(['What did we spend this month?', 'why?'])).text, 'What changed most')
  t.match((await talk(['why?'])).text, /^.*Of what do you want the reason/s)
})

t.test('"undo that" is the opposite of what was done; what was not done has nothing to undo', async (t) => {
  t.match((await talk(['Scale web to 4', 'undo that'])).text, 'there is nothing to undo')
  const asked = await talk(['Scale web to 4'])
  const inbox = await app.inject({ url: '/api/v1/agent/confirmations', headers: asAdmin })
  const waiting = inbox.json<{ items: { id: string, session_id: string, input_digest: string }[] }>().items
    .find(({ session_id: of }) => of === asked.session)
  await app.inject({
    method: 'POST',
    url: '/api/v1/agent/confirm',
    headers: asAdmin,
    payload: {
      session_id: asked.session, confirmation_id: waiting?.id, input_digest: waiting?.input_digest, approved: true
    }
  })
  const undone = await until(async () => {
    const answer = await chat(app, { message: 'undo that', wait_s: 0, session_id: asked.session })
    return answer.answer.statusCode === 200 ? answer : undefined
  })
  const [question] = framesOf(undone?.frames ?? [], 'confirmation_required')
  t.match(String(question?.data.summary), /service web .* from 4 to 2$/)
})

t.test('thanks are thanks, also after a question', async (t) => {
  t.match((await talk(['Scale the service', 'thanks!'])).text, 'You are welcome.')
  t.match((await talk(['Zeig mir die Logs', 'Danke dir!'])).text, 'Gern geschehen.')
})
