import t from '../../../tap.js'
import { checkReport } from '../../../../routes/agent/lib/triggers/write-report.js'

const service = {
  id: '123~eu-west-1~production~checkout-api',
  name: 'checkout-api',
  image: '123456789012.dkr.ecr.eu-west-1.amazonaws.com/checkout-api:2.14.0-crash',
  desired_count: 4,
  running_count: 1,
  cpu: 0.3741,
  memory_bytes: 536_870_912,
  duration_ms: 12_345.678,
  requests: 1_234_567,
  deployed_at: '2026-11-23T08:15:30.123Z',
  events: [{ message: '(service checkout-api) is unable to place a task: exit code 137' }, {}, {}],
  cost: { amount: '1234.5600', currency: 'USD' }
}
const other = { name: 'web', count: 165, before: 120, errors: ['ResourceNotFoundException'] }
const sources = [
  { id: 'a', names: ['1.1', 'toolu_a'], result: service },
  { id: 'b', names: ['1.2'], result: other },
  { id: 'c', names: ['2.1'], result: null }
]
const alert = { title: 'HighErrorRate', value: 7.3 }

/** A sentence, how it is judged, and what is missing. */
const cases: [text: string, status: string, missing?: string[]][] = [
  // Numbers
  ['It runs 1 of 4 tasks [call:1.1].', 'supported'],
  ['It runs 2 of 4 tasks [call:1.1].', 'unsupported', ['2']],
  ['It had 1,234,567 requests [call:1.1].', 'supported'],
  ['It had 1234567 requests [call:1.1].', 'supported'],
  ['It had 1.2M requests [call:1.1].', 'supported'],
  ['It had 1.3M requests [call:1.1].', 'unsupported', ['1.3M']],
  ['It had 1,234,568 requests [call:1.1].', 'unsupported', ['1,234,568']],
  ['CPU is at 37 % [call:1.1].', 'supported'],
  ['CPU is at 37.4% [call:1.1].', 'supported'],
  ['CPU is at 38% [call:1.1].', 'unsupported', ['38%']],
  ['It took 12.3 s [call:1.1].', 'supported'],
  ['It took 12,346 ms [call:1.1].', 'supported'],
  ['It took 14 s [call:1.1].', 'unsupported', ['14']],
  ['It has 512 MiB [call:1.1].', 'supported'],
  ['It has 1,024 MiB [call:1.1].', 'unsupported', ['1,024']],
  ['It cost $1,234.56 [call:1.1].', 'supported'],
  ['It cost 1235 USD [call:1.1].', 'supported'],
  ['It cost $1,243.56 [call:1.1].', 'unsupported', ['$1,243.56']],
  ['There are 3 events [call:1.1].', 'supported'],
  ['It ended with 137 [call:1.1].', 'supported'],
  ['It ended with 139 [call:1.1].', 'unsupported', ['139']],
  ['It grew from 120 to 165, by 37.5 % [call:1.2].', 'supported'],
  ['It grew from 120 to 165, by 50 % [call:1.2].', 'unsupported', ['50']],
  // A date's parts are no figures of their own.
  ['23 tasks failed [call:1.1].', 'unsupported', ['23']],
  ['It was deployed at 2026-11-23T08:15:30.123Z [call:1.1].', 'supported'],
  ['It was deployed at 08:15 [call:1.1].', 'unsupported', ['08:15']],
  // Names
  ['`checkout-api` restarts [call:1.1].', 'supported'],
  ['checkout-api restarts [call:1.1].', 'supported'],
  ['The service checkout-web restarts [call:1.1].', 'unsupported', ['checkout-web']],
  ['`checkout` restarts [call:1.1].', 'unsupported', ['checkout']],
  ['It runs `checkout-api:2.14.0-crash` [call:1.1].', 'supported'],
  ['It runs checkout-api:2.15.0 [call:1.1].', 'unsupported', ['checkout-api:2.15.0']],
  ['AWS answered ResourceNotFoundException [call:1.2].', 'supported'],
  ['AWS answered ThrottlingException [call:1.2].', 'unsupported', ['ThrottlingException']],
  ['It is in eu-west-1 [call:1.1].', 'supported'],
  ['It is in eu-central-1 [call:1.1].', 'unsupported', ['eu-central-1']],
  ['The out-of-memory kills are long-running and read-only.', 'none'],
  // Citations
  ['`web` has 165 [call:1.2].', 'supported'],
  ['`web` has 165 [call:1.1].', 'unsupported', ['web', '165']],
  ['`web` has 165 and `checkout-api` 4 [call:1.1][call:1.2].', 'supported'],
  ['`web` has 165.', 'uncited'],
  ['`web` has 165 [call:9.9].', 'unsupported', ['[call:9.9]', 'web', '165']],
  ['Nothing was found [call:2.1].', 'supported'],
  ['It has 4 [call:toolu_a].', 'supported'],
  ['The alert states 7.3 [alert].', 'supported'],
  ['The alert states 8.3 [alert].', 'unsupported', ['8.3']],
  ['All is well.', 'none']
]

