import { randomBytes } from 'node:crypto'
import t, { type Test } from '../../tap.js'
import { startBluesky, startMastodon } from 'steward-sandbox/sites'
import { buildApp } from '../../app.js'
import { actor, approve, makeContent, makeOpenProject, makeProject, missing, publisherOf } from './actors.js'
import { gif, makePng, webp } from './image-bytes.js'

const app = await buildApp(t, { WORKER: 'false', OUTBOUND_ALLOW: '127.0.0.1' })
const { get, post, put, json } = actor(app)

const [token, password] = ['mastodon-token_1234567890', 'abcd-efgh-2345-wxyz']
const mastodon = await startMastodon(token)
const bluesky = await startBluesky('larkspur.example', password)
t.teardown(() => Promise.all([mastodon.close(), bluesky.close()]))

const targets = [
  { kind: 'mastodon', name: 'Mastodon', config: { url: mastodon.url, visibility: 'unlisted' }, secret: token },
  { kind: 'bluesky', name: 'Bluesky', config: { url: bluesky.url, username: 'larkspur.example' }, secret: password },
  { kind: 'linkedin', name: 'LinkedIn', config: {} }
]
const project = await makeOpenProject(app, 'Posts', { publish_targets: targets, min_score: 0 })

const { work, newest } = publisherOf(app)

const makeReady = async (network: string, texts: string[], media: object[] = []): Promise<string> => {
  const fields = { posts: texts.map((text) => ({ text })) }
  const written = { title: texts[0]?.slice(0, 80), body_markdown: '', fields, media }
  const { id } = await makeContent(app, project, { channel: 'social', network, ...written })
  await approve(app, id)
  return id
}
const publish = async (id: string, input: object = {}) => {
  const answer = await post(`/${id}/publish`, input)
  await work(id)
  return answer
}

/** What is at both networks, as far as they are alike. */
const networks = [
  {
    kind: 'mastodon',
    site: mastodon,
    writes: '/statuses',
    before: 0,
    kept: () => mastodon.statuses.map(({ id, text, in_reply_to_id: parent }) => ({ id, text, parent }))
  },
  {
    kind: 'bluesky',
    site: bluesky,
    writes: 'putRecord',
    before: 1,
    kept: () => bluesky.posts.map(({ uri, value }) =>
      ({ id: uri, text: value.text, parent: value.reply?.parent.uri ?? null }))
  }
]

