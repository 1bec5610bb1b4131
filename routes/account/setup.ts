import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FastifyPluginAsync } from 'fastify'

/** The pages lie beside package.json, whether this runs from the sources or from dist. */
const rootOf = (folder: string): string => {
  if (existsSync(join(folder, 'package.json'))) return folder
  if (dirname(folder) === folder) throw new Error('The folder of package.json and web/ is missing')
  return rootOf(dirname(folder))
}

const headers = {
  'content-security-policy': "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store'
}

const pages = {
  '/setup': ['setup.html', 'text/html; charset=utf-8'],
  '/setup.js': ['setup.js', 'text/javascript; charset=utf-8'],
  '/setup.css': ['setup.css', 'text/css; charset=utf-8']
} as const

/** The page that a one-time link opens. What it shows comes from the API, as for any client. */
const setup: FastifyPluginAsync = async (app) => {
  const folder = join(rootOf(import.meta.dirname), 'web')
  for (const [path, [file, type]] of Object.entries(pages)) {
    const text = await readFile(join(folder, file), 'utf8')
    app.get(path, { schema: { hide: true } }, (_, reply) => reply.headers(headers).type(type).send(text))
  }
}

export default setup