t.test('each number and name of a sentence is in a result that it cites, or is marked', async (t) => {
  for (const [text, status, missing = []] of cases) {
    const [sentence, ...others] = checkReport(text, sources, alert)
    t.same([sentence?.status, sentence?.missing, others], [status, missing, []], text)
  }
})

const costsOf = (start: string, end: string, amounts: Record<string, string>) => ({
  start_date: start,
  end_date: end,
  by_group: Object.entries(amounts).map(([key, amount]) => ({ keys: [key], amount, currency: 'USD' }))
})
const fillers = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`Filler ${'abcdefghijklmno'.charAt(n)}`, '0.01']))
const costs = [
  {
    id: 'o',
    names: ['1.1'],
    result: costsOf('2026-10-01', '2026-10-31', { A: '762.40', B: '657.00', 'Amazon S3': '12.00', ...fillers })
  },
  {
    id: 'n',
    names: ['1.2'],
    result: costsOf('2026-11-01', '2026-11-30', { A: '665.81', B: '555.92', 'Amazon S3': '18.00', ...fillers })
  },
  { id: 's', names: ['1.3'], input: { since: '2026-09-01', until: '2026-09-30' }, result: { errors: { web: 3, api: 9 } } },
  { id: 'm', names: ['1.4'], result: { 'AWS Lambda': 5.5, 'Amazon EKS': 7.25 } }
]

/** Cites both months of costs, unless it says other sources. */
const rowsAndMonths: [text: string, missing: string[]][] = [
  ['A fell from 762.40 to 665.81 dollars (17 %)', ['17']],
  ['A fell from 762.40 to 665.81 dollars (13 %)', []],
  ['A fell from 762.40 to 665.81 dollars (15 %)', ['15']],
  ['A rose from 762.40 to 665.81 dollars (13 %)', ['rose']],
  ['A rose from 665.81 to 762.40 dollars', ['762.40']],
  ['Amazon S3 rose from $12 to $18, by 50 %', []],
  ['Amazon S3 went up from $12 in October to $18 in November', []],
  ['Amazon S3 stieg von 12,00 auf 18,00 USD', []],
  ['Amazon S3 fiel von 12.00 auf 18.00 USD', ['fiel']],
  ['B cost 762.40 dollars in October', ['762.40']],
  ['B cost 657.00 dollars in October', []],
  ['B cost 555.92 dollars in October', ['555.92']],
  ['B cost 555.92 dollars in November 2026', []],
  ['B cost 555.92 dollars in November 2025', ['555.92', '2025']],
  ['In 2026-10, B cost 657 dollars', []],
  ['A cost 762.40 euros in October', ['762.40']],
  ['A cost €762.40 in October', ['€762.40']],
  ['A cost 96.59 dollars less: 762.40 before, 665.81 now', []],
  ['A and B cost 1,419.40 dollars in October', []],
  ['A and B cost 1,431.40 dollars in October', ['1,431.40']],
  ['There are 18 services', []],
  ['18 % of the services grew', []],
  ['There were 17 % more', ['17']],
  ['`web` had 3 errors in September [call:1.3]', []],
  ['`web` had 3 errors in October [call:1.3]', ['3']],
  ['AWS Lambda costs 5.5 [call:1.4]', []],
  ['AWS Lambda costs 7.25 [call:1.4]', ['7.25']]
]

