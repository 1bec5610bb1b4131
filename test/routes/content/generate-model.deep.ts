import t from '../../tap.js'
import { makeBrief, makeContent, makeOpenProject, missing } from './actors.js'
import { buildWithModel, modelActor, script } from './model.js'

const { app, model } = await buildWithModel(t)
const { post, put, json, run } = modelActor(app)
const locales = { default: 'en', enabled: ['en', 'de'] }
const project = await makeOpenProject(app, 'Written', {
  locales,
  voice: { summary: 'Plain words', principles: ['Say what it does'] },
  terms: { banned: [{ term: 'leverage', replacement: 'use' }], protected: ['Larkspur'] }
})

interface Repair { id: string, before: string, after: string, finding: { rule_id: string } }
type Output = Record<string, unknown> & { content_id: string }

t.test('a brief becomes drafts that the model wrote, each step a row', async (t) => {
  const channels = [{ channel: 'blog' }, { channel: 'email' }, { channel: 'social', network: 'bluesky' }]
  const brief = await makeBrief(app, project, { channels })
  const { contents, generation, ...header } = await run({ brief_id: brief.id })
  t.match(header, { mode: 'create', engine: 'anthropic', is_prose_generated: true, fixed: 0, dry_run: false })
  t.match(generation, {
    status: 'succeeded',
    model: app.config.ANTHROPIC_MODEL,
    error: null,
    prompt_inputs: ['voice.summary', 'voice.principles(1)', 'tone', 'style', 'terms.banned(1)', 'terms.protected(1)'],
    outputs: Array(3).fill({ status: 'done', result_version: 2, refused: [], suggestions: 0 })
  })
  const keys = generation.steps.map(({ key }: { key: string }) => key).sort()
  t.same(keys.filter((key: string) => !/repair/.test(key)),
    ['1:claims', '1:plan', '1:section:1', '1:section:2', '1:seo', '2:claims', '2:draft', '3:claims', '3:draft'])
  t.ok(generation.steps.every((step: { status: string, output_tokens: number }) =>
    step.status === 'done' && step.output_tokens > 0))
  t.ok(generation.usage.output_tokens > 0)
  const [blog, email, social] = contents
  t.equal(blog.body_markdown, `## Returning customers pay with one tap

A checkout took 21 seconds instead of 35 in our March study.[^f1]

## Nothing has to be installed

Nothing has to be installed.

[Try it](https://example.com/pay)

[^f1]: “The median checkout took 21 seconds.” <https://example.com/study>
`)
  t.same(blog.citations, [{ fact_id: 'f1', quote: 'The median checkout took 21 seconds.' }])
  t.match(email.fields, { subject: 'Faster checkouts with one-tap pay' })
  t.equal(social.fields.posts.length, 2)
  t.match(await json(`/${blog.id}`), {
    engine: 'anthropic',
    head_version: 2,
    generation: { id: generation.id, status: 'done', error: null },
    suggestions: []
  })
  t.same((await json(`/${blog.id}/versions`)).items.map(({ origin }: { origin: string }) => origin),
    ['generated', 'generated'])
  t.equal((await json(`/briefs/${brief.id}`)).status, 'in_use')
  t.same((await json(`/generations?content_id=${blog.id}`)).items.map(({ id }: { id: string }) => id), [generation.id])
})

t.test('channels, locales and variants are one record each, of one group', async (t) => {
  const brief = await makeBrief(app, project, { channels: [{ channel: 'email' }], locales: ['en', 'de'] })
  const { contents, generation } = await run({ brief_id: brief.id, variants: 2 })
  t.same(generation.outputs.map(({ locale, variant }: Output) => [locale, variant]),
    [['en', 1], ['en', 2], ['de', 1], ['de', 2]])
  const groups = await Promise.all(contents.map(async ({ id }: { id: string }) => (await json(`/${id}`)).group_id))
  t.equal(new Set(groups).size, 1)
  t.equal(new Set(contents.map(({ locale, slug }: { locale: string, slug: string }) => locale + slug)).size, 4)
  const three = [{ channel: 'blog' }, { channel: 'email' }, { channel: 'docs' }]
  const many = await post('/generate',
    { engine: 'anthropic', brief_id: brief.id, variants: 5, locales: ['en', 'de'], channels: three })
  t.match(many.json(), { status: 422, code: 'too_many_outputs' })
})

