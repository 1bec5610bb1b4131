import t from '../tap.js'
import { importsOf, listSources, read } from './sources.js'

const files = ['lib', 'plugins', 'routes', 'db'].flatMap(listSources)

/** Where a request goes on the wire, and why what it changes is counted there or needs no count. */
const senders = new Map([
  ['lib/codehost/transport.ts', 'counts what is no GET'],
  ['lib/outbound/request.ts', 'counts what is no GET'],
  ['lib/aws/registry.ts', 'ECR is asked, nothing is changed'],
  ['lib/llm/transport.ts', 'a model is asked, nothing is changed'],
  ['lib/objects/s3.ts', 'an object is named by its content: sent again, it is the same'],
  ['plugins/sandbox.ts', 'sets where the sandbox of this process sends its webhooks'],
  ['routes/codehost/lib/repositories/list-repositories.ts', 'reads a page by a parameter of that name']
])

t.test('whatever goes on the wire passes the point of no return', async (t) => {
  const sending = files.filter((file) => /(?<![.\w])fetch\(|\bhttps?\b\)?\.request\(|from 'undici'/.test(read(file)))
  t.same(sending.filter((file) => !senders.has(file)), [], 'use app.outbound, app.codehost or app.aws')
  for (const file of ['lib/codehost/transport.ts', 'lib/outbound/request.ts']) {
    t.match(read(file), /performCall\(/, file)
  }
})

t.test('clients of AWS are made in one file, which counts their writes', async (t) => {
  const makers = files.filter((file) => importsOf(file).some(({ to, external, typeOnly }) =>
    external && to.startsWith('@aws-sdk/client-') && !typeOnly))
  // These make commands, no client.
  const commands = ['routes/cloud/lib/costs/fetch-costs.ts', 'routes/infrastructure/lib/write-ecs.ts']
  t.same(makers.sort(), ['lib/aws/clients.ts', ...commands])
  for (const file of commands) t.notMatch(read(file), /Client\(|new (ECS|CostExplorer)\(/)
  t.match(read('lib/aws/clients.ts'), /countWrites\(/)
})

t.test('the database is opened with the driver that counts commits', async (t) => {
  const dialects = files.filter((file) => /new (Postgres|Watched)Dialect\(/.test(read(file)))
  t.same(dialects, ['db/index.ts'])
  t.match(read('db/index.ts'), /new WatchedDialect\(/)
})
