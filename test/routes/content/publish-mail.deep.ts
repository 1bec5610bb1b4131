import t from '../../tap.js'
import { simpleParser, startSmtpSandbox } from 'steward-sandbox/smtp'
import { buildApp } from '../../app.js'
import { actor, approve, makeContent, makeOpenProject, makeProject, publisherOf } from './actors.js'
import { deadLinks, everyLink } from './renderings.js'

const smtp = await startSmtpSandbox()
t.teardown(() => smtp.close())
const app = await buildApp(t, { WORKER: 'false', SMTP_URL: smtp.url, MAIL_FROM: 'desk@larkspur.example' })
const { post, put, json } = actor(app)

const target = {
  kind: 'mail',
  name: 'Letter',
  config: {
    recipients: ['list@readers.example', 'ada@nobody.example'],
    reply_to: 'editor@larkspur.example',
    unsubscribe_url: 'https://larkspur.example/unsubscribe'
  }
}
const project = await makeOpenProject(app, 'Letters', {
  publish_targets: [target], min_score: 0, seo: { canonical_base: 'https://larkspur.example/letters' }
})

const { work, newest } = publisherOf(app)
const fields = { subject: 'Größe & "one tap"', preheader: 'Nothing <to> install', from_name: 'Larkspur' }

const makeReady = async (title: string, more: object = {}): Promise<string> => {
  const { id } = await makeContent(app, project, { channel: 'email', title, body_markdown: everyLink, fields, ...more })
  await approve(app, id)
  return id
}
const publish = async (id: string) => {
  const answer = await post(`/${id}/publish`)
  await work(id)
  return answer
}
const mails = (id: string) => smtp.mails.filter(({ data }) => data.includes(id))

t.test('an e-mail goes to all recipients as one mail that looks like its preview', async (t) => {
  const id = await makeReady('Letter')
  const [{ parts, problems, destination }] = (await json(`/${id}/renderings`)).items
  t.same(problems, [])
  t.equal(destination, 'mail to list@readers.example, ada@nobody.example')
  await publish(id)
  const published = await newest(id)
  t.match(published, { state: 'succeeded', error: null, external: { id: `<${published.id}@larkspur.example>` } })
  const [mail, ...others] = mails(published.id)
  t.same(others, [])
  t.same([mail?.from, mail?.to], ['desk@larkspur.example', target.config.recipients])
  const { headers, text, html } = simpleParser(mail?.data ?? '')
  t.notMatch(mail?.data, 'list@readers.example', 'they do not see each other')
  t.match(headers, {
    from: 'Larkspur <desk@larkspur.example>',
    'reply-to': 'editor@larkspur.example',
    'message-id': published.external.id,
    'list-unsubscribe': '<https://larkspur.example/unsubscribe>'
  })
  const lines = (value = '') => value.replaceAll('\r\n', '\n').trimEnd()
  const shown = Object.fromEntries(parts.map((part: { name: string, text: string }) => [part.name, part.text]))
  t.same([headers.subject, lines(text), lines(html)], [shown.subject, lines(shown.text), lines(shown.html)])
  t.equal(shown.subject, fields.subject)
  t.same(deadLinks(html), [], 'every link and image leads somewhere from a mail')
  t.match(html, '<div style="display:none">Nothing &lt;to&gt; install</div>')
  t.match((await post(`/${id}/unpublish`)).json(), { status: 422, code: 'cannot_unpublish' })
})

t.test('(12) a mail whose answer was lost is not sent twice, unless a person asks for it', async (t) => {
  const id = await makeReady('Lost')
  smtp.manner = 'lose'
  await publish(id)
  smtp.manner = 'take'
  const { id: publication } = await newest(id)
  t.match(await newest(id), { state: 'unknown', error: 'no_answer' })
  await work(id)
  t.match(await newest(id), { state: 'failed', error: 'outcome_unknown' })
  t.equal(mails(publication).length, 1)
  await post(`/${id}/publications/${publication}/retry`)
  await work(id)
  t.match(await newest(id), { state: 'succeeded' })
  const ids = mails(publication).map(({ data }) => simpleParser(data).headers['message-id'])
  t.equal(ids.length, 2)
  t.equal(ids[0], ids[1], 'a reader\'s program sees that it is the same')
})

t.test('a server that is busy is tried again, one that refuses is not, and a part is said', async (t) => {
  const manner = async (title: string, how: typeof smtp.manner) => {
    const id = await makeReady(title)
    smtp.manner = how
    await publish(id)
    smtp.manner = 'take'
    return { id, before: await newest(id) }
  }
  const busy = await manner('Busy', 'busy')
  t.match(busy.before, { state: 'retrying', error: 'mail_server_busy' })
  await work(busy.id)
  t.match(await newest(busy.id), { state: 'succeeded' })
  t.match((await manner('Refused', 'refuse')).before, { state: 'failed', error: 'mail_refused' })
  await smtp.close()
  const down = await manner('Down', 'take')
  t.match(down.before, { state: 'retrying', error: 'mail_server_unreachable' }, 'it cannot have any of it')
  await smtp.open()
  await work(down.id)
  t.match(await newest(down.id), { state: 'succeeded' })
  const some = await manner('Some', 'some')
  t.match(some.before, { state: 'succeeded', error: 'recipients_refused' })
  t.same(mails(some.before.id).map(({ to }) => to), [['list@readers.example']])
})

t.test('addresses are addresses, and only e-mails go there', async (t) => {
  const other = await makeProject(app, 'Bad addresses')
  for (const [config, pointer] of [
    [{}, 'config/recipients'],
    [{ recipients: ['a@b.example', 'x <y@z.example>, q@z.example'] }, 'config/recipients/1'],
    [{ recipients: ['a@b.example\r\nBcc: c@d.example'] }, 'config/recipients/0'],
    [{ recipients: ['a@b.example'], reply_to: 'nobody' }, 'config/reply_to']
  ] as const) {
    t.match((await put(`/brands/${other}`, { publish_targets: [{ ...target, config }] })).json(),
      { status: 400, code: 'invalid_request', errors: [{ pointer: `/publish_targets/0/${pointer}` }] })
  }
  const { id } = await makeContent(app, project, { title: 'A post' })
  await approve(app, id)
  t.match((await post(`/${id}/publish`)).json(), { status: 422, code: 'no_target' })
})

t.test('a title with line breaks stays one header', async (t) => {
  const id = await makeReady('Broken', { fields: { ...fields, subject: 'One\r\nBcc: eve@example.com' } })
  await publish(id)
  const [mail] = mails((await newest(id)).id)
  t.same(mail?.to, target.config.recipients)
  t.equal(simpleParser(mail?.data ?? '').headers.subject, 'One Bcc: eve@example.com')
})

t.test('where the host sends no mail, a publication says so', async (t) => {
  const bare = await buildApp(t, { WORKER: 'false', SANDBOX: 'off' })
  const other = await makeOpenProject(bare, 'None', { publish_targets: [target], min_score: 0 })
  const { id } = await makeContent(bare, other, { channel: 'email', title: 'None', body_markdown: 'Hello.', fields })
  await approve(bare, id)
  await actor(bare).post(`/${id}/publish`)
  const { items: [{ id: publication_id }] } = await actor(bare).json(`/${id}/publications`)
  await bare.jobs.enqueue(bare.db, 'content.publication', { workspace_id: bare.home.workspace_id, publication_id })
  await bare.jobs.drain()
  t.match((await actor(bare).json(`/${id}/publications`)).items, [{ state: 'failed', error: 'mail_not_configured' }])
})
