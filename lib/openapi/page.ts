import type { FastifySwaggerUiOptions } from '@fastify/swagger-ui'

/**
 * Everything comes from here. The plugin's own policy would ask for https, which an installation in a private network
 * need not have. The hash is that of the one style that the page's script adds.
 */
const policy = [
  "default-src 'none'", "script-src 'self'", "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  "img-src 'self' data:", "font-src 'self' data:", "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
  "frame-ancestors 'none'"
].join('; ')

/** The ways back, which the page does not have, in place of its field for another document. */
const script = `(() => {
  const root = new URL('../../../', document.currentScript.src)
  const bar = document.createElement('nav')
  bar.className = 'steward'
  bar.setAttribute('aria-label', 'Steward')
  for (const [words, path] of [['Steward', '.'], ['Guide', 'guide/'], ['openapi.json', 'openapi.json']]) {
    const link = document.createElement('a')
    link.textContent = words
    link.href = new URL(path, root)
    bar.append(link)
  }
  document.body.prepend(bar)
})()`

const style = `nav.steward {
  display: flex; gap: 1.6rem; padding: .85rem 1.6rem; background: #0b6b62; font: 1rem system-ui, sans-serif;
}
nav.steward a { color: #fff; }
nav.steward a:first-child { font-weight: 650; text-decoration: none; }
.swagger-ui .topbar .download-url-wrapper, .swagger-ui .topbar a.link { display: none; }
.swagger-ui .topbar { padding: 0; }
.swagger-ui .topbar .topbar-wrapper { justify-content: flex-end; }
`

/** How the page of the API's document looks and what it may load. */
export const apiPage: FastifySwaggerUiOptions = {
  routePrefix: '/docs',
  staticCSP: policy,
  uiConfig: { tryItOutEnabled: true },
  theme: {
    title: 'API · Steward',
    js: [{ filename: 'steward.js', content: script }],
    css: [{ filename: 'steward.css', content: style }]
  }
}
