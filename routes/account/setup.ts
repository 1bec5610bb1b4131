import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FastifyPluginAsync } from 'fastify'
import { pageHeaders } from '../../lib/security/requests.js'

/** The pages lie beside package.json, whether this runs from the sources or from dist. */
const rootOf = (folder: string): string => {
  if (existsSync(join(folder, 'package.json'))) return folder
  if (dirname(folder) === folder) throw new Error('The folder of package.json and web/ is missing')
  return rootOf(dirname(folder))
}

const pages = {
  '/setup': ['setup.html', 'text/html; charset=utf-8'],
  '/setup.js': ['setup.js', 'text/javascript; charset=utf-8'],
  '/setup.texts.js': ['setup.texts.js', 'text/javascript; charset=utf-8'],
  '/setup.css': ['setup.css', 'text/css; charset=utf-8'],
  '/sign-in': ['sign-in.html', 'text/html; charset=utf-8'],
  '/sign-in.js': ['sign-in.js', 'text/javascript; charset=utf-8']
} as const

/** The pages of signing in: by a one-time link, and with the code host. What they show comes from the API. */
const setup: FastifyPluginAsync = async (app) => {
  app.publish(app, 'pages for people who are not signed in')
  const folder = join(rootOf(import.meta.dirname), 'web')
  for (const [path, [file, type]] of Object.entries(pages)) {
    const text = await readFile(join(folder, file), 'utf8')
    app.get(path, { schema: { hide: true } }, (_, reply) => reply.headers(pageHeaders).type(type).send(text))
  }
}

export default setup