for (const { kind, site, writes, before, kept } of networks) {
  const at = (word: string) => kept().filter(({ text }) => text.startsWith(`${kind} ${word}`))
  const texts = (...words: string[]) => words.map((word) => `${kind} ${word}`)

  t.test(`${kind}: the posts of a record become one thread, and are removed when it is taken back`, async (t: Test) => {
    const id = await makeReady(kind, texts('thread 1', 'thread 2', 'thread 3'))
    const [preview] = (await json(`/${id}/renderings`)).items
    t.match(preview, { kind, problems: [] })
    await publish(id)
    const published = await newest(id)
    t.match(published, { kind, state: 'succeeded', error: null, external: { url: /^https:/ } })
    const thread = at('thread')
    t.same(thread.map(({ text }) => text), preview.parts.map(({ text }: { text: string }) => text))
    t.same(thread.map(({ parent }) => parent), [null, thread[0]?.id, thread[1]?.id])
    t.same(published.external.ids, thread.map(({ id }) => id))
    t.match(await json(`/${id}`), { status: 'published', published_version: 1 })

    await put(`/${id}`, { title: 'Thread', fields: { posts: [{ text: `${kind} thread changed` }] } })
    await approve(app, id)
    await publish(id)
    t.match(await newest(id), { action: 'update', state: 'failed', error: 'posts_not_editable' })
    t.equal(at('thread').length, 3)

    await post(`/${id}/unpublish`)
    await work(id)
    t.match(await newest(id), { action: 'unpublish', state: 'succeeded' })
    t.same(at('thread'), [])
    await publish(id)
    t.same(at('thread').map(({ text }) => text), texts('thread changed'))
  })

  t.test(`${kind} (12): a post whose answer was lost is not posted twice`, async (t: Test) => {
    const id = await makeReady(kind, texts('lost 1', 'lost 2'))
    site.loseAnswers(1, writes)
    await publish(id)
    t.match(await newest(id), { state: 'unknown' })
    t.equal(at('lost').length, 1)
    await work(id)
    t.match(await newest(id), { state: 'succeeded' })
    t.same(at('lost').map(({ text }) => text), texts('lost 1', 'lost 2'))
  })

  t.test(`${kind}: a thread that was refused in the middle goes on from there`, async (t: Test) => {
    const id = await makeReady(kind, texts('middle 1', 'middle 2'))
    site.refuse(503, 1, before + 1)
    await publish(id)
    t.match(await newest(id), { state: 'retrying', error: 'answered_503', external: { ids: [at('middle')[0]?.id] } })
    t.same(at('middle').map(({ text }) => text), texts('middle 1'))
    if (kind === 'mastodon') mastodon.forgetKeys()
    await work(id)
    t.match(await newest(id), { state: 'succeeded' })
    t.same(at('middle').map(({ text }) => text), texts('middle 1', 'middle 2'))
  })

  t.test(`${kind}: only what was written for the network goes there, and a wrong secret is said`, async (t: Test) => {
    const { id } = await makeContent(app, project, { title: `Not for ${kind}` })
    t.same((await json(`/${id}/renderings`)).items, [])
    await approve(app, id)
    t.match((await post(`/${id}/publish`)).json(), { status: 422, code: 'no_target' })

    const target = targets.find((one) => one.kind === kind)
    const wrong = target?.secret?.replace(/^./, 'z')
    const other = await makeOpenProject(app, `${kind} bad`, { publish_targets: [{ ...target, secret: wrong }] })
    const made = await makeContent(app, other, {
      channel: 'social', network: kind, title: 'Bad', body_markdown: '', fields: { posts: [{ text: `${kind} bad` }] }
    })
    await approve(app, made.id)
    await publish(made.id)
    t.match(await newest(made.id), { state: 'failed', error: 'answered_401' })
    const bare = await makeProject(app, `${kind} bare`)
    t.match((await put(`/brands/${bare}`, { publish_targets: [{ ...target, secret: undefined }] })).json(),
      { status: 400, errors: [{ pointer: '/publish_targets/0/secret' }] })
    t.notMatch((await get(`/brands/${other}`)).payload, wrong)
  })
}

t.test('mastodon: after an hour it recognizes no post, and a lost one is left to a person', async (t) => {
  const id = await makeReady('mastodon', ['Hour one'])
  mastodon.loseAnswers(1)
  await publish(id)
  const { id: publication, attempts } = await newest(id)
  t.equal(attempts.length, 1)
  mastodon.forgetKeys()
  const old = [{ ...attempts[0], at: new Date(Date.now() - 56 * 60_000).toISOString() }]
  await app.db.updateTable('content_publication').set({ attempts: JSON.stringify(old) })
    .where('id', '=', publication).execute()
  await work(id)
  t.match(await newest(id), { state: 'failed', error: 'outcome_unknown' })
  t.equal(mastodon.statuses.filter(({ text }) => text === 'Hour one').length, 1, 'it was not sent again')
  await post(`/${id}/publications/${publication}/retry`)
  await work(id)
  t.match(await newest(id), { state: 'succeeded' }, 'a person may have it sent')
})

t.test('mastodon: language and visibility are those of the record and the target', async (t) => {
  await publish(await makeReady('mastodon', ['Said #once']))
  t.match(mastodon.statuses.at(-1), { text: 'Said #once', language: 'en', visibility: 'unlisted' })
})

