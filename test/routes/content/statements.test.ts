import t from '../../tap.js'
import { workspace } from '../../app.js'
import { makePerson } from '../account/actors.js'
import { actor, approve, makeBrief, makeContent, makeOpenProject } from './actors.js'

const app = await workspace(t, { WORKER: 'false' })
const { post, put, json } = actor(app)
const project = await makeOpenProject(app, 'Statements')

const facts = [
  ['r1', 'Release 3.2 has four changes and twelve fixes.'], ['r2', 'It was released on 3 March 2026.'],
  ['r3', 'A backup runs every 30 minutes.'], ['r4', 'Nora Lind of Kalmar Bank said: "We had fewer calls."'],
  ['r5', 'The index format does not change.'], ['r6', 'Part IV names the worker.']
].map(([id, text]) => ({ id, text, source: { kind: 'text', ref: 'Notes' } }))
const brief = await makeBrief(app, project, { title: 'Release', facts, points: [{ text: 'Release', fact_ids: [] }] })
const notes = (ids: string[]) => [...new Set(ids)].map((id) => `[^${id}]: Notes`).join('\n')

interface Read { text: string, verdict: string, why: string | null, reason: string | null }

const read = async (lines: [text: string, fact: string][]): Promise<Read[]> => {
  const body_markdown = `${lines.map(([text, id]) => id === '' ? text : `${text}[^${id}]`).join('\n\n')}\n\n` +
    `${notes(lines.flatMap(([, id]) => id === '' ? [] : [id]))}\n`
  const { id } = await makeContent(app, project, { title: 'Release', brief_id: brief.id, body_markdown })
  return (await json(`/${id}/statements`)).items
}

t.test('a true statement in other words is not doubted: numbers, times and dates in any spelling', async (t) => {
  const items = await read([
    ['There are 4 changes.', 'r1'], ['12 bugs were fixed.', 'r1'], ['It came out on March 3rd, 2026.', 'r2'],
    ['Every half an hour a backup runs.', 'r3'], ['“We had fewer calls,” says Nora Lind.', 'r4'],
    ['The format of the index stays; it is not changed.', 'r5'], ['The worker is named in Part 4.', 'r6']
  ])
  t.same(items.map(({ verdict, why }) => [verdict, why]), Array(7).fill(['unchecked', 'not_judged']))
})

t.test('a number, a date, a name, a quotation or a denial that the cited fact does not have is found', async (t) => {
  const items = await read([
    ['There are 12 changes.', 'r1'], ['It came out on 13 March 2026.', 'r2'], ['A backup runs every 15 minutes.', 'r3'],
    ['“We had none,” says Nora Lind.', 'r4'], ['‘No calls’ is what Lena Nord said.', 'r4'], ['The index format changes.', 'r5'],
    ['It has four changes.', 'r5'], ['The worker is named in Part VI.', 'r6']
  ])
  t.same(items.map(({ verdict, reason }) => [verdict, reason]), [
    ['not', 'The cited fact has another number for this'], ['not', 'No cited fact has this date'],
    ['not', 'No cited fact has this number'], ['not', 'No cited fact has this quotation'],
    ['not', 'No source has this name'], ['not', 'The cited fact says the opposite'],
    ['not', 'No cited fact has this number'], ['not', 'No cited fact has this number']
  ])
})

t.test('what cites nothing is compared with all sources, and the rest of it is told as not checked', async (t) => {
  const body_markdown = 'It has 4 changes. It has seventeen percent more. People like it.\n'
  const { id } = await makeContent(app, project, { title: 'Release', brief_id: brief.id, body_markdown })
  const { items, counts, open } = await json(`/${id}/statements`)
  t.same(items.map(({ verdict, why, reason }: Read) => [verdict, why, reason]), [
    ['unchecked', 'cites_no_fact', null], ['not', null, 'The number is in no source of the brief'],
    ['unchecked', 'cites_no_fact', null]
  ])
  t.same([counts, open], [{ follows: 0, partly: 0, not: 1, no_claim: 0, unchecked: 2 }, 1])
  const { checks } = await json(`/${id}`)
  t.same(checks.unchecked[0], {
    what: 'meaning', why: '2 of 3 statements cite no fact: only their numbers, dates and quotations were compared'
  })
})

