import type { Root } from 'mdast'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { inPageLinks, type LinkPosition } from './in-page-links.js'
import { requireShallow } from './lint/prose.js'

/** What is nested too deeply ends here, before anything walks it. */
const shallow = () => (root: Root) => requireShallow(root)

const parser = unified().use(remarkParse).use(remarkGfm).use(shallow).use(remarkRehype, { clobberPrefix: '' }).freeze()

/**
 * Where texts are read (text/thread.ts), nowhere else.
 * @returns Markdown as HTML that runs nothing: raw HTML is left out, addresses are http(s) or mailto
 * @throws RangeError when it is nested too deeply
 */
export const toHtml = (markdown: string, position: LinkPosition): string => String(parser()
  // Ids get their prefix here, once; the links to them get it from inPageLinks.
  .use(rehypeSanitize, { ...defaultSchema, clobberPrefix: position.prefix })
  .use(inPageLinks, position).use(rehypeStringify).processSync(markdown))
