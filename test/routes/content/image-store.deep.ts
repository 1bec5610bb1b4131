import t from '../../tap.js'
import { startS3 } from 'steward-sandbox/s3'
import { asAdmin, buildApp } from '../../app.js'
import { actor, approve, makeContent, makeOpenProject } from './actors.js'
import { exportOf, importTo } from '../account/archives.js'
import { gif, png, webp } from './image-bytes.js'

const account = {
  bucket: 'steward-images', region: 'eu-central-1', accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalr-EXAMPLE'
}
const s3 = await startS3(account)
t.teardown(() => s3.close())
const app = await buildApp(t, {
  WORKER: 'false',
  S3_BUCKET: account.bucket,
  S3_REGION: account.region,
  S3_ENDPOINT: s3.url,
  S3_ACCESS_KEY_ID: account.accessKeyId,
  S3_SECRET_ACCESS_KEY: account.secretAccessKey
})
const { post, remove, json } = actor(app)
const project = await makeOpenProject(app, 'Stored', {
  min_score: 0, publish_targets: [{ kind: 'feed', name: 'Feed', config: { public: true } }]
})
const add = (data: string) => post('/images', { project_id: project, data })
const open = (url: string, headers: Record<string, string> = {}) => app.inject({ url: new URL(url).pathname, headers })

t.test('bytes are in the bucket and not in the database; people and readers get them', async (t) => {
  const { id, url } = (await add(png)).json()
  const key = `${app.home.workspace_id}/${id}`
  t.same([...s3.objects.keys()], [key])
  t.equal(s3.objects.get(key)?.data.toString('base64'), png)
  t.equal(s3.objects.get(key)?.mediaType, 'image/png')
  const row = await app.db.selectFrom('content_image').select(['data', 'object_key']).executeTakeFirstOrThrow()
  t.same(row, { data: null, object_key: key })
  t.equal((await open(url)).statusCode, 401)
  t.equal((await open(url, asAdmin)).rawPayload.toString('base64'), png)

  const record = await makeContent(app, project, { title: 'Stored', body_markdown: `![One tap](${url})` })
  await approve(app, record.id)
  await post(`/${record.id}/publish`)
  const [{ id: publication_id }] = (await json(`/${record.id}/publications`)).items
  await app.jobs.enqueue(app.db, 'content.publication', { workspace_id: app.home.workspace_id, publication_id })
  await app.jobs.drain()
  t.equal((await open(url)).rawPayload.toString('base64'), png)
})

t.test('the same bytes are one object, and a deleted image leaves none', async (t) => {
  const before = s3.objects.size
  const { id } = (await add(gif)).json()
  t.equal((await add(gif)).json().id, id)
  t.equal(s3.objects.size, before + 1)
  t.equal((await remove(`/images/${id}`)).statusCode, 204)
  t.equal(s3.objects.size, before)
  t.equal((await remove(`/images/${id}`)).statusCode, 404)
})

t.test('an archive has the bytes of the bucket, and where it is imported they are in the database', async (t) => {
  const { id, url } = (await add(webp)).json()
  const workspace = app.home.workspace_id
  s3.refuse(503, 1)
  t.match((await exportOf(app, workspace)).json(), { status: 502, code: 'object_store_failed', detail: /503/ })
  const { statusCode, body } = await exportOf(app, workspace)
  t.equal(statusCode, 200)

  const there = await buildApp(t, { WORKER: 'false' })
  const imported = await importTo(there, body)
  t.equal(imported.statusCode, 201, imported.body)
  const rows = there.db.selectFrom('content_image').select(['data', 'object_key', 'size'])
    .where('workspace_id', '=', workspace)
  const row = await rows.where('id', '=', id).executeTakeFirstOrThrow()
  t.same([row.object_key, row.data && Buffer.from(row.data).toString('base64')], [null, webp])
  t.same(await rows.where('data', 'is', null).execute(), [], 'no image is without its bytes')
  t.equal((await open(url, asAdmin)).rawPayload.toString('base64'), webp, 'here they stay in the bucket')
  await remove(`/images/${id}`)
})

t.test('a store that fails is said to fail, and nothing is half done', async (t) => {
  s3.refuse(503, 1)
  t.match((await add(gif)).json(), { status: 502, code: 'image_store_failed', detail: /503/ })
  t.equal((await json(`/images?project_id=${project}`)).items.length, 1, 'there is no row without bytes')
  const { id, url } = (await add(gif)).json()
  s3.refuse(403, 1)
  t.match((await open(url, asAdmin)).json(), { status: 502, code: 'image_store_failed' })
  s3.refuse(500, 1)
  t.match((await remove(`/images/${id}`)).json(), { status: 502, code: 'image_store_failed' })
  t.equal((await open(url, asAdmin)).statusCode, 200, 'what was not removed is an image still')
  s3.objects.clear()
  t.equal((await open(url, asAdmin)).statusCode, 404, 'what somebody took out of the bucket is not there')
})

t.test('half a configuration is refused when the process starts', async (t) => {
  const halves = [['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'], ['S3_ENDPOINT', 'S3_BUCKET']] as const
  for (const [given, missing] of halves) {
    await t.rejects(buildApp(t, { [given]: given === 'S3_ENDPOINT' ? s3.url : 'key' }),
      { message: `Environment variable ${given} needs ${missing} as well` })
  }
})
