import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Fastify from 'fastify'
import t, { type Test } from '../../tap.js'
import type { Principal } from '../../../lib/security/principal.js'
import { MessageAnswers } from '../../../routes/mcp/lib/answer-message.js'
import { asAdmin } from '../../app.js'
import { startChatApp } from '../../chat.js'
import { conformanceOffer } from './conformance-offer.js'

/**
 * The protocol's own conformance suite: what concerns the endpoint itself, at the endpoint; what needs tools, resources
 * and prompts of the suite, against the same layer with these beside Steward's. docs/mcp.md says what of the suite
 * is left out, and why.
 */
const bin = join(process.cwd(), 'test/conformance/node_modules/.bin/conformance')
const [major = 0] = process.versions.node.split('.').map(Number)
const skip = (!existsSync(bin) && 'needs npm ci --prefix test/conformance') ||
  (major < 22 && 'the suite needs a later Node than 20')

/** Checks of server-stateless that look for tools which ask for more, or log. */
const untestable = new Set([
  'sep-2575-server-rejects-undeclared-capability', 'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream', 'sep-2575-server-no-log-without-loglevel'
])

/** Scenarios of the endpoint itself: of its transport, its rights and its lists. */
const own = new RegExp(`^(${['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection', 'server-stateless',
  'caching', 'http-header-validation', 'server-sse-multiple-streams', 'prompts-list', 'resources-list',
  'sep-2164-resource-not-found'].join('|')})$`)

/** What Steward does not declare; each with its reason in docs/mcp.md. */
const never = ['server-session-lifecycle', 'logging-set-level', 'completion-complete',
  'tools-call-with-logging', 'tools-call-sampling', 'tools-call-elicitation', 'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums', 'server-sse-polling', 'resources-subscribe', 'resources-unsubscribe',
  'http-custom-header-server-validation', 'sep-2640-.*', 'tasks-.*'].join('|')
const undeclared: Record<string, RegExp> = {
  '2025-11-25': new RegExp(`^(${never}|server-sse-multiple-streams)$`), '2026-07-28': new RegExp(`^(${never})$`)
}

interface Check { id: string, status: string, errorMessage?: string }

const run = async (...args: string[]): Promise<string> => {
  // It ends with 1 where a check fails: which, is read from its files.
  const { stdout } = await promisify(execFile)(process.execPath, [bin, ...args], { maxBuffer: 2 ** 24 })
    .catch((error: { stdout: string }) => error)
  return stdout
}

/** @returns the names of the suite's scenarios of a version */
const listScenarios = async (version: string): Promise<string[]> =>
  (await run('list', '--server')).split('\n').flatMap((line) => {
    const [, name = '', versions = ''] = /^ +- (\S+) \[(.*)\]$/.exec(line) ?? []
    return versions.split(',').includes(version) ? [name] : []
  })

/** Runs all scenarios of a version in one process: most of one alone is its start. @returns the checks by scenario */
const checksOf = async (t: Test, url: string, version: string, names: string[]): Promise<Map<string, Check[]>> => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-conformance-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const args = ['--suite', 'all', '--spec-version', version, '--timeout', '10000', '--output-dir', folder]
  await run('server', '--url', `${url}/mcp`, ...args)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('checks.json'))
  return new Map(names.map((name) => {
    // A folder is called by the scenario and the time.
    const file = files.find((one) => new RegExp(`(^|/)(server-)?${name}-\\d{4}-`).test(one)) ?? ''
    return [name, file === '' ? [] : JSON.parse(readFileSync(join(folder, file), 'utf8')) as Check[]]
  }))
}

const { app, url } = await startChatApp(t)

/** The endpoint itself; the suite sends no credentials of its own. */
const serveProduct = async (): Promise<string> => {
  const proxy = createServer((asked, answer) => {
    const options = { method: asked.method, headers: { ...asked.headers, ...asAdmin } }
    asked.pipe(request(`${url}${asked.url}`, options, (answered) => {
      answer.writeHead(answered.statusCode ?? 500, answered.headers)
      answered.pipe(answer)
    }))
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.teardown(() => proxy.close())
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

/** The layer of the endpoint, with what the suite looks for beside what Steward offers. */
const serveTools = async (): Promise<string> => {
  const principal: Principal = {
    workspace_id: app.home.workspace_id,
    user_id: '01900000-0000-7000-8000-000000000000',
    name: '',
    role: 'viewer',
    bindings: null,
    scopes: [],
    via: 'token',
    via_id: null
  }
  const answers = new MessageAnswers(app, [conformanceOffer])
  const host = Fastify({ forceCloseConnections: true })
  host.post('/mcp', async ({ headers, body }, reply) => {
    const message = { url: 'http://127.0.0.1/mcp', method: 'POST', headers: headers as Record<string, string>, body }
    return reply.send(await answers.answer({ principal, selection: { of: 'all', readOnly: false } }, message))
  })
  host.route({ method: ['GET', 'DELETE'], url: '/mcp', handler: async (_request, reply) => reply.code(405).send() })
  t.teardown(async () => {
    await answers.close()
    await host.close()
  })
  return host.listen({ host: '127.0.0.1', port: 0 })
}

t.test('the official conformance suite finds what the endpoint declares', { skip, timeout: 300_000 }, async (t) => {
  const [product, withTools] = await Promise.all([serveProduct(), serveTools()])
  const counts: Record<string, number> = {}
  for (const version of ['2025-11-25', '2026-07-28']) {
    const names = (await listScenarios(version)).filter((name) => !undeclared[version]?.test(name))
    counts[version] = names.length
    const [atProduct, atTools] = await Promise.all([product, withTools].map((at) => checksOf(t, at, version, names)))
    for (const name of names) {
      const checks = (own.test(name) ? atProduct : atTools)?.get(name) ?? []
      t.ok(checks.some(({ status }) => status === 'SUCCESS'), `${version} ${name}`)
      t.same(checks.filter(({ id, status }) => status === 'FAILURE' && !untestable.has(id)), [], `${version} ${name}`)
    }
  }
  // A suite that lists nothing would find nothing.
  t.same(counts, { '2025-11-25': 21, '2026-07-28': 38 })
})