t.test('(5) what no source has is shown and blocks the text, and an address leaves it', async (t) => {
  const brief = await makeBrief(app, project, { title: 'Invented figures' })
  const paragraphs = [
    { markdown: 'Checkouts are 99% faster for 47 million people.', fact_ids: ['f1', 'f9'] },
    { markdown: 'A customer said: “It is the best thing that I ever bought.”', fact_ids: [] },
    { markdown: 'See [the study](https://evil.example/study) and ![a picture](https://evil.example/a.png).', fact_ids: [] }
  ]
  script(model, 'Part: outline', {
    title: '99 reasons', summary: 'Faster', sections: [{ heading: 'Speed', purpose: 'How fast', fact_ids: ['f1'] }]
  })
  script(model, 'Part: one section', { paragraphs })
  const { contents: [{ id }], generation } = await run({ brief_id: brief.id })
  const { title, body_markdown, checks } = await json(`/${id}`)
  t.equal(title, '99 reasons')
  t.notMatch(body_markdown, /evil|\[\^f1\]/, 'a citation stays only where the statement follows')
  t.match(body_markdown, /See the study and a picture\./)
  t.same(generation.outputs[0].refused.sort(), ['https://evil.example/a.png', 'https://evil.example/study'])
  t.same(checks.findings.filter(({ severity }: { severity: string }) => severity === 'error')
    .map(({ rule_id: rule, match }: { rule_id: string, match: string }) => `${rule} ${match}`), [
    'CNT-FCT-NUMBER 99%', 'CNT-FCT-NUMBER 47 million', 'CNT-FCT-NUMBER 99',
    'CNT-FCT-QUOTE “It is the best thing that I ever bought.”',
    'CNT-FCT-UNSUPPORTED Checkouts are 99% faster for 47 million people.'
  ])
  await post(`/${id}/transitions`, { to: 'in_review' })
  t.match((await post(`/${id}/transitions`, { to: 'approved' })).json(), { code: 'content_checks_failed' })
})

t.test('a statement that does not follow is shown until a person changes it or accepts it as their own', async (t) => {
  const brief = await makeBrief(app, project, { title: 'Endorsed' })
  script(model, 'Part: outline', {
    title: 'Endorsed', summary: 'Faster', sections: [{ heading: 'Speed', purpose: 'How fast', fact_ids: ['f1'] }]
  })
  const invented = 'Shoppers like it more than anything before.'
  script(model, 'Part: one section', {
    paragraphs: [
      { markdown: 'The median checkout took 21 seconds.', fact_ids: ['f1'] }, { markdown: invented, fact_ids: ['f1'] }
    ]
  })
  script(model, 'Part: claims', { statements: [{ number: 1, verdict: 'follows' }, { number: 2, verdict: 'not' }] })
  const { contents: [{ id }] } = await run({ brief_id: brief.id })
  const record = await json(`/${id}`)
  t.match(record.body_markdown, `The median checkout took 21 seconds.[^f1]\n\n${invented}\n`)
  t.same(record.citations, [{ fact_id: 'f1', quote: 'The median checkout took 21 seconds.' }])
  const statements = async () => json(`/${id}/statements`)
  t.match(await statements(), {
    version: 2,
    counts: { follows: 1, partly: 0, not: 1, no_claim: 0, unchecked: 0 },
    open: 1,
    items: [
      { text: 'The median checkout took 21 seconds.', fact_ids: ['f1'], verdict: 'follows', judged_by: 'model', accepted: null },
      { text: invented, fact_ids: ['f1'], verdict: 'not', judged_by: 'model', why: null, reason: null, accepted: null }
    ]
  })
  t.match(record.checks.findings[0], {
    rule_id: 'CNT-FCT-UNSUPPORTED', severity: 'error', match: invented, message: 'No fact says this'
  })
  t.same(record.checks.unchecked, [{ what: 'grammar', why: 'No rule reads the grammar of a sentence' }])
  const approve = async () => {
    await post(`/${id}/transitions`, { to: 'in_review' })
    return (await post(`/${id}/transitions`, { to: 'approved' })).json()
  }
  t.match(await approve(), { code: 'content_checks_failed' })
  const waivers = [{ rule_id: 'CNT-FCT-UNSUPPORTED', match: invented, reason: 'We asked them ourselves' }]
  await put(`/${id}`, { ...await json(`/${id}`), waivers })
  t.match(await approve(), { code: 'content_checks_failed' }, 'a waiver takes nothing on anybody')

  const accept = (text: string) => post(`/${id}/statements/accept`, { text, because: 'We asked them ourselves' })
  t.match((await accept('Nobody wrote this.')).json(), { status: 422, code: 'statement_unknown' })
  const taken = (await accept(invented)).json()
  t.match(taken, {
    open: 0,
    items: [{ accepted: null }, { verdict: 'not', accepted: { by: { id: String }, at: String, because: 'We asked them ourselves' } }]
  })
  t.same((await accept(invented)).json(), taken, 'again is the same')
  t.match((await json(`/${id}`)).checks.findings[0], {
    rule_id: 'CNT-FCT-UNSUPPORTED', waived: true, waived_because: 'A person has accepted the statement as their own'
  })
  t.match(await approve(), { status: 'approved' })

  const { body_markdown, ...more } = await json(`/${id}`)
  await put(`/${id}`, { ...more, body_markdown: body_markdown.replace('more than', 'much more than') })
  t.match((await statements()).items[1], { verdict: 'unchecked', why: 'cites_no_fact', accepted: null })
  const { facts: [fact], points, ...rest } = await json(`/briefs/${brief.id}`)
  await put(`/briefs/${brief.id}`, { ...rest, points, facts: [{ ...fact, source: { ...fact.source, quote: 'It took 29 seconds.' } }] })
  await put(`/${id}`, { ...await json(`/${id}`), summary: 'Checked again' })
  t.match((await statements()).items[0], { verdict: 'unchecked', why: 'facts_changed', fact_ids: ['f1'] })
  const isChanged = ({ rule_id: rule }: { rule_id: string }) => rule === 'CNT-FCT-CHANGED'
  t.match((await json(`/${id}`)).checks.findings.filter(isChanged), [{ severity: 'warn', match: 'The median checkout took 21 seconds.' }])
})