t.test('bluesky: links and tags are named by their bytes', async (t) => {
  const text = 'Größe 🌼: https://larkspur.example/a?b=1, #news #42.'
  const id = await makeReady('bluesky', [text])
  await publish(id)
  const { facets = [], langs } = bluesky.posts.at(-1)?.value ?? {}
  const bytes = Buffer.from(text)
  t.same(facets.map(({ index, features }) =>
    [bytes.subarray(index.byteStart, index.byteEnd).toString(), Object.values(features[0] ?? {})[1]]),
  [['https://larkspur.example/a?b=1', 'https://larkspur.example/a?b=1'], ['#news', 'news']])
  t.same(langs, ['en'])
})

t.test('a post that is too long for its network is named before anybody approves it', async (t) => {
  const { id } = await makeContent(app, project, {
    channel: 'social',
    network: 'bluesky',
    title: 'Long',
    body_markdown: '',
    fields: { posts: [{ text: 'Short' }, { text: 'x'.repeat(301) }] }
  })
  const [{ problems }] = (await json(`/${id}/renderings`)).items
  t.same(problems, [{ code: 'too_long', part: 'post 2', address: '' }])
})

const addImage = async (data: string): Promise<string> =>
  (await post('/images', { project_id: project, data })).json().url
const urls = [await addImage(webp), await addImage(makePng(3, 2).toString('base64'))]
const media = urls.map((url, index) => ({ url, alt: `Picture ${index + 1}: größer 🌼` }))

t.test('images of a record go with its first post, with their texts and proportions', async (t) => {
  mastodon.processing(2)
  const id = await makeReady('mastodon', ['Pictured 1', 'Pictured 2'], media)
  const [preview] = (await json(`/${id}/renderings`)).items
  t.match(preview, { images: media, problems: [] })
  await publish(id)
  t.match(await newest(id), { state: 'succeeded' })
  mastodon.processing(0)
  const [first, second] = mastodon.statuses.filter(({ text }) => text.startsWith('Pictured'))
  t.same(first?.media.map(({ description, mime_type: type }) => ({ description, type })), [
    { description: media[0]?.alt, type: 'image/webp' }, { description: media[1]?.alt, type: 'image/png' }
  ])
  t.equal(first?.media[0]?.data.toString('base64'), webp)
  t.same(second?.media, [])

  await publish(await makeReady('bluesky', ['Pictured sky 1', 'Pictured sky 2'], media))
  const [sky, next] = bluesky.posts.filter(({ value }) => value.text.startsWith('Pictured')).map(({ value }) => value)
  t.match(sky?.embed, {
    $type: 'app.bsky.embed.images',
    images: [
      { alt: media[0]?.alt, aspectRatio: { width: 8, height: 6 }, image: { $type: 'blob', mimeType: 'image/webp' } },
      { alt: media[1]?.alt, aspectRatio: { width: 3, height: 2 }, image: { $type: 'blob', mimeType: 'image/png' } }
    ]
  })
  t.equal(bluesky.blobs[0]?.data.toString('base64'), webp)
  t.notOk(next?.embed)
})

t.test('bluesky: a pictured post whose answer was lost is one post', async (t) => {
  const id = await makeReady('bluesky', ['Lost picture'], media)
  bluesky.loseAnswers(1, 'putRecord')
  await publish(id)
  await work(id)
  t.match(await newest(id), { state: 'succeeded' })
  t.equal(bluesky.posts.filter(({ value }) => value.text === 'Lost picture').length, 1)
})

