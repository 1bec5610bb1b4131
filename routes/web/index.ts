import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'

/** dist/web lies beside package.json, whether this runs from the sources or from dist. */
const rootOf = (folder: string): string => {
  if (existsSync(join(folder, 'package.json'))) return folder
  if (dirname(folder) === folder) throw new Error('The folder of package.json is missing')
  return rootOf(dirname(folder))
}

/** Everything comes from here, nothing is inline, and text becomes elements only through the sanitizer. */
const contentSecurityPolicy = [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "font-src 'self'", "img-src 'self'",
  "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
  "manifest-src 'self'", "require-trusted-types-for 'script'", 'trusted-types dompurify push-worker'
].join('; ')

const pageHeaders = {
  vary: 'accept-encoding',
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache'
}

/** The names of built files carry a digest of what is in them. */
const assetHeaders = {
  vary: 'accept-encoding',
  'x-content-type-options': 'nosniff',
  'cache-control': 'public, max-age=31536000, immutable'
}

/** What a browser installs keeps its addresses. */
const installed = [
  'manifest.webmanifest', 'manifest.de.webmanifest', 'icon-192.png', 'icon-512.png', 'icon-maskable-512.png'
]

/** The browser client, as `npm run build` left it in dist/web; what it shows comes from the API, as for any client. */
const web: FastifyPluginAsync = async (app) => {
  app.publish(app, 'files of the browser client, the same for everybody')
  const folder = join(rootOf(import.meta.dirname), 'dist', 'web')
  if (!existsSync(join(folder, 'index.html'))) {
    app.log.warn('the web client is not built: run npm run build')
    return
  }
  await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true, cacheControl: false })
  const assets = new Set(await readdir(join(folder, 'assets')))
  const quiet = { logLevel: 'warn', config: { rateLimit: false }, schema: { hide: true } } as const
  app.get('/', quiet, (_, reply) => reply.headers(pageHeaders).sendFile('index.html'))
  // Its address is its scope, and is the same after an update.
  app.get('/push-worker.js', quiet, (_, reply) => reply.headers(pageHeaders).sendFile('push-worker.js'))
  for (const file of installed) {
    app.get(`/${file}`, quiet, (_, reply) => reply.headers(pageHeaders).sendFile(file))
  }
  const guide = new Set(await readdir(join(folder, 'guide')))
  app.get('/guide', quiet, (_, reply) => reply.redirect('guide/'))
  app.get('/guide/', quiet, (_, reply) => reply.headers(pageHeaders).sendFile('guide/index.html'))
  app.get<{ Params: { page: string } }>('/guide/:page', quiet, ({ params: { page } }, reply) => {
    const file = [page, `${page}.html`].find((name) => guide.has(name))
    return file === undefined ? reply.callNotFound() : reply.headers(pageHeaders).sendFile(`guide/${file}`)
  })
  app.get<{ Params: { file: string } }>('/assets/:file', quiet, ({ params: { file } }, reply) =>
    assets.has(file) ? reply.headers(assetHeaders).sendFile(`assets/${file}`) : reply.callNotFound())
}

export default web
