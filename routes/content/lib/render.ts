import rehypeSanitize from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'

const processor = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).use(rehypeSanitize).use(rehypeStringify)

/** @returns Markdown as HTML that runs nothing: raw HTML is left out, addresses are http(s) or mailto */
export const toHtml = (markdown: string): string => String(processor.processSync(markdown))
