import { Link } from 'wouter-preact'
import type { Schemas } from '../../api/client'
import { StateBadge } from '../../parts/badge'
import { formatLabel } from '../../parts/label'
import { Markdown } from '../../parts/markdown'
import { Time } from '../../parts/time'
import type { ViewProps } from '../../results/operation'

/** A content, its text folded, with the ways to its parts. */
export default function ContentResult ({ result: content }: ViewProps<Schemas['Content']>) {
  const { id, title, status, channel, locale, head_version: version, body_markdown: text } = content
  return (
    <section class='result-card' aria-label={`Content ${title}`}>
      <div class='row tight'><strong class='grow'>{title}</strong><StateBadge state={status} /></div>
      <p class='small muted'>
        {formatLabel(channel)} · {locale} · version {version}, changed <Time at={content.updated_at} />
      </p>
      {text && <details><summary>The text</summary><Markdown text={text} /></details>}
      <div class='row tight'>
        <Link class='button small' href={`/content/${id}`}>Open the content</Link>
        <Link class='button small' href={`/content/${id}/publications`}>Publications</Link>
      </div>
    </section>
  )
}
