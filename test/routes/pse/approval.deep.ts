import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { startChatApp } from '../../chat.js'
import { makePerson } from '../account/actors.js'
import { actor, generate, makeSession } from './actors.js'

const { app, anthropic: { control } } = await startChatApp(t, { LIMITS: JSON.stringify({ model_retry_base_ms: 1 }) })
const { post, patch, json } = actor(app)
t.afterEach(() => control.reset())

const text = '# Features\n\nThe door must open within 5 seconds.\n\nThe lamp must glow within 2 seconds.\n'

interface Finding { rule_id: string, target: string, message: string, severity: string, status: string }

const makeStandard = async (payload: object) => {
  const made = await app.inject({ method: 'POST', url: '/pse/standards', headers: asAdmin, payload })
  if (made.statusCode !== 201) throw new Error(made.payload)
  return made.json()
}
const rule = (rule_id: string, question: string, more: object = {}) => ({
  rule_id,
  title: 'A person has looked',
  level: 'MUST',
  severity: 'warn',
  target: 'requirements',
  check: { fn: 'review', options: { question } },
  ...more
})
const move = (path: string, more: object = {}) => post(`${path}/transitions`, { to: 'approved', ...more })
const add = (path: string, ...inputs: object[]) => post(`${path}/inputs`, { inputs })
const currentOf = async (path: string) => json(`${path}/versions/${(await json(path)).current_version}`)

/** Waives all open errors, so that only the condition under test prevents the approval. */
const clear = async (path: string) => {
  const { checks } = await currentOf(path)
  const open = (checks.findings as Finding[])
    .filter(({ severity, status }) => severity === 'error' && status === 'open')
  const waivers = open.map(({ rule_id, target }) =>
    ({ kind: 'waiver', rule_id, target, reason: 'Accepted for the first release.' }))
  for (let at = 0; at < waivers.length; at += 20) await add(path, ...waivers.slice(at, at + 20))
}

t.test('a refused approval lists the first fifty open errors', async (t) => {
  const few = await makeSession(app, `${text}\nThe lamp must glow within 9 seconds.\n`)
  await generate(app, few.path)
  const { checks } = await currentOf(few.path)
  const open = (checks.findings as Finding[])
    .filter(({ severity, status }) => severity === 'error' && status === 'open')
  t.ok(open.length > 0)
  t.match((await move(few.path)).json(), {
    status: 409,
    code: 'checks_failed',
    detail: /open: edit what they are about, or waive them, and approve again$/,
    errors_open: checks.counts.error,
    findings_omitted: 0
  })
  t.same((await move(few.path)).json().findings,
    open.map(({ rule_id, target, message }) => ({ rule_id, target, message })))

  const many = Array.from({ length: 60 }, (_, at) =>
    `Door ${at} must open within 5 seconds.\n\nDoor ${at} must open within 9 seconds.`).join('\n\n')
  const { path } = await makeSession(app, `# Features\n\n${many}\n`)
  await generate(app, path)
  const { errors_open: count, findings, findings_omitted: omitted } = (await move(path)).json()
  t.ok(count > 50)
  t.same([findings.length, omitted], [50, count - 50])
})

