import { createServer, type AddressInfo } from 'node:net'
import t from '../tap.js'
import { buildApp } from '../app.js'
import { actor as contentActor, makeProject } from '../routes/content/actors.js'
import { actor, makeSession } from '../routes/pse/actors.js'

const banner = 'SSH-2.0-OpenSSH_9.2p1 canary-banner'
const talker = createServer((socket) => socket.on('error', () => undefined).resume().end(`${banner}\r\n`))
await new Promise<void>((resolve) => { talker.listen(0, '127.0.0.1', resolve) })
t.teardown(() => { talker.close() })
// A listening TCP server has such an address.
const { port } = talker.address() as AddressInfo
const closed = createServer()
await new Promise<void>((resolve) => { closed.listen(0, '127.0.0.1', resolve) })
const { port: shut } = closed.address() as AddressInfo
await new Promise((resolve) => closed.close(resolve))

/** Spellings of this machine and of other hosts that are not public; the test tries an open and a closed port. */
const hosts = ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0177.0.0.1', '①②⑦.⓪.⓪.①', '[::1]', '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]', 'localhost', 'localhost.', '0.0.0.0', '[::]', '169.254.169.254', '[fd00:ec2::254]', '10.0.0.1',
  '192.168.0.1', '172.16.0.1', '100.64.0.1']

t.test('D30, D35: no address is taken that is not public, and an open port looks like a closed', async (t) => {
  const app = await buildApp(t, { WORKER: 'false' })
  const { path } = await makeSession(app, 'Doors must open.')
  const specs = actor(app)
  const project = await makeProject(app, 'Destinations')
  const submit = async (url: string) => {
    const input = await specs.post(`${path}/inputs`, { inputs: [{ kind: 'url', url }] })
    const target = { kind: 'webhook', name: 'x', config: { url }, secret: `whsec_${'a'.repeat(32)}` }
    const brand = await contentActor(app).put(`/brands/${project}`, { publish_targets: [target] })
    return [input, brand].map((answer) => {
      const { request_id: _, ...problem } = answer.json()
      return JSON.stringify(problem).replaceAll(url, '#url')
    })
  }
  for (const host of hosts) {
    const [atOpen, atShut] = [await submit(`http://${host}:${port}/`), await submit(`http://${host}:${shut}/`)]
    t.same(atOpen, atShut, host)
    for (const problem of atOpen) {
      t.match(problem, /"(url_not_allowed|target_not_allowed|destination_not_allowed|invalid_request)"/, host)
      t.notMatch(problem, /banner|ECONN|EHOST|refused by|\d+\.\d+\.\d+\.\d+:\d+/, host)
    }
  }
})

t.test('D35: an error about an allowed target has a code, and none of the words of the target', async (t) => {
  const app = await buildApp(t, { WORKER: 'false', OUTBOUND_ALLOW: '127.0.0.1' })
  const { path } = await makeSession(app, 'Doors must open.')
  for (const at of [port, shut]) {
    const inputs = [{ kind: 'url', url: `http://127.0.0.1:${at}/` }]
    const answer = await actor(app).post(`${path}/inputs`, { inputs })
    const { request_id: _, ...problem } = answer.json()
    t.match(problem, { status: 502, code: 'url_unreachable' })
    t.notMatch(JSON.stringify(problem), /SSH|canary|ECONNREFUSED|HPE_|Parse Error/)
  }
})