t.test('what people wrote is never overwritten: the model\'s text is a suggestion beside it', async (t) => {
  const brief = await makeBrief(app, project, { title: 'Kept words' })
  const { contents: [{ id }] } = await run({ brief_id: brief.id })
  const before = await json(`/${id}`)
  const mine = before.body_markdown.replace('Nothing has to be installed.\n', 'You install nothing at all.\n')
  await put(`/${id}`, { ...before, body_markdown: mine })
  const texts = (target: string, text: string) => ({ items: [{ target, text }] })
  script(model, 'section:nothing-has-to-be-installed',
    texts('section:nothing-has-to-be-installed', '## Nothing has to be installed\n\nNo installation.'))
  script(model, 'section:returning-customers-pay-with-one-tap',
    texts('section:returning-customers-pay-with-one-tap',
      '## Returning customers pay with one tap\n\nOne tap is enough.'))
  const { generation } = await run({ mode: 'rewrite', content_id: id })
  t.match(generation, { status: 'succeeded', outputs: [{ result_version: 4, suggestions: 1 }] })
  const after = await json(`/${id}`)
  t.match(after.body_markdown, /One tap is enough\.[^]*You install nothing at all\./)
  t.notMatch(after.body_markdown, /No installation/)
  const [suggestion] = after.suggestions
  t.match(suggestion, { target: 'section:nothing-has-to-be-installed', status: 'open', text: /No installation\./ })

  const decide = (accept: boolean) => post(`/${id}/suggestions/${suggestion.id}`, { accept })
  const accepted = (await decide(true)).json()
  t.match(accepted, { version: 5, status: 'draft', suggestions: [{ status: 'accepted' }] })
  t.match(accepted.body_markdown, /No installation\./)
  t.equal((await decide(true)).json().version, 5)
  t.match((await decide(false)).json(), { code: 'suggestion_decided' })
  t.match((await post(`/${id}/suggestions/${missing}`, { accept: true })).json(), { code: 'not_found' })
})

t.test('only the requested parts are written; preserve none replaces a person\'s text', async (t) => {
  const body_markdown = 'Before.\n\n## One\n\nFirst.\n\n## Two\n\nSecond.\n'
  const { id } = await makeContent(app, project, { title: 'Parts', body_markdown })
  script(model, 'section:two', { items: [{ target: 'section:two', text: '## Two\n\nAnother second.' }] })
  await run({ mode: 'sections', content_id: id, targets: ['section:two'], preserve: 'none' })
  t.match(await json(`/${id}`), {
    version: 2, body_markdown: 'Before.\n\n## One\n\nFirst.\n\n## Two\n\nAnother second.\n', suggestions: []
  })
  const unknown = await run({ mode: 'sections', content_id: id, targets: ['section:nine'] })
  t.match(unknown.generation, { status: 'failed', outputs: [{ error: { code: 'target_unknown' } }] })
  const stale = await post('/generate', { mode: 'rewrite', content_id: id, base_version: 1 })
  t.match(stale.json(), { code: 'stale_revision' })
  t.match((await post('/generate', { mode: 'sections', content_id: id })).json(), { code: 'invalid_request' })
})