t.test('a number is of the row, the month and the currency that its sentence names, and goes where the sentence says',
  async (t) => {
    for (const [text, missing] of rowsAndMonths) {
      const cited = text.includes('[call:') ? `${text}.` : `${text} [call:1.1] [call:1.2].`
      t.same(checkReport(cited, costs, undefined).map(({ missing: lacks }) => lacks), [missing], text)
    }
  })

t.test('a time ends where its result says, and several currencies are dollars', async (t) => {
  const one = (result: object, text: string) => checkReport(`${text} [call:1.1].`, [{ id: 'a', names: ['1.1'], result }], undefined)
    .map(({ missing }) => missing)
  const first = { start_date: '2026-10-05', end_date: '2026-11-01', count: 3 }
  t.same(one(first, 'It had 3 in November'), [[]], 'the last day is included')
  t.same(one({ start: '2026-10-05', end: '2026-11-01', count: 3 }, 'It had 3 in November'), [['3']], 'AWS leaves it out')
  t.same(one({ amount: '3.50', currency: 'AUD' }, 'It cost 3.50 dollars'), [[]])
  t.same(one({ amount: '3.50', currency: 'AUD' }, 'It cost 3.50 USD'), [['3.50']])
  t.same(one({ price_usd: 762, tasks: 3 }, 'It cost 762 USD for 3 tasks, 765 in all'), [['765']],
    'dollars and tasks make no sum')
})

t.test('a result from outside is data: times that there are not, levels without end, and thousands of rows', async (t) => {
  const check = (result: unknown, text: string) => checkReport(text, [{ id: 'a', names: ['1.1'], result }], undefined)
  for (const end of ['2026-99-99', '2026-02-31', '0000-00', '9999-99', '2026-11-01T99:99']) {
    for (const key of ['start', 'end', 'end_exclusive', 'until']) {
      const result = { start: '2026-10-01', [key]: end, count: 3 }
      t.equal(check(result, 'It had 3 [call:1.1].')[0]?.status, 'supported', `${key} ${end}`)
    }
  }
  let deep: unknown = 3
  for (let level = 0; level < 20_000; level++) deep = [deep]
  t.same(check(deep, 'It had 3 [call:1.1].').map(({ missing }) => missing), [['3']], 'what is not read supports nothing')
  const rows = Array.from({ length: 20_000 }, (_, index) => ({ name: `service-${index}`, status: 'running', count: index }))
  const lines = Array.from({ length: 100 }, (_, index) => `service-${index} had ${index} [call:1.1].`)
  t.same(check({ rows }, lines.join('\n')).filter(({ status }) => status !== 'supported'), [])
  const numbers = Array.from({ length: 4_000 }, (_, index) => `from ${index + 0.5} to`).join(' ')
  t.equal(check({ rows: rows.slice(0, 1_000) }, `It is ${numbers} [call:1.1].`)[0]?.missing.length, 4_000)
})

t.test('sentences keep their order and their lines, and each has its own citations', async (t) => {
  const text = '## Report\n\n1. `checkout-api` runs 1 task. [call:1.1] It wants 4 [call:1.1].\n' +
    '2. `web` has 99 [call:1.2].\n\n| name | 165 | [call:1.2]\nThe rest is e.g. fine.'
  const sentences = checkReport(text, sources, undefined)
  t.same(sentences.map(({ text: part, status }) => [part, status]), [
    ['## Report\n\n', 'none'],
    ['1. `checkout-api` runs 1 task. ', 'supported'],
    ['It wants 4.\n', 'supported'],
    ['2. `web` has 99.\n\n', 'unsupported'],
    ['| name | 165 |\n', 'supported'],
    ['The rest is e.g. ', 'none'],
    ['fine.', 'none']
  ])
})

t.test('whatever a model writes is judged, and nothing of it is lost', async (t) => {
  for (const text of ['', '\n\n', '[call:', '`', '```\nx 1\n```', '.'.repeat(5_000), '[call:1.1]', '9'.repeat(400)]) {
    const sentences = checkReport(text, sources, undefined)
    t.equal(sentences.map(({ text: part }) => part).join(''), text.replace('[call:1.1]', ''))
  }
})
