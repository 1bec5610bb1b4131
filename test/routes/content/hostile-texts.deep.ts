import t from '../../tap.js'
import { KeptTexts } from '../../../routes/content/lib/texts/html-of.js'
import { buildApp } from '../../app.js'
import { actor, approve, draft, makeContent, makeOpenProject } from './actors.js'

const app = await buildApp(t, { WORKER: 'false' })
const { get, post } = actor(app)
const project = await makeOpenProject(app, 'Hostile', {
  publish_targets: [{ kind: 'feed', name: 'Feed', config: { public: true, title: 'News' } }]
})

/** Emphasis that never ends takes quadratic time; the others exhaust the stack of what walks their tree. */
const hostile: [string, string][] = [
  ['emphasis', '*a_ '.repeat(10_000)],
  ['quotations', `${'>'.repeat(5_000)} deep`],
  ['lists', `${'- '.repeat(5_000)}deep`],
  ['strong', `${'**a '.repeat(2_000)}${'b** '.repeat(2_000)}`]
]

t.test('S7: a text that cannot be read in time is refused, and meanwhile the process answers', async (t) => {
  const check = async (body_markdown: string) => {
    const order: string[] = []
    const note = <T>(what: string) => (answer: T): T => {
      order.push(what)
      return answer
    }
    const checked = post('/checks', draft(project, { body_markdown })).then(note('checked'))
    const asked = Promise.all(Array.from({ length: 20 }, async () => app.inject('/health'))).then(note('healthy'))
    const [answer, health] = await Promise.all([checked, asked])
    return { answer, health, order }
  }
  for (const [name, body_markdown] of hostile) {
    let { answer, health, order } = await check(body_markdown)
    // A machine that gives the text too little time says so, and not that the text is at fault.
    for (let tries = 0; answer.json().code === 'overloaded' && tries < 5; tries++) {
      ({ answer, health, order } = await check(body_markdown))
    }
    t.match(answer.json(), { status: 422, code: 'text_too_complex', detail: /fewer levels of quotations/ }, name)
    t.same([...new Set(health.map(({ statusCode }) => statusCode))], [200])
    t.same(order, ['healthy', 'checked'], `${name}: health is not kept waiting`)
  }
  t.equal((await post('/checks', draft(project))).statusCode, 200, 'the next text is read')
})

t.test('a run of letters or marks that is as long as a text is read in time', async (t) => {
  const runs = ['a'.repeat(199_000), '!'.repeat(150_000), '^'.repeat(150_000)]
  for (const body_markdown of runs) {
    const answer = await post('/checks', draft(project, { body_markdown }))
    t.equal(answer.statusCode, 200, `${body_markdown.charAt(0)}: it takes no work for each pair of its characters`)
  }
})

t.test('a text of numbers alone has no grade', async (t) => {
  const answer = await post('/checks', draft(project, { body_markdown: '0,'.repeat(100) }))
  t.match(answer.json(), { metrics: { grade: 0 } })
})

t.test('S7: a text as long as a record may be is checked, rendered and compared', async (t) => {
  const body_markdown = 'Returning customers pay with one tap, *every* time, and [nothing](https://a.example) else.\n\n'
    .repeat(2_000)
  const { id } = await makeContent(app, project, { body_markdown })
  const html = await get(`/${id}`, { accept: 'text/html' })
  t.equal(html.payload.split('<em>every</em>').length - 1, 2_000)
  const answer = await get(`/${id}/diff?from=1&granularity=word`)
  t.same(answer.json(), { from: 1, to: 1, fields: [], body: [{ op: 'equal', text: body_markdown }] })
})

/** Puts another text below a version, as no route does: whether it is read again shows. */
const overwrite = async (id: string, body_markdown: string) => {
  const { body } = await app.db.selectFrom('content_version').select('body').where('content_id', '=', id)
    .executeTakeFirstOrThrow()
  await app.db.updateTable('content_version').set({ body: JSON.stringify({ ...body, body_markdown }) })
    .where('content_id', '=', id).execute()
}

const publish = async (title: string): Promise<string> => {
  const body_markdown = `*${title}* is live.\n`
  const { id } = await makeContent(app, project, { title, summary: 'In <short>', body_markdown })
  await approve(app, id)
  await post(`/${id}/publish`)
  await app.jobs.drain()
  return id
}

t.test('S7: of a feed an item is rendered once, and nothing for a reader who has it', async (t) => {
  const read = (format: string, headers = {}) => actor(app, {}).get(`/feeds/${project}.${format}`, headers)
  const [good, bad] = [await publish('Good'), await publish('Bad')]
  await overwrite(bad, hostile[1]?.[1] ?? '')
  const first = await read('json')
  const found = first.json().items
    .map(({ id, content_html, summary }: Record<string, string>) => [id, content_html, summary])
  t.same(found, [
    [`urn:content:${bad}`, '<p>In &lt;short&gt;</p>', 'In <short>'],
    [`urn:content:${good}`, '<p><em>Good</em> is live.</p>', 'In <short>']
  ], 'of what cannot be read, the summary is there')
  await overwrite(good, 'Another text')
  t.match((await read('atom')).payload, '<em>Good</em> is live', 'kept by its version')
  t.equal((await read('json')).payload, first.payload)
  await app.db.updateTable('content_version').set({ body: '{}' }).where('content_id', 'in', [good, bad]).execute()
  const held = await read('json', { 'if-none-match': first.headers.etag })
  t.same([held.statusCode, held.headers.etag], [304, first.headers.etag], 'answered before any text is read')
})

t.test('a cached text is made once for concurrent calls, and the cache does not grow', async (t) => {
  const kept = new KeptTexts(10)
  const made: string[] = []
  const make = (text: string) => async () => {
    made.push(text)
    return text
  }
  t.same(await Promise.all([kept.get('a', make('aaaa')), kept.get('a', make('aaaa'))]), ['aaaa', 'aaaa'])
  await kept.get('b', make('bbbb'))
  await kept.get('a', make('aaaa'))
  await kept.get('c', make('cccc'))
  t.same(made, ['aaaa', 'bbbb', 'cccc'])
  await kept.get('a', make('aaaa'))
  await kept.get('b', make('bbbb'))
  t.same(made, ['aaaa', 'bbbb', 'cccc', 'bbbb'], 'the least recently used text is gone')
  await t.rejects(kept.get('d', async () => { throw new Error('no') }))
  t.equal(await kept.get('d', make('dddd')), 'dddd', 'a failure is not kept')
})