t.test('a suggestion for a text that has changed since is not applied', async (t) => {
  const { id } = await makeContent(app, project, { title: 'Overtaken', body_markdown: '## One\n\nFirst.\n' })
  script(model, 'section:one', { items: [{ target: 'section:one', text: '## One\n\nAnother.' }] })
  await run({ mode: 'sections', content_id: id, targets: ['section:one'] })
  const record = await json(`/${id}`)
  await put(`/${id}`, { ...record, body_markdown: '## One\n\nMine again.\n' })
  const late = await post(`/${id}/suggestions/${record.suggestions[0].id}`, { accept: true })
  t.match(late.json(), { status: 409, code: 'suggestion_stale' })
  const rejected = await post(`/${id}/suggestions/${record.suggestions[0].id}`, { accept: false })
  t.match(rejected.json(), { version: 2, suggestions: [{ status: 'rejected' }] })
})

t.test('a translation keeps numbers and names, or is refused where it does not', async (t) => {
  const body_markdown = 'Larkspur saves 40% of 1,500 orders.\n\n## Setup\n\nIt takes 3 minutes.\n'
  const { id } = await makeContent(app, project, { title: 'To translate', body_markdown })
  script(model, '"intro"', { items: [{ target: 'intro', text: 'Larkspur spart 40 % von 1.500 Bestellungen.' }] })
  script(model, '"section:setup"', { items: [{ target: 'section:setup', text: '## Aufbau\n\nEs dauert 5 Minuten.' }] })
  const { contents: [made], generation } = await run({ mode: 'translate', content_id: id, locales: ['de'] })
  t.match(await json(`/${made.id}`), {
    locale: 'de',
    translation_of: id,
    body_markdown: 'Larkspur spart 40 % von 1.500 Bestellungen.\n\n## Aufbau\n\n' +
      '[[WRITE: what the model wrote here is in no source]]\n'
  })
  t.same(generation.outputs[0].refused, ['section:setup: numbers differ'])
  t.match((await post('/generate', { mode: 'translate', content_id: id, locales: ['en'] })).json(),
    { code: 'invalid_request' })
  t.match((await post('/generate', { mode: 'translate', content_id: id, locales: ['fr'] })).json(),
    { code: 'locale_not_enabled' })
})

t.test('only an approved text is adapted', async (t) => {
  const body_markdown = 'Returning customers pay with one tap.\n\nIt takes 21 seconds.\n'
  const { id, group_id } = await makeContent(app, project, { title: 'To adapt', body_markdown })
  const input = { mode: 'adapt', content_id: id, channels: [{ channel: 'social', network: 'bluesky' }] }
  t.match((await post('/generate', input)).json(), { code: 'version_not_approved' })
  for (const to of ['in_review', 'approved']) await post(`/${id}/transitions`, { to })
  const { contents: [made] } = await run(input)
  t.match(await json(`/${made.id}`), {
    channel: 'social', group_id, fields: { posts: [{ text: 'Returning customers pay with one tap.' }] }
  })
})

t.test('repair gives the model only the findings that no rule can fix', async (t) => {
  const body_markdown = 'You leverage it.\n\n## Speed\n\n[[WRITE: how fast]]\n'
  const { id } = await makeContent(app, project, { title: 'To repair', body_markdown })
  script(model, 'Part: repair', { items: [{ target: 'section:speed', text: '## Speed\n\nIt is fast.' }] })
  const { generation } = await run({ mode: 'repair', content_id: id, preserve: 'none' })
  t.match(generation, { outputs: [{ result_version: 2 }], steps: [{ key: '1:repair:1' }] })
  t.equal((await json(`/${id}`)).body_markdown, 'You use it.\n\n## Speed\n\nIt is fast.\n')

  const { items } = await json(`/${id}/repairs`)
  const repairs = items.map(({ before, after, finding }: Repair) => [finding.rule_id, before, after])
  t.same(repairs.toSorted(), [
    ['CNT-BRD-BANNED', 'leverage', 'use'], ['CNT-STR-PLACEHOLDER', '[[WRITE: how fast]]', 'It is fast.']
  ], 'each change can be taken back')
  const byModel = items.find(({ after }: Repair) => after === 'It is fast.')
  t.equal((await post(`/${id}/repairs/${byModel.id}/undo`)).statusCode, 200)
  t.equal((await json(`/${id}`)).body_markdown, 'You use it.\n\n## Speed\n\n[[WRITE: how fast]]\n')
})
