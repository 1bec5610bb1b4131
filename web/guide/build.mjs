// Renders the documents in docs/ as pages of static HTML, which need no script, no sign-in and no other site.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import hljs from 'highlight.js/lib/common'
import { Marked } from 'marked'

const folder = import.meta.dirname
const root = join(folder, '..', '..')
export const documents = join(root, 'docs')
const index = 'docs/README.md'

/** The documents that have a page, by their path in the repository. */
const listed = [
  ...readdirSync(documents).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
  'SECURITY.md', 'CHANGELOG.md'
]
const pageOf = (file) => file === index ? './' : basename(file, '.md').toLowerCase()

const signs = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text) => text.replace(/[&<>"]/g, (sign) => signs[sign])

/** @returns the heading's name in a link, as the code host makes it */
const anchorOf = (heading) => heading.toLowerCase().replace(/[^\w\- ]/g, '').replaceAll(' ', '-')

/** @returns where a link of the document leads; undefined: to a file that has no page */
const resolve = (from, href) => {
  if (/^https:/.test(href)) return href
  const [path, anchor] = href.split('#')
  const file = path === '' ? from : normalize(join(dirname(from), path)).replaceAll('\\', '/')
  if (!listed.includes(file)) return undefined
  return (path === '' ? '' : pageOf(file)) + (anchor === undefined ? '' : `#${anchor}`)
}

const highlight = (text, lang) => lang && hljs.getLanguage(lang)
  ? hljs.highlight(text, { language: lang, ignoreIllegals: true }).value
  : escape(text)

/** @returns the document as HTML, with the parts that a reader may go to */
const render = (file) => {
  const parts = []
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading ({ tokens, depth, text }) {
        const plain = text.replace(/[`*]|\]\([^)]*\)|\[/g, '')
        const id = anchorOf(plain)
        if (depth === 2) parts.push({ id, plain })
        return `<h${depth} id="${escape(id)}" tabindex="-1">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link ({ href, tokens }) {
        const words = this.parser.parseInline(tokens)
        const to = resolve(file, href)
        return to === undefined ? words : `<a href="${escape(to)}">${words}</a>`
      },
      code: ({ text, lang }) => `<pre tabindex="0"><code>${highlight(text, lang?.split(' ')[0])}\n</code></pre>\n`,
      table ({ header, rows }) {
        const row = (cells, tag) => `<tr>${cells.map(({ tokens, align }) =>
          `<${tag}${align ? ` class="${align}"` : ''}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        return `<div class="wide" tabindex="0"><table><thead>${row(header, 'th')}</thead><tbody>${
          rows.map((cells) => row(cells, 'td')).join('\n')}</tbody></table></div>\n`
      },
      image: ({ href, text }) => `<img src="${escape(basename(href))}" alt="${escape(text)}">`,
      // A picture in both themes is written as HTML; nothing else is.
      html: ({ text }) => /^\s*<picture>/.test(text) ? text : escape(text)
    }
  })
  const text = readFileSync(join(root, file), 'utf8')
  return { html: marked.parse(text), title: /^# (.+)$/m.exec(text)?.[1] ?? 'Steward', parts }
}

/** The groups of the index with their pages: what a reader has beside each page. */
const contentsOf = () => readFileSync(join(root, index), 'utf8').split(/^\*\*(.+)\*\*$/m).slice(1)
  .reduce((groups, text, at, all) => at % 2 === 1
    ? [...groups, { title: all[at - 1], files: [...text.matchAll(/\]\(([\w./-]+\.md)\)/g)].map(([, to]) => to) }]
    : groups, [])
  .map(({ title, files }) => ({
    title,
    files: files.map((to) => normalize(join('docs', to)).replaceAll('\\', '/')).filter((file) => listed.includes(file))
  }))

const titleOf = (file) => /^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1] ?? basename(file, '.md')

const navigation = (current, parts) => contentsOf().map(({ title, files }) => `<h2>${escape(title)}</h2><ul>${
  files.map((file) => file === current
    ? `<li><a href="${pageOf(file)}" aria-current="page">${escape(titleOf(file))}</a>${
      parts.length === 0
? ''
: `<ul>${parts.map(({ id, plain }) =>
        `<li><a href="#${escape(id)}">${escape(plain)}</a></li>`).join('')}</ul>`}</li>`
    : `<li><a href="${pageOf(file)}">${escape(titleOf(file))}</a></li>`).join('')}</ul>`).join('\n')

const pageHtml = (file) => {
  const { html, title, parts } = render(file)
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${escape(title)} · Steward</title>
  <link rel="icon" type="image/svg+xml" href="icon.svg">
  <link rel="stylesheet" href="guide.css">
  <script src="guide.js"></script>
</head>
<body>
  <a class="skip" href="#content">Skip to the content</a>
  <header><a href="../"><img src="icon.svg" alt="" width="26" height="26">Steward</a><a href="./">Guide</a><a href="../docs/">API</a></header>
  <div class="columns">
    <details open><summary>All pages</summary><nav aria-label="Pages of the guide">${navigation(file, parts)}</nav></details>
    <main id="content" tabindex="-1">${html}</main>
  </div>
</body>
</html>
`
}

/** Writes a page for each document, and what the pages load, into the folder. */
export const buildGuide = (output) => {
  mkdirSync(output, { recursive: true })
  for (const file of listed) writeFileSync(join(output, `${file === index ? 'index' : pageOf(file)}.html`), pageHtml(file))
  const styles = ['../styles/tokens.css', 'guide.css'].map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
  writeFileSync(join(output, 'guide.css'), styles)
  copyFileSync(join(folder, 'guide.js'), join(output, 'guide.js'))
  copyFileSync(join(folder, '..', 'icon.svg'), join(output, 'icon.svg'))
  for (const name of readdirSync(documents).filter((each) => each.endsWith('.png'))) {
    copyFileSync(join(documents, name), join(output, name))
  }
}
