import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from '../app.js'
import { readConfig } from '../plugins/config.js'
import { answerForLargeAccount } from './lib/large-account.js'

/**
 * Names and lists of an account with 60 clusters and 300 services, and of a cluster with 300, where each call of AWS
 * takes as long as it does from afar. By hand:
 *
 *   node deploy/build.mjs bench && node dist/bench/large-account.js [ms a call, 120]
 */
const delayMs = Number(process.argv[2] ?? 120)
let calls = 0

const read = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(Buffer.from(part))
  const text = Buffer.concat(parts).toString()
  return text.startsWith('{') ? JSON.parse(text) : {}
}

const endpoint = createServer(async (request, response) => {
  const body = await read(request)
  const [, region = ''] = /Credential=[^/]+\/\d+\/([^/]+)\//.exec(request.headers.authorization ?? '') ?? []
  const operation = String(request.headers['x-amz-target'] ?? `${request.method} ${request.url?.split('?')[0]}`)
    .replace(/^\w+\./, '')
  const answer = answerForLargeAccount({ operation, region, body })
  calls++
  await sleep(delayMs)
  response.writeHead(answer && !('__type' in answer) ? 200 : 404, { 'content-type': 'application/x-amz-json-1.1' })
  response.end(JSON.stringify(answer ?? { __type: 'ResourceNotFoundException', message: `no ${operation}` }))
})
endpoint.listen(0, '127.0.0.1')
await once(endpoint, 'listening')
// It listens on TCP, so it has a port.
const { port } = endpoint.address() as AddressInfo

const ADMIN_TOKEN = 'bench-admin-token-0123456789-abcdefghijklmnop'
const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
const folder = mkdtempSync(join(tmpdir(), 'steward-large-'))
const app = await build(readConfig({
  DATA_DIR: folder,
  ADMIN_TOKEN,
  SECRET_KEY: 'bench-secret-key-0123456789-abcdefghijklmnop',
  LOG_LEVEL: 'silent',
  PORT: '0',
  AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`
}), false)
await app.ready()
const account = (await app.inject({
  method: 'POST',
  url: '/cloud/accounts',
  headers,
  payload: { name: 'Large', regions: ['eu-west-1', 'eu-central-1'], auth: { type: 'ambient' } }
})).json()

const measure = async (what: string, urls: string[]): Promise<void> => {
  const before = calls
  const start = performance.now()
  const answers = await Promise.all(urls.map((url) => app.inject({ method: 'GET', url, headers })))
  const took = ((performance.now() - start) / 1_000).toFixed(2)
  const refused = answers.filter(({ statusCode }) => statusCode !== 200)
  const [first] = refused
  console.log(`${took} s  ${String(calls - before).padStart(4)} calls  ${what}` +
    (first ? `: ${refused.length} of ${urls.length} refused, ${first.body.slice(0, 200)}` : ''))
}

const services = '/infrastructure/containers/services'
const rest = async () => { app.aws.inventory.forget(''); await sleep(6_000) }
await measure('the first read, which loads the SDK', [`${services}/${account.id}~eu-west-1~cluster-1~service-5`])
await rest()
await measure('service-7, by its name', [`${services}/service-7`])
await rest()
await measure('service cluster-1/service-7', [`${services}/cluster-1%2Fservice-7`])
await rest()
await measure('function report', ['/infrastructure/serverless/functions/report'])
await rest()
await measure('the clusters', ['/infrastructure/containers/clusters'])
await rest()
const big = `/infrastructure/containers/clusters/${account.id}~eu-central-1~big/services?limit=100`
await measure('the cluster with 300 services', [big])
await rest()
const each = Array.from({ length: 60 }, (_, index) =>
  `/infrastructure/containers/clusters/${account.id}~eu-west-1~cluster-${index}/services`)
await measure('the services of 60 clusters', each)
await measure('service-7 right after that', [`${services}/cluster-1%2Fservice-7`])
await measure('function report right after that', ['/infrastructure/serverless/functions/report'])
await app.close()
endpoint.closeAllConnections()
endpoint.close()
rmSync(folder, { recursive: true, force: true })
