import type { StoredTarget } from '../../../../db/content/tables.js'
import type { Content } from '../../../../schemas/content/contents.js'
import type { RenderedPart } from '../../../../schemas/content/renderings.js'
import { htmlOf } from '../texts/html-of.js'
import { toGhostText } from '../targets/ghost.js'
import { toMail } from '../targets/mail.js'
import { pathOf } from '../targets/open-pull.js'
import { postsOf } from '../targets/posts.js'
import { contentOf } from '../targets/send-webhook.js'
import { toWordpressText } from '../targets/wordpress.js'

const plain = (name: string, text: string): RenderedPart => ({ name, media_type: 'text/plain', text })
const html = (text: string): RenderedPart => ({ name: 'html', media_type: 'text/html', text })

const renderFile = async (target: StoredTarget, content: Content): Promise<RenderedPart[]> => {
  // The writer of YAML loads when it is needed.
  const { fileOf } = await import('../targets/file-of.js')
  return [{ name: pathOf(target, content), media_type: 'text/markdown', text: fileOf(content) }]
}

/**
 * @param site the base of addresses without a host, where the text stands on a page that is not the brand's
 * @returns what the target gets of a version: the functions that deliver it make it
 * @throws text_too_complex, overloaded
 */
export const renderTarget = async (target: StoredTarget, content: Content, site: string | undefined):
Promise<RenderedPart[]> => {
  switch (target.kind) {
    case 'git_pr': return renderFile(target, content)
    case 'feed': return [
      plain('title', content.title), plain('summary', content.summary),
      html(await htmlOf(content, target.config.site_url ?? site))
    ]
    case 'webhook': {
      const text = JSON.stringify(await contentOf(content, site), null, 2)
      return [{ name: 'content', media_type: 'application/json', text }, html(await htmlOf(content, site))]
    }
    case 'wordpress': {
      const { title, excerpt, content: text } = await toWordpressText(content)
      return [plain('title', title), plain('excerpt', excerpt), html(text)]
    }
    case 'ghost': {
      const { title, custom_excerpt: excerpt, html: text } = await toGhostText(content)
      return [plain('title', title), plain('excerpt', excerpt ?? ''), html(text)]
    }
    case 'mail': {
      const { subject, text, html: page } = await toMail(content, site)
      return [plain('subject', subject), plain('text', text), html(page)]
    }
    case 'linkedin': return [plain('text', postsOf(content).join('\n\n'))]
    case 'mastodon': case 'bluesky': return postsOf(content).map((text, index) => plain(`post ${index + 1}`, text))
  }
}
