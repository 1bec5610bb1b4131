import type { Root } from 'mdast'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { inPageLinks, type LinkPosition } from './in-page-links.js'
import { requireShallow } from './prose.js'

/** Refuses a tree that is nested too deeply, before anything walks it. */
const shallow = () => (root: Root) => requireShallow(root)

const parser = unified().use(remarkParse).use(remarkGfm).use(shallow).use(remarkRehype, { clobberPrefix: '' }).freeze()

/**
 * Runs only in the process for texts (text/read-text.ts).
 * @returns HTML without scripts: raw HTML is left out, addresses are http(s) or mailto
 * @throws RangeError when it is nested too deeply
 */
export const toHtml = (markdown: string, position: LinkPosition): string => String(parser()
  // Ids get their prefix here, once; the links to them get it from inPageLinks.
  .use(rehypeSanitize, { ...defaultSchema, clobberPrefix: position.prefix })
  .use(inPageLinks, position).use(rehypeStringify).processSync(markdown))