t.test('a person accepts what no fact says as their own, and that alone lets it be approved', async (t) => {
  const { id } = await makeContent(app, project, { title: 'Release', brief_id: brief.id, body_markdown: 'It has 99 changes.\n' })
  await post(`/${id}/transitions`, { to: 'in_review' })
  t.match((await post(`/${id}/transitions`, { to: 'approved' })).json(), { code: 'content_checks_failed', errors_open: 1 })
  const stale = await post(`/${id}/statements/accept`, { text: 'It has 99 changes.' }, { 'if-match': '"r77"' })
  t.match(stale.json(), { status: 412 })
  const person = await makePerson(app, 'Voucher', 'member')
  const taken = (await actor(app, person.headers).post(`/${id}/statements/accept`, { text: 'It  has 99 changes.' })).json()
  t.match(taken, { open: 0, items: [{ verdict: 'not', accepted: { by: { name: 'Voucher' }, at: String, because: null } }] })
  await approve(app, id)
  t.equal((await json(`/${id}`)).status, 'approved')
  await put(`/${id}`, { ...await json(`/${id}`), body_markdown: 'It has 98 changes.\n' })
  t.match(await json(`/${id}/statements`), { open: 1, items: [{ accepted: null }] }, 'other words are accepted anew')
})

t.test('(26) a sentence may end with a number or a letter', async (t) => {
  const check = async (body_markdown: string) => (await post('/checks', {
    project_id: project, channel: 'blog', title: 'Sentences', body_markdown
  })).json()
  const six = 'The host listens on port 22. The button is disabled. It starts at 6. It ends at 14. We took plan B. It works.'
  t.equal((await check(six)).metrics.sentences, 6)
  const mixed = 'Version 2.5 costs $3.50, e.g. for Dr. Lind. Ask Prof. A. Berg at 5 p.m. on No. 7 Main St. about it.'
  t.equal((await check(mixed)).metrics.sentences, 2)
})

t.test('(24) the preview of a post shows links with the brackets that they close, tags, and who is only text', async (t) => {
  const site = 'https://social.example'
  const networks = await makeOpenProject(app, 'Networks', {
    publish_targets: [['mastodon', 'mastodon-token_1234567890'], ['bluesky', 'abcd-efgh-2345-wxyz']].map(([kind, secret]) =>
      ({ kind, name: kind, config: { url: site, username: 'desk' }, secret }))
  })
  const text = 'Autumn 🍂 (see https://sv.wikipedia.org/wiki/Lax_(fisk)), #Göteborg #2027 @nora.bsky.social "so" ' +
    'https://example.org/v?a=b#part. (#b2)'
  const marksAt = async (network: string) => {
    const fields = { posts: [{ text }] }
    const { id } = await makeContent(app, networks, { channel: 'social', network, title: network, body_markdown: '', fields })
    const { items: [{ parts: [part] }] } = await json(`/${id}/renderings`)
    return part.marks.map((mark: { kind: string, start: number, end: number }) => [mark.kind, text.slice(mark.start, mark.end)])
  }
  const marks = [
    ['link', 'https://sv.wikipedia.org/wiki/Lax_(fisk)'], ['tag', '#Göteborg'], ['plain_mention', '@nora.bsky.social'],
    ['link', 'https://example.org/v?a=b#part'], ['tag', '#b2']
  ]
  t.same(await marksAt('bluesky'), marks)
  t.same(await marksAt('mastodon'), marks.map(([kind, part]) => [kind === 'plain_mention' ? 'mention' : kind, part]))
})
