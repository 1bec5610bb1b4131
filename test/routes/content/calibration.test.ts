import t from '../../tap.js'
import { rankCorrelation, readCalibration, type Passage } from '../../../bench/lib/calibration.js'
import { workspace } from '../../app.js'
import { actor, makeProject, setBrand } from './actors.js'
import { cleanProse } from './clean-prose.js'

const app = await workspace(t, { WORKER: 'false' })
const { post } = actor(app)

const check = async (project: string, body_markdown: string, more: object = {}) => {
  const answer = await post('/checks', { project_id: project, channel: 'blog', title: 'Text', body_markdown, ...more })
  if (answer.statusCode !== 200) throw new Error(answer.payload)
  return answer.json()
}

/** Rules that hold a text to numbers which the brand sets: exceeding them is no wrong judgement. */
const limits = /SENTENCE-LENGTH|PARAGRAPH-LENGTH|GRADE|EXCLAMATION|EMOJI/

t.test('scores order 60 passages as an editor does', async (t) => {
  const marked: { passage: Passage, score: number }[] = []
  for (const { key, settings, passages } of readCalibration()) {
    const project = await makeProject(app, key)
    await setBrand(app, project, settings)
    for (const passage of passages) marked.push({ passage, score: (await check(project, passage.text)).score })
    const own = marked.filter(({ passage: { brand } }) => brand === key)
    const correlation = rankCorrelation(own.map(({ passage: { mark } }) => mark), own.map(({ score }) => score))
    t.ok(correlation >= 0.85, `${key}: ${correlation}`)
  }
  t.equal(marked.length, 60)
  const all = rankCorrelation(marked.map(({ passage: { mark } }) => mark), marked.map(({ score }) => score))
  t.ok(all >= 0.85, `all: ${all}`)
  const scoresOf = (kind: string) => marked.filter(({ passage }) => passage.kind === kind).map(({ score }) => score)
  t.ok(Math.max(...scoresOf('bureaucratic')) < 80, 'no bureaucratic passage passes the least score of a brand')
  t.ok(Math.min(...scoresOf('good')) >= 90)
})

t.test('of well-edited prose, at most two findings in a thousand words are wrong', async (t) => {
  const project = await makeProject(app, 'Clean')
  let words = 0
  const wrong: string[] = []
  for (const text of cleanProse) {
    const { findings, metrics } = await check(project, text, { locale: 'en' })
    words += metrics.words
    wrong.push(...findings.map(({ rule_id: rule, match }: { rule_id: string, match: string }) => `${rule} ${match}`)
      .filter((one: string) => !limits.test(one)))
  }
  t.ok(words > 500, `${words} words`)
  t.ok(wrong.length <= words / 500, wrong.join('\n'))
})

t.test('the points of the findings are what the score lacks to 100', async (t) => {
  const [larkspur] = readCalibration().filter(({ key }) => key === 'larkspur')
  const project = await makeProject(app, 'Sum')
  await setBrand(app, project, larkspur?.settings ?? {})
  for (const { text } of larkspur?.passages ?? []) {
    const { score, findings, deductions } = await check(project, text)
    const sum = findings.reduce((all: number, { points }: { points: number }) => all + Math.round(points * 100), 0)
    t.equal(score, Math.max(0, Math.round(100 - sum / 100)))
    for (const { rule_id: rule, points, count } of deductions) {
      const own = findings.filter((one: { rule_id: string }) => one.rule_id === rule)
      t.equal(own.length, count)
      t.equal(own.reduce((all: number, one: { points: number }) => all + Math.round(one.points * 100), 0),
        Math.round(points * 100))
    }
  }
})