t.test('what a network does not take of images is named before anybody approves it, and nothing is sent', async (t) => {
  const large = await addImage(makePng(2_100, 1_000, [], randomBytes(2_100_000)).toString('base64'))
  const many = Array.from({ length: 5 }, () => ({ url: urls[0], alt: 'Again' }))
  for (const [network, pictures, codes, error] of [
    ['mastodon', many, ['too_many_images'], 'too_many_images'],
    ['bluesky', [{ url: large, alt: 'Large' }], ['image_too_large'], 'image_too_large'],
    ['mastodon', [{ url: large, alt: 'Large' }], [], null],
    ['mastodon', [{ url: `${new URL(String(urls[0])).origin}/content/images/${missing}.png`, alt: 'Gone' }],
      ['dead_link'], 'image_not_found']
  ] as const) {
    const id = await makeReady(network, [`Refused ${error} at ${network}`], [...pictures])
    const [{ problems }] = (await json(`/${id}/renderings`)).items
    t.same(problems.map(({ code }: { code: string }) => code), codes)
    const before = mastodon.statuses.length + bluesky.posts.length
    await publish(id)
    if (error === 'image_not_found') continue
    t.match(await newest(id), { state: error === null ? 'succeeded' : 'failed', error })
    t.equal(mastodon.statuses.length + bluesky.posts.length - before, error === null ? 1 : 0)
  }
})

t.test('a post of exactly the limit is taken as its network counts, and one more is not', async (t) => {
  const family = '👩‍👩‍👧‍👦'
  const address = `https://larkspur.example/${'a'.repeat(200)}`
  const lengths = async (network: string, text: string) => {
    const id = await makeReadyOrNot(network, text)
    return (await json(`/${id}/renderings`)).items[0].problems.map(({ code }: { code: string }) => code)
  }
  const makeReadyOrNot = async (network: string, text: string) => (await makeContent(app, project, {
    channel: 'social', network, title: 'Limit', body_markdown: '', fields: { posts: [{ text }] }
  })).id
  for (const [network, text, codes] of [
    ['mastodon', family.repeat(500), []],
    ['mastodon', family.repeat(501), ['too_long']],
    ['mastodon', `${'x'.repeat(476)} ${address}.`, ['too_long']],
    ['mastodon', `${'x'.repeat(475)} ${address}.`, []],
    ['mastodon', `${'x'.repeat(480)} https://a.example`, ['too_long']],
    ['mastodon', `${'x'.repeat(493)} @editor@${'social.'.repeat(20)}example`, ['too_long']],
    ['mastodon', `${'x'.repeat(492)} @editor@${'social.'.repeat(20)}example`, []],
    ['bluesky', family.repeat(120), []],
    ['bluesky', family.repeat(121), ['too_long']],
    ['bluesky', 'x'.repeat(300), []],
    ['bluesky', `${'x'.repeat(276)} ${address}`, ['too_long']]
  ] as const) {
    t.same(await lengths(network, text), codes, `${network} ${text.slice(0, 20)} ${text.length}`)
    if (codes.length > 0) continue
    const id = await makeReady(network, [text])
    await publish(id)
    t.match(await newest(id), { state: 'succeeded', error: null }, 'the network takes it')
  }
})

t.test('mastodon: a token that was revoked after the preview posts nothing, and shows no image', async (t) => {
  const id = await makeReady('mastodon', ['Revoked'], media)
  t.match((await json(`/${id}/renderings`)).items[0].problems, [])
  mastodon.revoke()
  await publish(id)
  t.match(await newest(id), { state: 'failed', error: 'answered_401' })
  t.equal(mastodon.statuses.filter(({ text }) => text === 'Revoked').length, 0)
  t.equal((await app.inject({ url: new URL(await addImage(gif)).pathname })).statusCode, 401)
})

t.test('linkedin: what goes out is a text, which its preview has', async (t) => {
  const id = await makeReady('linkedin', ['First part.\n#shops', 'Second part.'])
  const [{ parts, destination }] = (await json(`/${id}/renderings`)).items
  const marks = [{ kind: 'tag', start: 12, end: 18 }]
  t.same(parts, [{ name: 'text', media_type: 'text/plain', text: 'First part.\n#shops\n\nSecond part.', marks }])
  t.equal(destination, 'a text to paste at LinkedIn')
  await publish(id)
  t.match(await newest(id), { kind: 'linkedin', state: 'succeeded', external: null })
})
