import { Link } from 'wouter-preact'
import type { Schemas } from '../../api/client'
import { StateBadge } from '../../parts/badge'
import { Markdown } from '../../parts/markdown'
import { Time } from '../../parts/time'
import type { ViewProps } from '../../results/operation'
import { formatChannel } from '../contents/channels'
import { say, sayWith } from '../../texts/say'

/** A content, its text folded, with the ways to its parts. */
export default function ContentResult ({ result: content }: ViewProps<Schemas['Content']>) {
  const { id, title, status, locale, head_version: version, body_markdown: text } = content
  return (
    <section class='result-card' aria-label={say('content.of', { title })}>
      <div class='row tight'><strong class='grow'>{title}</strong><StateBadge state={status} /></div>
      <p class='small muted'>
        {formatChannel(content)} · {locale} ·{' '}
        {sayWith('content.result.version', { version: String(version), when: <Time at={content.updated_at} /> })}
      </p>
      {text && <details><summary>{say('content.result.text')}</summary><Markdown text={text} /></details>}
      <div class='row tight'>
        <Link class='button small' href={`/content/${id}`}>{say('content.result.open')}</Link>
        <Link class='button small' href={`/content/${id}/publications`}>{say('content.tab.publications')}</Link>
      </div>
    </section>
  )
}