t.test('the approving person answers the questions of review rules, and the version keeps the answers', async (t) => {
  const questions = ['Has legal read the requirements?', 'Is each door named by its number?', 'Are the risks complete?']
  const standard = await makeStandard({
    key: 'reviews',
    title: 'Reviews',
    kind: 'ruleset',
    rules: [rule('legal', questions[0] ?? ''), rule('doors', questions[1] ?? '', { severity: 'info', level: 'MAY' }),
      rule('risks', questions[2] ?? '', { target: 'sections.risks' }),
      rule('off', 'Is nobody asked this one?', { severity: 'off' })]
  })
  const { path } = await makeSession(app, text, { standards: [{ standard_id: standard.standard_id, version: null }] })
  await generate(app, path)
  await clear(path)
  const { checks } = await currentOf(path)
  t.same(checks.standards.map(({ rule_id, verdict, deterministic, evidence }: Record<string, unknown>) =>
    [rule_id, verdict, deterministic, evidence]), [
    ['legal', 'to_review', false, [{ target: 'requirements', message: questions[0] }]],
    ['doors', 'to_review', false, [{ target: 'requirements', message: questions[1] }]],
    ['risks', 'not_applicable', false, []]
  ])
  t.same((checks.findings as (Finding & { fix: string })[]).filter(({ rule_id: id }) => id.startsWith('STD:reviews'))
    .map(({ rule_id, severity, message, fix }) => [rule_id, severity, message, fix]), [
    ['STD:reviews:legal', 'warn', `A person has looked: ${questions[0]}`, 'human'],
    ['STD:reviews:doors', 'info', `A person has looked: ${questions[1]}`, 'human']
  ])
  const openQuestion = (id: string, question = '') =>
    ({ rule_id: `STD:reviews:${id}`, target: 'requirements', question })
  t.match((await move(path)).json(), {
    status: 409,
    code: 'review_open',
    questions: [openQuestion('legal', questions[0]), openQuestion('doors', questions[1])],
    questions_omitted: 0
  })
  t.match((await move(path, { reviewed: ['STD:reviews:legal'] })).json(),
    { code: 'review_open', questions: [openQuestion('doors', questions[1])] })
  for (const name of ['STD:reviews:cats', 'STD:reviews:off', 'legal']) {
    t.match((await move(path, { reviewed: ['STD:reviews:legal', name] })).json(),
      { status: 422, code: 'target_unknown', errors: [{ pointer: '/reviewed/1' }] })
  }
  t.same((await currentOf(path)).reviews, [], 'a refused approval stores no answer')

  await add(path, { kind: 'waiver', rule_id: 'STD:reviews:doors', reason: 'There is one door only.' })
  const approved = await move(path, { reviewed: ['STD:reviews:legal', 'STD:reviews:legal'] })
  t.match(approved.json(), { state: 'approved' })
  const { reviews, checks: after, created_by: admin, version } = await currentOf(path)
  t.match(reviews, [{ rule_id: 'STD:reviews:legal', user_id: admin, at: /^\d{4}-.*Z$/ }])
  t.same(after.standards.map(({ verdict }: { verdict: string }) => verdict), ['pass', 'waived', 'not_applicable'])

  await move(path, { to: 'review' })
  t.equal((await move(path)).statusCode, 200, 'the version keeps its answers')
  const ops = [{ op: 'replace', target: 'sections.summary', value: 'New.' }]
  await add(path, { kind: 'edit', base_version: version, ops })
  await clear(path)
  t.match((await move(path)).json(), { code: 'review_open', questions: [openQuestion('legal', questions[0])] })
})

t.test('checks find aliases of an attached glossary\'s terms; a glossary needs a term', async (t) => {
  const glossary = await makeStandard({
    key: 'words',
    title: 'Words',
    kind: 'glossary',
    body_markdown: '# Words\n\n- **Hatch** (not: door, flap): what a parcel goes through\n- Note to all\n\n' +
      '| Term | Meaning | Not |\n|---|---|---|\n| LMS | Locker management | lock system; box: server |\n\n' +
      '**Lamp:** what glows\n\nJust: a text.\n'
  })
  const { path } = await makeSession(app, '# Features\n\nThe door must open within 5 seconds.\n\nThe LMS must log it ' +
    'within 2 seconds.\n\nThe XMS must log it too within 2 seconds.\n\n# Glossary\n\n- Door: what opens\n')
  const terms = async () => ((await currentOf(path)).checks.findings as (Finding & { quote: string })[])
    .filter(({ rule_id: id }) => /^PSE(?:117|403)$/.test(id))
    .map(({ rule_id: id, target, quote, message }) => [id, target, quote, message].join(' | ')).sort()
  await generate(app, path)
  t.same(await terms(), [
    'PSE117 | FR-002 | LMS | The glossary does not say what LMS is',
    'PSE117 | FR-003 | XMS | The glossary does not say what XMS is'
  ])
  await patch(path, { standards: [{ standard_id: glossary.standard_id, version: null }] })
  await generate(app, path)
  t.same(await terms(), [
    'PSE117 | FR-003 | XMS | The glossary does not say what XMS is',
    'PSE403 | FR-001 | door | The glossary calls this Hatch',
    'PSE403 | sections.glossary | Door | The glossary calls this Hatch'
  ])
  const empty = { title: 'Empty', kind: 'glossary', body_markdown: 'Words are: chosen with care.' }
  const refused = await app.inject({ method: 'POST', url: '/pse/standards', headers: asAdmin, payload: empty })
  t.match(refused.json(), { status: 422, code: 'rule_invalid', errors: [{ pointer: '/body_markdown' }] })
})

/** @returns the bodies of the requests for a section */
const prompts = (section: string) =>
  control.requests(section).map(({ body }) => JSON.stringify(body).replaceAll('\\"', '"'))

t.test('every prompt that writes a section contains the feedback, and nothing cites it', async (t) => {
  const { path } = await makeSession(app, text)
  await add(path, { kind: 'feedback', target: 'FR-001', text: 'Say which door is meant.' },
    { kind: 'feedback', text: 'Key AKIAIOSFODNN7EXAMPLE is ours; be brief.' })
  const answer = await post(`${path}/generate`, { engine: 'model' }, { prefer: 'wait=60' })
  t.equal(answer.statusCode, 200, answer.payload)
  t.same(answer.json().generation.warnings, [])
  for (const section of ['Task: read this part']) {
    const sent = prompts(section)
    t.ok(sent.length > 0, section)
    for (const one of sent) {
      t.ok(one.includes('On FR-001: "Say which door is meant."'), section)
      t.match(one, 'be brief', section)
      t.notMatch(one, 'AKIAIOSFODNN7EXAMPLE', 'credentials are masked')
    }
  }
  const { items } = await json(`${path}/inputs`)
  const feedbackIds = new Set(items.filter(({ kind }: { kind: string }) => kind === 'feedback')
    .map(({ input_id: id }: { input_id: string }) => id))
  const { document } = await currentOf(path)
  t.notOk(document.requirements.some(({ citations }: { citations: { input_id: string }[] }) =>
    citations.some(({ input_id: id }) => feedbackIds.has(id))))
})

t.test('the template engine warns that it cannot follow feedback; a transition\'s comment is feedback', async (t) => {
  const { path } = await makeSession(app, text)
  t.same((await generate(app, path)).generation.warnings, [])
  await add(path, { kind: 'feedback', text: 'Be brief.' })
  const one = 'The template engine cannot follow feedback: one input waits for a model, or for a person who edits'
  t.same((await generate(app, path)).generation.warnings, [one])
  t.equal((await move(path, { to: 'review', comment: ' Name the door. ' })).statusCode, 200)
  await move(path, { to: 'archived', comment: 'For now.' })
  await move(path, { to: 'restored', comment: ' ' })
  const { items } = await json(`${path}/inputs`)
  t.match(items.slice(2), [{ kind: 'feedback', label: 'review' }, { kind: 'feedback', label: 'archived' }])
  t.equal(items.length, 4)
  t.equal((await json(`${path}/inputs/${items[2].input_id}`)).text, 'Name the door.')
  t.match((await generate(app, path)).generation.warnings, [/3 inputs wait/])
  const max = actor(app, (await makePerson(app, 'Max', 'member')).headers)
  await max.post(`${path}/transitions`, { to: 'archived', comment: 'Mine' })
  t.equal((await json(`${path}/inputs`)).items.length, 4, 'a refused transition stores no comment')
})
